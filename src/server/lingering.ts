/** Ending a connection so that its client can read the last answer. */
import type { Socket } from 'node:net';

/** How long what a client still sends is dropped. */
const lingerMs = 1000;

/**
 * Ends the sending side, and reads and drops what still arrives for a while: bytes that nobody read would turn the end into a
 * reset, which can take the answer with it before the client read it (RFC 9112 §9.6).
 */
export function endLingering(socket: Socket): void {
  if (!socket.writable || socket.readableEnded) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}
