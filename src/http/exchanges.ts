/** A request and where its answer goes: with Node's own request and response, or by the bytes of a head that was not parsed. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Begun } from '../api/answer.ts';
import type { Asking } from './clients.ts';
import { answerHead } from './heads.ts';
import type { TellAnswer } from './logging.ts';
import { timeouts } from './protocol.ts';

/** Header fields: as names and values in turn, and as the lines that they are sent in. */
export interface Fields {
  list: readonly string[];
  text: string;
}

/** Few bytes as text in Latin-1, or bytes with what is to be called once they are sent, or never will be. */
export type Body = { text: string } | { bytes: Buffer; release?(): void };

export interface Exchange {
  /** Who asks, and for what. */
  asking: Asking;
  target: string;
  send(status: 200 | 204 | 304, fields: readonly Fields[], body?: Body): void;
  /** Has it answered by the listener that the server has for all requests. */
  handOn(known: Begun): void;
}

const statusLines = {
  200: 'HTTP/1.1 200 OK\r\n',
  204: 'HTTP/1.1 204 No Content\r\n',
  304: 'HTTP/1.1 304 Not Modified\r\n',
};
/** What Node says of a connection that goes on. */
const lasting = `\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${timeouts.idleMs / 1000}\r\n\r\n`;

export function fieldsOf(list: readonly string[]): Fields {
  let text = '';
  for (let place = 0; place < list.length; place += 2) text += `${list[place]}: ${list[place + 1]}\r\n`;
  return { list, text };
}

/** How requests are answered: with these fields on all, an id on each, and a line for the log. `ms`: what it took. */
export function replying(shared: Fields, tellAnswer: TellAnswer) {
  return (
    exchange: Exchange,
    status: 200 | 204 | 304,
    fields: readonly Fields[],
    ms: number,
    body?: Body,
  ): void => {
    const id = randomUUID();
    exchange.send(status, [fieldsOf(['x-request-id', id]), shared, ...fields], body);
    tellAnswer(exchange.asking, { id, target: exchange.target, status, ms });
  };
}

export function parsedExchange(
  request: IncomingMessage,
  response: ServerResponse,
  handOn: Exchange['handOn'],
): Exchange {
  return {
    asking: request,
    target: request.url ?? '',
    handOn,
    send: (status, fields, body) => {
      response.writeHead(
        status,
        fields.flatMap(({ list }) => list),
      );
      if (!body) response.end();
      else if ('text' in body) response.end(body.text, 'latin1');
      else {
        // A client may have gone while its request waited.
        if (response.closed) body.release?.();
        else if (body.release) response.once('close', body.release);
        response.end(body.bytes);
      }
    },
  };
}

export function unparsedExchange(asking: Asking, target: string, handOn: Exchange['handOn']): Exchange {
  const { socket } = asking;
  return {
    asking,
    target,
    handOn,
    send: (status, fields, body) => {
      let head = statusLines[status];
      for (const { text } of fields) head += text;
      head += `Date: ${dateNow()}${lasting}`;
      if (!body) answerHead(socket, head);
      else if ('text' in body) answerHead(socket, head + body.text);
      else answerHead(socket, head, body.bytes, body.release);
    },
  };
}

let dateSecond = 0;
let date = '';

/** RFC 9110 §5.6.7, made once a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(second * 1000).toUTCString();
  }
  return date;
}
