/** Clients that leave before they are answered: the work for them stops. */
import type { ServerResponse } from 'node:http';

/** Thrown by work that no client waits for any more; never answered, so it needs no stack of its own. */
export const departed = new Error('the client has gone');

const askMs = 100;

/**
 * A look at whether the client has gone. A client that ended its side may still read (RFC 9112 §9.6). It is sent 102 Processing
 * every `askMs`, which a reader skips (RFC 9110 §15.2) and a closed connection refuses.
 */
export function departureOf(response: ServerResponse): () => boolean {
  const { req: request } = response;
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
