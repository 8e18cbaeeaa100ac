/** Clients that leave before they are answered: the work for them stops. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';

export interface Departure {
  /** Aborted once the client has gone. Made when it is first asked for. */
  signal(): AbortSignal;
  /** Whether work that looks at the signal was stopped. */
  hasHappened(): boolean;
}

export function departing({ request, response }: Exchange): Departure {
  let signal: AbortSignal | undefined;
  return {
    signal: () => {
      signal ??= departureOf(request, response);
      return signal;
    },
    hasHappened: () => signal?.aborted ?? false,
  };
}

/** How often a client that has ended its side is asked whether it still reads. */
const askMs = 100;

/**
 * A signal that is aborted once the connection of this answer has closed. A client may end its side and still read (RFC
 * 9112 §9.6), which looks the same as a client that has gone; only sending tells them apart, because a closed
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
    // Nothing waits for a signal behind an answer that was given, and to abort one makes an error with a stack.
    if (!response.writableFinished) departure.abort();
  };
  if (response.closed || socket.destroyed) departure.abort();
  else {
    response.once('close', close);
    if (socket.readableEnded) ask();
    else socket.once('end', ask);
  }
  return departure.signal;
}
