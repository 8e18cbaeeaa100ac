/** One round of load on one server, by wrk or where it is absent by autocannon; a few slow requests by hand. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { type Ask, fetchRaw } from './client.ts';
import { type Place, placed } from './cores.ts';
import { runToEnd } from './lifecycle.ts';
import { nextText, type Shuffled } from './shuffled.ts';
import { median, percentile } from './statistics.ts';

/** Which generator there is. */
export const generator: 'wrk' | 'autocannon' =
  spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon';

/** What is asked: these in turn, DELETE of one number after another, or items of a catalogue in random order. */
export type Asked = { asks: readonly Ask[] } | { deletes: string; from: number } | { shuffled: Shuffled };

export interface Load {
  port: number;
  headers: Readonly<Record<string, string>>;
  asked: Asked;
  connections: number;
  /** Of the generator; each has its share of the connections. */
  threads?: number;
  seconds: number;
  place?: Place;
  /** For the generator's script. */
  folder: string;
}

export interface Round {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  bytesPerRequest: number;
}

/** What a generator prints. */
interface Told {
  requests: number;
  seconds: number;
  bytes: number;
  p50Ms: number;
  p99Ms: number;
  /** Connections that failed, timed out, or answers of 400 and more. */
  errors: number;
}

export async function loadRound(load: Load): Promise<Round> {
  return roundOf(generator === 'wrk' ? await byWrk(load) : await byAutocannon(load));
}

/** Each of these asks once, as fast as the connections go; `seconds` of the load is not looked at. */
export async function onceRound(load: Load): Promise<Round> {
  return roundOf(await byScript('once-round.ts', load));
}

/** A round of one large answer again and again; the last ones are waited for. */
export async function bulkRound(load: Load): Promise<Round> {
  return roundOf(await byScript('bulk-round.ts', load));
}

/** Throws where any request failed: a figure with refusals in it says nothing. */
function roundOf(told: Told): Round {
  if (told.errors > 0 || told.requests === 0) {
    throw new Error(`of ${told.requests} requests ${told.errors} failed`);
  }
  const { requests, seconds, bytes, p50Ms, p99Ms } = told;
  return { requests, perSecond: requests / seconds, p50Ms, p99Ms, bytesPerRequest: bytes / requests };
}

async function byWrk({ threads = 1, place = 'load', ...load }: Load): Promise<Told> {
  const script = join(load.folder, `load-${load.port}.lua`);
  await writeFile(script, luaOf(load.asked, load.headers));
  const url = `http://127.0.0.1:${load.port}/`;
  const { connections, seconds } = load;
  const flags = ['-t', threads, '-c', connections, '-d', `${seconds}s`, '--timeout', '30s', '-s', script];
  const [file, args] = placed('wrk', [...flags.map(String), url], place);
  const { stdout } = await runToEnd(file, args);
  const line = stdout.split('\n').find((text) => text.startsWith('{"requests"'));
  if (line === undefined) throw new Error(`wrk said: ${stdout}`);
  return JSON.parse(line) as Told;
}

const luaText = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
const luaHeaders = (headers: Readonly<Record<string, string>>) =>
  `{${Object.entries(headers)
    .map(([name, value]) => `[${luaText(name)}]=${luaText(value)}`)
    .join(',')}}`;

/** A request that is always the same is made once; else all are made before the round and taken in turn. */
function luaOf(asked: Asked, headers: Readonly<Record<string, string>>): string {
  const lines: string[] = [];
  if ('deletes' in asked) {
    lines.push(`local at, headers = ${asked.from} - 1, ${luaHeaders(headers)}`);
    lines.push('function request() at = at + 1');
    lines.push(`return wrk.format("DELETE", ${luaText(asked.deletes)} .. at, headers) end`);
  } else if ('shuffled' in asked) {
    const { path, count, seed } = asked.shuffled;
    lines.push(`local at, headers = ${seed}, ${luaHeaders(headers)}`);
    lines.push(`function request() repeat at = ${nextText} until at < ${count}`);
    lines.push(`return wrk.format("GET", ${luaText(path)} .. (at + 1) .. "/", headers) end`);
  } else if (asked.asks.length === 1) {
    const [{ path, headers: own = {} } = { path: '/' }] = asked.asks;
    lines.push(`wrk.path = ${luaText(path)}`, `wrk.headers = ${luaHeaders({ ...headers, ...own })}`);
  } else {
    lines.push('local at, made, asks = 0, {}, {');
    for (const { path, headers: own = {} } of asked.asks) {
      lines.push(`{${luaText(path)}, ${luaHeaders({ ...headers, ...own })}},`);
    }
    lines.push('}', 'function init() for i, ask in ipairs(asks) do');
    lines.push('made[i] = wrk.format("GET", ask[1], ask[2]) end end');
    lines.push('function request() at = at % #made + 1 return made[at] end');
  }
  return [...lines, luaReport].join('\n');
}

const luaReport = `
function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"bytes":%d,"p50Ms":%.4f,"p99Ms":%.4f,"errors":%d}\\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;

const byAutocannon = (load: Load) => byScript('autocannon-round.ts', load);

async function byScript(script: string, load: Load): Promise<Told> {
  const file = join(load.folder, `load-${load.port}.json`);
  await writeFile(file, JSON.stringify(load));
  const path = join(import.meta.dirname, script);
  const [command, args] = placed(process.execPath, [path, file], load.place ?? 'load');
  const { stdout } = await runToEnd(command, args);
  return JSON.parse(stdout) as Told;
}

/**
 * A round of so many requests over so many connections, timed to the last answer. For answers that take longer than a
 * fraction of a round: a generator that stops by the clock does not count what is on its way.
 */
export async function countedRound(load: Load, asks: readonly Ask[], requests: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const times: number[] = [];
  let bytes = 0;
  let left = requests;
  const begin = performance.now();
  const client = async () => {
    while (left > 0) {
      const { path, headers } = asks[left-- % asks.length] ?? { path: '/' };
      const answer = await fetchRaw(load.port, { path, headers: { ...load.headers, ...headers } }, agent);
      if (answer.status >= 400) throw new Error(`${path} was answered with ${answer.status}`);
      times.push(answer.ms);
      bytes += answer.body.length;
    }
  };
  await Promise.all(Array.from({ length: load.connections }, client));
  const seconds = (performance.now() - begin) / 1000;
  agent.destroy();
  return {
    requests,
    perSecond: requests / seconds,
    p50Ms: median(times),
    p99Ms: percentile(times, 0.99),
    bytesPerRequest: bytes / requests,
  };
}
