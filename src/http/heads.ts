/**
 * Requests that are answered by their heads alone, without Node's parser and its request and response: whoever knows what a
 * head means, byte for byte, may take it. That saves more than half of a short answer.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { connectionsOf, type Line, lines, parse } from './line.ts';

/** Longer heads are always parsed. */
const offeredAtMost = 4096;

/** Whether somebody takes this head. */
export function offer(socket: Socket, line: Line, head: Buffer): boolean {
  const { connections } = line;
  if (!line.isBetween || !connections.take || head.length > offeredAtMost) return false;
  line.taken = head;
  line.unanswered++;
  connections.underWay++;
  if (connections.take(socket, head.toString('latin1'))) return true;
  line.taken = undefined;
  line.unanswered--;
  connections.underWay--;
  return false;
}

/** From now on nobody is asked about heads. */
export function parseAll(server: Server): void {
  const connections = connectionsOf.get(server);
  if (connections) connections.take = undefined;
}

/** The head of the request that a listener is just told of; undefined where it did not come alone. */
export function headOf({ socket }: IncomingMessage): string | undefined {
  const { parsing } = lines.get(socket) ?? {};
  return parsing && parsing.length <= offeredAtMost ? parsing.toString('latin1') : undefined;
}

/** Answers a request whose head was taken: with its own head in Latin-1, and with bytes behind it. */
export function answerHead(socket: Socket, head: string, bytes?: Buffer, onSent?: () => void): void {
  const line = lines.get(socket);
  if (!line) return;
  line.onSent = onSent;
  if (!socket.writable) {
    sent(socket, line);
    return;
  }
  line.isSending = true;
  const whenSent = () => sent(socket, line);
  if (!bytes) {
    socket.write(head, 'latin1', whenSent);
    return;
  }
  // Both in one call of the system.
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(bytes, whenSent);
  socket.uncork();
}

/** Has a request parsed after all whose head was taken: listeners are told of it before this returns, if its client is there. */
export function parseHead(socket: Socket): void {
  const line = lines.get(socket);
  if (!line?.taken) return;
  const head = line.taken;
  line.taken = undefined;
  line.unanswered--;
  line.connections.underWay--;
  if (socket.destroyed) return;
  line.isBetween = true;
  parse(socket, line, head, true);
  if (line.hasEnded && !line.ahead) line.finish.call(socket);
}

/** The answer to a head that was taken is with the system, or its client is gone. */
function sent(socket: Socket, line: Line): void {
  const { onSent } = line;
  line.taken = undefined;
  line.isSending = false;
  line.onSent = undefined;
  line.unanswered--;
  line.connections.underWay--;
  onSent?.();
  if (line.ahead) line.goOnSoon();
  else if (line.hasEnded && socket.writable) line.finish.call(socket);
}
