/** Listening and stopping: an accepted request gets its answer, and no socket keeps the process alive. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** How long answers that are under way may take once the server is told to stop. */
const drainMs = 3_500;
const sweepMs = 50;

/** Listens; answers the address as a URL. Throws badSetting where the address cannot be had. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await app.listen({ host, port, listenTextResolver: (address) => `listening on ${address}` });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new AppError(
        'badSetting',
        `${host}:${port} is in use by another program; stop it, or choose another PORT.`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new AppError(
        'badSetting',
        `${host}:${port} cannot be listened on (${code}); choose another HOST or PORT.`,
      );
    }
    throw error;
  }
}

/** Remembers sockets, so that stopping can close those that no request is on. */
export function stopper(app: FastifyInstance): () => Promise<void> {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return async () => {
    const sweep = setInterval(() => {
      app.server.closeIdleConnections();
      // Node does not count a socket that never sent a byte as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, sweepMs);
    const hardStop = setTimeout(() => app.server.closeAllConnections(), drainMs);
    await app.close();
    clearInterval(sweep);
    clearTimeout(hardStop);
  };
}
