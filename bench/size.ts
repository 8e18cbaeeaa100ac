/** Whether one problem of a million costs more to read than one of a thousand; and what importing them costs. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  garden,
  grouped,
  importCatalogue,
  inTemporaryFolder,
  median,
  type Server,
  say,
  serve,
  writeCatalogue,
} from './support.ts';

const smallSize = 1000;
const rounds = 15;
const warmUps = 3;
const loads = [
  { connections: 1, requests: 1500 },
  { connections: 16, requests: 4000 },
] as const;

interface Side {
  size: number;
  server: Server;
  token: string;
  /** For each load, microseconds a request, one figure a round. */
  micros: number[][];
}

export async function benchSize(largeSize: number): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const sides: Side[] = [];
    try {
      for (const size of [smallSize, largeSize]) sides.push(await prepare(folder, size));
      for (let round = 0; round < warmUps + rounds; round++) {
        for (const side of sides) {
          for (const [place, { connections, requests }] of loads.entries()) {
            const micros = await ask(side, connections, requests);
            if (round >= warmUps) side.micros[place]?.push(micros);
          }
        }
      }
    } finally {
      for (const { server } of sides) await server.stop();
    }
    report(sides);
  });
}

async function prepare(folder: string, size: number): Promise<Side> {
  const file = join(folder, `${size}.json`);
  const databaseUrl = `sqlite:${join(folder, `${size}.db`)}`;
  await writeCatalogue(file, size);
  const { seconds, rowsPerSecond, peakMiB } = await importCatalogue(file, databaseUrl);
  say(
    `import of ${grouped(size)}: ${seconds} s, ${grouped(rowsPerSecond)} rows/s, peak ${grouped(peakMiB)} MiB`,
  );
  await garden(['member', 'create', 'bench'], databaseUrl);
  const made = await garden(['token', 'create', 'bench', '--name', 'bench', '--json'], databaseUrl);
  const { token } = JSON.parse(made.stdout) as { token: string };
  return { size, server: await serve(databaseUrl), token, micros: loads.map(() => []) };
}

function report(sides: readonly Side[]): void {
  say(`GET /problem_list/api/problems/7/, median of ${rounds} rounds in turn, µs a request`);
  for (const [place, { connections, requests }] of loads.entries()) {
    const [small = Number.NaN, large = Number.NaN] = sides.map(({ micros }) => median(micros[place] ?? []));
    const spoken = sides.map(({ size }, at) => `${grouped(size)}: ${(at === 0 ? small : large).toFixed(1)}`);
    const name = connections === 1 ? '1 connection' : `${connections} connections`;
    say(`  ${name}, ${requests} a round: ${spoken.join(', ')}, ratio ${(large / small).toFixed(3)}`);
  }
}

/** Sends the requests over so many kept connections; answers the microseconds from first to last, for each request. */
async function ask({ server, token }: Side, connections: number, requests: number): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => dial(server.port)));
  const request = [
    'GET /problem_list/api/problems/7/ HTTP/1.1',
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${token}`,
    '\r\n',
  ].join('\r\n');
  let left = requests;
  const begin = performance.now();
  await Promise.all(sockets.map((socket) => exchange(socket, request, () => left-- > 0)));
  const micros = ((performance.now() - begin) * 1000) / requests;
  for (const socket of sockets) socket.destroy();
  return micros;
}

async function dial(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** One request after another, for as long as there are more; a bare socket costs less than what is measured. */
function exchange(socket: Socket, request: string, hasMore: () => boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let received = '';
  const next = () => {
    received = '';
    if (hasMore()) socket.write(request);
    else resolve();
  };
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    const headEnd = received.indexOf('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(received)?.[1];
    if (headEnd < 0 || received.length < headEnd + 4 + Number(length)) return;
    if (received.startsWith('HTTP/1.1 200 ')) next();
    else reject(new Error(received));
  });
  socket.on('error', reject);
  next();
  return promise;
}
