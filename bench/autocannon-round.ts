/** One round of load by autocannon, where there is no wrk; run as a process of its own on the load's core. */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { Load } from './load.ts';
import { shuffledIds } from './shuffled.ts';

const load = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Load;
const { asked, headers, connections, port, seconds } = load;
let next = 'deletes' in asked ? asked.from : 0;
const ids = 'shuffled' in asked ? shuffledIds(asked.shuffled) : undefined;
const path = 'shuffled' in asked ? asked.shuffled.path : '';
const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  timeout: 30,
  requests:
    'shuffled' in asked
      ? [
          {
            method: 'GET',
            headers,
            setupRequest: (ask) => ({ ...ask, path: `${path}${ids?.next().value}/` }),
          },
        ]
      : 'deletes' in asked
        ? [{ method: 'DELETE', headers, setupRequest: (ask) => ({ ...ask, path: asked.deletes + next++ }) }]
        : asked.asks.map(({ path, headers: own }) => ({
            method: 'GET',
            path,
            headers: { ...headers, ...own },
          })),
});
const failed = result.errors + result.timeouts + result['4xx'] + result['5xx'];
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    seconds: result.duration,
    bytes: result.throughput.total,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: failed,
  }),
);
