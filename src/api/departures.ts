/** Clients that leave before they are answered: the work for them stops. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Thrown by work that no client waits for any more. It is never answered, so one error without a stack of its own does. */
export const departed = new Error('the client has gone');

/** How often a client that has ended its side is asked whether it still reads. */
const askMs = 100;

interface Departing {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * A look at whether the client has gone; long work takes it between its pieces. A client may end its side and still read (RFC
 * 9112 §9.6), which looks the same as a client that has gone; only sending tells them apart, because a closed connection
 * refuses it. So such a client is sent 102 Processing, which a client that reads skips (RFC 9110 §15.2).
 */
export function departureOf({ request, response }: Departing): () => boolean {
  const { socket } = request;
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (response.closed || socket.destroyed) return true;
    if (!socket.readableEnded || response.headersSent || request.httpVersion !== '1.1') return false;
    const now = performance.now();
    if (now - askedAt >= askMs) {
      askedAt = now;
      response.writeProcessing();
    }
    return false;
  };
}
