/** What the figures were taken on and with. */
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { cores, isPinning } from './cores.ts';
import { generator } from './load.ts';
import { programVersion, versionOf } from './targets.ts';

const packages = [
  'fastify',
  '@fastify/compress',
  'express',
  'compression',
  'hono',
  '@hono/node-server',
  'json-server',
  'better-sqlite3',
  'pg',
];

export interface Machine {
  date: string;
  cpu: string;
  cores: number;
  memoryGB: number;
  system: string;
  isPinning: boolean;
  /** Processes that wanted to run in the minute before: more than none disturb. */
  loadBefore: number;
  versions: Record<string, string>;
}

export function thisMachine(): Machine {
  const versions: Record<string, string> = { node: process.versions.node };
  for (const name of packages) versions[name] = versionOf(name);
  const note = (name: string, version: string | undefined) => {
    if (version) versions[name] = version;
  };
  note('nginx', programVersion('nginx', '-v'));
  note('gunicorn', programVersion('gunicorn', '--version'));
  note(generator, generator === 'wrk' ? programVersion('wrk', '-v') : versionOf('autocannon'));
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGB: Math.round(totalmem() / 1e9),
    system: `${platform()} ${release().split('-')[0]}`,
    isPinning,
    loadBefore: loadavg()[0] ?? Number.NaN,
    versions,
  };
}

/** The machine and what is installed on it, in a sentence each. */
export function machineText({ cpu, cores: count, memoryGB, system, isPinning, versions }: Machine): string {
  const placed = isPinning
    ? 'server and load on a core each'
    : 'server and load wherever the system puts them';
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${cpu}, ${count} cores, ${memoryGB} GB, ${system}; ${placed}. ${names.join(', ')}.`;
}

/** When it was measured, and what else went on. */
export const circumstances = ({ date, loadBefore }: Machine) =>
  `${date}, load average before ${loadBefore.toFixed(1)}`;
