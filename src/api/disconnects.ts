/** Clients that leave before they are answered: the work for them stops. */
import type { ServerResponse } from 'node:http';

/** The reason why the work for a client stops. It is never answered, so it needs no stack of its own. */
export const departed = new Error('the client has gone');

/** How long a client that ended its side is waited for. */
const patienceMs = 250;

/**
 * Aborts once the client has gone. One that ended its side may still read (RFC 9112 §9.6), but looks like one that has gone: its
 * connection is closed unless the answer begins soon.
 */
export function departureOf(response: ServerResponse): AbortSignal {
  const departure = new AbortController();
  const { socket } = response.req;
  const leave = () => {
    if (!response.headersSent) socket.destroy();
  };
  const wait = () => {
    const timer = setTimeout(leave, patienceMs);
    response.once('close', () => clearTimeout(timer));
  };
  response.once('close', () => {
    departure.abort(departed);
    socket.removeListener('end', wait);
  });
  if (response.closed) departure.abort(departed);
  else if (socket.readableEnded) wait();
  else socket.once('end', wait);
  return departure.signal;
}
