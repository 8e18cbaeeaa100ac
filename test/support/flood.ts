/** Many requests on few connections, written ahead of their answers: more than the tests' other clients can send. */
import { once } from 'node:events';
import { connect } from 'node:net';

const connections = 16;
const aheadAtMost = 50;
const statusLine = 'HTTP/1.1 ';

export async function flood(
  url: string,
  target: string,
  { requests, token, id }: { requests: number; token?: string; id?: string },
): Promise<Map<string, number>> {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  const named = id === undefined ? '' : `X-Request-Id: ${id}\r\n`;
  const request = `GET ${target} HTTP/1.1\r\nHost: x\r\n${authorization}${named}\r\n`;
  const statuses = new Map<string, number>();
  let unsent = requests;
  const { hostname, port } = new URL(url);
  const client = async () => {
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    await once(socket, 'connect');
    const ended = once(socket, 'close');
    let waiting = 0;
    let text = '';
    const ask = () => {
      waiting = Math.min(aheadAtMost, unsent);
      unsent -= waiting;
      if (waiting > 0) socket.write(request.repeat(waiting));
      else socket.end();
    };
    socket.on('data', (chunk: string) => {
      text += chunk;
      const parts = text.split(statusLine);
      // The last part may lack its status, or hold the beginning of the next status line.
      const rest = parts.pop() ?? '';
      for (const part of parts.slice(1)) note(part.slice(0, 3));
      if (parts.length === 0) return;
      if (rest.length < 3) text = statusLine + rest;
      else {
        note(rest.slice(0, 3));
        text = rest.slice(-statusLine.length + 1);
      }
    });
    const note = (status: string) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (--waiting === 0) ask();
    };
    ask();
    await ended;
    if (waiting > 0)
      throw new Error(`a connection ended with ${waiting} requests unanswered, after ${text.slice(-300)}`);
  };
  await Promise.all(Array.from({ length: connections }, client));
  return statuses;
}
