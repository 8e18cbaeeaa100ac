/** Who is measured: our server, the ceilings of runtime and machine, and the peers; how each is started, and what it cannot do. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Data } from './data.ts';
import { gardenServer } from './garden.ts';
import type { Command } from './lifecycle.ts';
import { nginxCommand } from './nginx.ts';

/** What a target is asked for, as far as not every one can do it. */
export type Subject =
  | 'item'
  | 'collection'
  | 'collection-gzip'
  | 'item-304'
  | 'collection-304'
  | 'page'
  | 'statuses'
  | 'mixed'
  | 'first-read'
  | 'delete'
  | 'cold-item'
  | 'cold-statuses'
  | 'cold-start'
  | 'memory';

/** What a sender of fixed bytes sends; everybody else decides by the request. With `anyItem` it has one body for all items. */
export type Variant = 'identity' | 'gzip' | 'notModified' | 'anyItem';

export interface Setting {
  data: Data;
  port: number;
  variant: Variant;
  /** A copy of the database of its own. */
  file: string;
  /** More than one for those only that can have more. */
  processes: number;
}

export interface Target {
  name: string;
  title: string;
  /** Whose database it runs on, if any. */
  database: 'garden' | 'peers' | undefined;
  lacks: Partial<Record<Subject, string>>;
  /** What is not installed here; undefined where nothing is missing. */
  missing?(): string | undefined;
  command(setting: Setting): Command;
}

const peersFolder = join(import.meta.dirname, 'peers');
const fixed = 'it sends fixed bytes';
const onlySingle = 'it answers items, the collection, own statuses and deletions alone';
const inMemory = 'it holds its rows in memory';

/** The flags of V8 that bin/garden and src/server/serve.ts set: every server on Node has them, so that programs are compared. */
const v8Flags = [
  '--max-semi-space-size=4',
  '--max-old-space-size=512',
  '--no-allocation-site-pretenuring',
] as const;

/** The installed version of a package, or of the program that prints one. */
export function versionOf(name: string): string {
  const path = join(import.meta.dirname, '..', 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

export function programVersion(program: string, flag: string): string | undefined {
  const { error, stdout, stderr } = spawnSync(program, [flag], { encoding: 'utf8' });
  return error ? undefined : (/\d+(?:\.\d+)+/.exec(stdout + stderr)?.[0] ?? '');
}

export const nodeServer = (script: string, ...args: (string | number)[]): Command => ({
  command: process.execPath,
  args: [...v8Flags, join(peersFolder, script), ...args.map(String)],
  env: { NODE_ENV: 'production' },
});

const nodePeer = (name: string, title: string, lacks: Target['lacks'] = {}): Target => ({
  name,
  title,
  database: 'peers',
  lacks,
  command: ({ port, file }) => nodeServer(`${name}.ts`, port, file),
});

export const targets: readonly Target[] = [
  {
    name: 'garden',
    title: 'Practice Garden',
    database: 'garden',
    lacks: {},
    command: ({ port, file, processes }) => gardenServer(`sqlite:${file}`, port, processes),
  },
  {
    name: 'bare',
    title: 'bare node:http, fixed buffers',
    database: undefined,
    lacks: { 'first-read': fixed, delete: fixed },
    command: ({ port, data, variant, processes }) =>
      nodeServer('bare.ts', port, data.answersFile, variant, processes),
  },
  {
    name: 'nginx',
    title: 'nginx, static files',
    database: undefined,
    lacks: { 'first-read': fixed, delete: fixed, 'cold-item': fixed, 'cold-statuses': fixed },
    missing: () => (programVersion('nginx', '-v') === undefined ? 'nginx is not installed' : undefined),
    command: nginxCommand,
  },
  {
    ...nodePeer('least', 'the least that our contract allows', {
      page: onlySingle,
      mixed: onlySingle,
      'first-read': onlySingle,
      'cold-start': onlySingle,
      memory: onlySingle,
    }),
    database: 'garden',
    command: ({ port, file, processes }) => nodeServer('least.ts', port, file, processes),
  },
  nodePeer('fastify', 'Fastify + better-sqlite3'),
  nodePeer('express', 'Express + better-sqlite3'),
  nodePeer('hono', 'Hono + better-sqlite3'),
  nodePeer('json-server', 'json-server', {
    page: 'it cannot join a problem with the member’s status',
    mixed: 'it cannot answer the pages in it',
    memory: 'it cannot answer the pages in the mixed load',
    'first-read': inMemory,
    'cold-item': inMemory,
    'cold-statuses': inMemory,
    delete: 'it rewrites its whole file and does not sync it',
  }),
  {
    name: 'drf',
    title: 'Django REST framework, gunicorn with 2 workers',
    database: 'peers',
    lacks: {},
    missing: () =>
      programVersion('gunicorn', '--version') === undefined ? 'gunicorn is not installed' : undefined,
    command: ({ port, file }) => ({
      command: 'gunicorn',
      args: [
        ...['--workers', '2', '--worker-class', 'gthread', '--threads', '4', '--keep-alive', '75'],
        ...['--bind', `127.0.0.1:${port}`, '--pythonpath', peersFolder, 'drf:application'],
      ],
      env: { PEER_DATABASE: file, PYTHONDONTWRITEBYTECODE: '1' },
    }),
  },
];
