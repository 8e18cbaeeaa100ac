/**
 * All hostile inputs through a proxy in front. A proxy may refuse an input itself; an input that it passes on is answered as the
 * table says, and no client's bytes become a request or an answer of another client (request smuggling, RFC 9112 §11.2).
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFront } from '../support/fronts.ts';
import { serveHere } from '../support/in-process.ts';
import { connectTo } from '../support/sockets.ts';
import { normalised } from './fronts.ts';
import { type Hostile, probe } from './inputs.ts';
import { putUnderLoad } from './load.ts';
import { type HostileWorld, hostileWorld } from './world.ts';

const atATime = 24;
const inputsAtMost = 1_000;
/** A proxy may keep its client's connection after our refusal; nothing more is expected once it was silent for so long. */
const silenceMs = 10_000;
const patienceMs = 60_000;
const refusals = new Set([400, 403, 405, 408, 411, 413, 414, 417, 421, 422, 431, 501, 505]);

const fronts = ['nginx', 'haproxy'] as const;
const places = Array.from({ length: inputsAtMost }, (_, place) => place);
/** The plant that the tables smuggle a deletion of. */
const smuggledPlant = 6_000_000;
/**
 * Each input of a proxy has plants of its own, so that every deletion is known by its input: the target's, and the smuggled one. The
 * last ones are those of well-behaved clients.
 */
const plantsOf = (front: number) => {
  const [loadBase = 0, smuggledBase = 0, targeted = 0] = [1, 2, 3].map(
    (part) => smuggledPlant + front * 10_000 + part * inputsAtMost,
  );
  return { targeted, smuggledBase, load: places.map((place) => BigInt(loadBase + place)) };
};

interface Answer {
  status: number;
  isOurs: boolean;
  error: number | undefined;
}

interface Seen {
  input: Hostile;
  answers: Answer[];
  rest: string;
}

