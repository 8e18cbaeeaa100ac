/** Clients that leave before they are answered: the work for them stops. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Departure {
  /** Made when it is first asked for. */
  readonly signal: AbortSignal;
  /** Throws the error, unless the client has gone: then nobody is to be told. */
  forgive(error: unknown): undefined;
}

export function departing(request: IncomingMessage, response: ServerResponse): Departure {
  let signal: AbortSignal | undefined;
  return {
    get signal() {
      signal ??= departureOf(request, response);
      return signal;
    },
    forgive: (error) => {
      if (!signal?.aborted) throw error;
    },
  };
}

/** How often a client that has ended its side is asked whether it still reads. */
const askMs = 100;

/**
 * A signal that is aborted once the connection of this answer has closed. A client may end its side and still read (RFC
 * 9112 §9.6), which looks the same as a client that has gone; only what is sent to it tells them apart, because a closed
 * connection refuses it. So such a client is sent 102 Processing, which a client that reads skips (RFC 9110 §15.2).
 */
function departureOf(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const departure = new AbortController();
  const { socket } = request;
  let asking: NodeJS.Timeout | undefined;
  const ask = () => {
    if (request.httpVersion !== '1.1') return;
    asking = setInterval(() => {
      if (response.headersSent) clearInterval(asking);
      else response.writeProcessing();
    }, askMs);
    asking.unref();
  };
  const close = () => {
    clearInterval(asking);
    socket.removeListener('end', ask);
    departure.abort();
  };
  if (response.closed || socket.destroyed) departure.abort();
  else {
    response.once('close', close);
    if (socket.readableEnded) ask();
    else socket.once('end', ask);
  }
  return departure.signal;
}
