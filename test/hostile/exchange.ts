/** Sends one hostile input on a connection of its own and checks everything about what comes back. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../../src/errors.ts';
import { assertRefusal, parseRaw, type Reply } from '../support/http.ts';
import { connectTo } from '../support/sockets.ts';
import { type Hostile, probe } from './inputs.ts';

const registry = new Set<number>(Object.values(errors).map(({ number }) => number));
const packetGapMs = 5;
const patienceMs = 30_000;

function answersIn(text: string): Reply[] {
  const replies: Reply[] = [];
  let rest = text;
  while (rest !== '') {
    const headEnd = rest.indexOf('\r\n\r\n');
    assert(headEnd >= 0 && rest.startsWith('HTTP/1.1 '), `no answer: ${JSON.stringify(rest.slice(0, 200))}`);
    const reply = parseRaw(rest);
    const chunked = reply.headers['transfer-encoding'] === 'chunked';
    const bodyEnd = chunked ? rest.indexOf('\r\n0\r\n\r\n') + 7 : headEnd + 4 + reply.bytes.length;
    assert(reply.status >= 100 && bodyEnd > headEnd, `half an answer: ${JSON.stringify(rest.slice(0, 200))}`);
    if (reply.status >= 200) replies.push(reply);
    rest = rest.slice(bodyEnd);
  }
  return replies;
}

async function converse(url: string, { bytes, closes }: Hostile): Promise<string> {
  const socket = connectTo(url).setEncoding('latin1');
  let text = '';
  let isOver = false;
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.on('close', () => {
    isOver = true;
  });
  await once(socket, 'connect');
  const packets = typeof bytes === 'string' ? [bytes] : bytes;
  for (const packet of packets) {
    if (isOver) break;
    socket.write(packet, 'latin1');
    if (packets.length > 1) await sleep(packetGapMs);
  }
  if (!closes && !isOver) socket.write(probe);
  if (!isOver) await once(socket, 'close');
  return text;
}

/** Throws where the answer is any other than the table says, or where there is not exactly one. */
export async function assertAnswered(url: string, input: Hostile): Promise<void> {
  const { answer, closes, before = [], headers = {}, message } = input;
  const replies = answersIn(await converse(url, input));
  const got = replies.map(({ status, text }) => `${status} ${text.slice(0, 150)}`);
  const status = answer >= 1000 ? Math.floor(answer / 100) : answer;
  const expected = [...before, status, ...(closes ? [] : [204])];
  assert.deepEqual(
    replies.map((reply) => reply.status),
    expected,
    `answered ${JSON.stringify(got)} for ${expected.join(', ')}`,
  );
  const reply = replies[before.length];
  assert(reply);
  if (closes) assert.equal(reply.headers.connection, 'close', 'says that it closes');
  else assert.notEqual(reply.headers.connection, 'close', 'says that it goes on');
  assert.match(String(reply.headers['x-request-id']), /^[0-9a-f-]{36}$/);
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') assert.equal(reply.headers[name], value, name);
    else assert.match(String(reply.headers[name]), value, name);
  }
  if (answer < 1000) return;
  assert(registry.has(answer));
  assertRefusal(reply, answer, message);
}