function answersIn(text: string): Pick<Seen, 'answers' | 'rest'> {
  const answers: Answer[] = [];
  let rest = text;
  for (;;) {
    const [head, status] = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(rest) ?? [];
    if (head === undefined) return { answers, rest };
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
    const hasNoBody = /^(?:1..|204|304)$/.test(status ?? '');
    let end = rest.length;
    if (hasNoBody) end = head.length;
    else if (isChunked) end = rest.indexOf('\r\n0\r\n\r\n', head.length - 2) + 7;
    else if (length !== undefined) end = head.length + Number(length);
    const body = rest.slice(head.length, end);
    if (!status?.startsWith('1')) {
      const error = /^\{"error":(\d+),"message":/.exec(body)?.[1];
      answers.push({
        status: Number(status),
        isOurs: /\r\nx-request-id: [0-9a-f-]{36}\r\n/i.test(head),
        error: error === undefined ? undefined : Number(error),
      });
    }
    rest = rest.slice(end);
  }
}

/** Says once that the expected answers have come: then it only listens. */
async function converse(url: string, input: Hostile, onAnswered: () => void): Promise<Seen> {
  const socket = connectTo(url).setEncoding('latin1');
  const closed = once(socket, 'close').catch(() => undefined);
  let text = '';
  const expected = 1 + (input.before?.length ?? 0);
  socket.on('data', (chunk) => {
    text += chunk;
    if (answersIn(text).answers.length < expected) return;
    socket.setTimeout(silenceMs);
    onAnswered();
  });
  socket.setTimeout(patienceMs, () => socket.destroy());
  const packets = typeof input.bytes === 'string' ? [input.bytes] : input.bytes;
  for (const packet of packets) {
    if (!socket.writable) break;
    socket.write(packet, 'latin1');
    if (packets.length > 1) await sleep(5);
  }
  if (!input.closes && socket.writable) socket.write(probe);
  await closed;
  onAnswered();
  return { input, ...answersIn(text) };
}

const longHead = 32 * 1024;

/** A sentence about a wrong answer to an input; undefined where every answer is right. */
function wrongIn({ input, answers, rest }: Seen, exceptions: ReadonlyMap<string, number>): string | undefined {
  const { name, answer, before = [], isSlow } = input;
  const told = `${name}: ${JSON.stringify(answers)}${JSON.stringify(rest.slice(0, 80))} for ${answer}`;
  const [first, ...more] = answers.slice(before.length);
  for (const [place, status] of before.entries()) {
    const early = answers[place];
    // A proxy may refuse several requests that it read together with one answer.
    if (early?.isOurs && early.status !== status) return told;
  }
  const exception = exceptions.get(name);
  if (!first) {
    if (exception === 0 && rest !== '') return undefined;
    const last = answers.at(-1);
    const isRefusedWhole = last && !last.isOurs && refusals.has(last.status);
    // A proxy that ends a connection while more of a head comes may lose its own refusal in the reset.
    const packets = [input.bytes].flat();
    const isLong = packets.length > 1 || packets.join('').length > longHead;
    return isSlow || isRefusedWhole || (isLong && answers.length === 0) ? undefined : told;
  }
  if (!first.isOurs) return refusals.has(first.status) ? undefined : told;
  const numbers = exception === undefined ? [answer] : [answer, exception];
  const isAsListed = numbers.includes(first.status) || numbers.includes(first.error ?? 0);
  if (!isAsListed) return told;
  // The next answers belong to the probe, or to a request that only the proxy saw; none of them may be a fault.
  return more.some(({ status }) => status >= 500 && status !== 505) ? told : undefined;
}

test('hostile inputs', async (t) => {
  const plants = fronts.flatMap((_, front) => {
    const { targeted, smuggledBase, load } = plantsOf(front);
    return [...places.flatMap((place) => [targeted + place, smuggledBase + place].map(BigInt)), ...load];
  });
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  const world = await hostileWorld(t, { plants, start: serveHere, env, smuggledPlant: String(smuggledPlant) });
  for (const [front, name] of fronts.entries())
    await t.test(`through ${name}`, (t) => through(t, name, world, plantsOf(front)));
});

async function through(
  t: TestContext,
  name: keyof typeof normalised,
  world: HostileWorld,
  { targeted, smuggledBase, load: loadPlants }: ReturnType<typeof plantsOf>,
): Promise<void> {
  const { server, contents } = world;
  const url = await startFront(t, name, server.url);
  if (url === undefined) return;
  const own = (text: string, place: number) =>
    text
      .replaceAll(/(?<=\/plants\/)1(?=[ \t\r])/g, String(targeted + place))
      .replaceAll(String(smuggledPlant), String(smuggledBase + place));
  const inputs = world.inputs.map((input, place): Hostile => {
    const { bytes } = input;
    return {
      ...input,
      bytes: typeof bytes === 'string' ? own(bytes, place) : bytes.map((one) => own(one, place)),
    };
  });
  assert(inputs.length < inputsAtMost);
  const before = await contents();
  const left = [...loadPlants];
  const load = putUnderLoad(url, world.token, {
    readings: await world.readings(),
    plants: left,
    connections: 4,
    pauseMs: 50,
  });
  const talks: Promise<Seen>[] = [];
  const rest = [...inputs];
  const sender = async () => {
    for (let input = rest.shift(); input; input = rest.shift()) {
      const { promise: isAnswered, resolve } = Promise.withResolvers<void>();
      talks.push(converse(url, input, resolve));
      await isAnswered;
    }
  };
  await Promise.all(Array.from({ length: atATime }, sender));
  const done = await load.stop();
  // Only the silence after the last answers is left to wait for.
  const seen = await Promise.all(talks);
  const ours = seen.filter(({ answers }) => answers.some(({ isOurs }) => isOurs)).length;
  t.diagnostic(`${ours} of ${inputs.length} inputs were passed on; ${done.count} answers of good clients`);
  assert(ours > inputs.length / 2 && done.deleted.length > 0);

  const exceptions = new Map(
    normalised[name].flatMap(({ answer, names }) => names.map((one) => [one, answer] as const)),
  );
  await t.test('the exceptions are inputs that there are', () => {
    const names = new Set(inputs.map((input) => input.name));
    assert.deepEqual(
      [...exceptions.keys()].filter((one) => !names.has(one)),
      [],
    );
  });
  await t.test('what is passed on is answered as listed', () => {
    assert.deepEqual(
      seen.map((one) => wrongIn(one, exceptions)).filter((wrong) => wrong !== undefined),
      [],
    );
  });

  await t.test('no plant has gone but by a deletion that its own client was answered', async () => {
    const after = await contents();
    assert.deepEqual({ ...after, plants: '' }, { ...before, plants: '' });
    const there = new Set([...(after['plants'] ?? '').matchAll(/"id":(-?\d+)/g)].map(([, id]) => id));
    const deleted = new Set(done.deleted);
    const gone = [...(before['plants'] ?? '').matchAll(/"id":(-?\d+)/g)].flatMap(([, id = '']) =>
      there.has(id) || deleted.has(BigInt(id)) ? [] : [Number(id)],
    );
    const unanswered: string[] = [];
    for (const id of gone) {
      const isSmuggled = id < targeted;
      const input = inputs[isSmuggled ? id - smuggledBase : id - targeted];
      const one = seen.find((other) => other.input === input);
      const place = (one?.input.before?.length ?? 0) + (isSmuggled ? 1 : 0);
      if (!one?.answers.slice(place).some(({ status, isOurs }) => isOurs && status === 204))
        unanswered.push(`${id} by ${one?.input.name}: ${JSON.stringify(one?.answers)}`);
    }
    assert.deepEqual(unanswered, []);
  });

  await t.test('none of all this was a fault', () => assert.equal(server.stderr(), ''));
}
