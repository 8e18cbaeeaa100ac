/** Connections without an HTTP client, for tests that say byte by byte what is sent and when. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A reset is no error here: the test looks at what has arrived. */
export function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port), noDelay: true }).on('error', () => {});
}

export async function openSocket(url: string, bytes = ''): Promise<Socket> {
  const socket = connectTo(url);
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

export async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += chunk;
  return text;
}
