/** The files that pages load. A path contains the hash of its bytes, so browsers may cache a file for good. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { StaticResource, StaticRoute } from '../request/static-routes.ts';
import { pageStyle } from './palette.ts';

const folder = join(import.meta.dirname, '..', 'assets');

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

const generated = { 'plants.css': pageStyle } as const;

const staticFiles = [
  ...(['site.css', 'contests.css', 'rounds.css', 'upcoming.css', 'review.css', 'pictures.css', 'garden.css'] as const),
  ...(['sign-in.css', 'ratings.css', 'today.css', 'timer.css', 'prose.css', 'welcome.css', 'lists.css'] as const),
  ...([
    'groups.css',
    'seasons.css',
    'members.css',
    'reminders.css',
    'inbox.css',
    'connections.css',
    'staff.css',
  ] as const),
  ...(['site.js', 'timer.js', 'follow.js', 'passkey.js', 'zone.js', 'browser-sync.js', 'try.js'] as const),
  ...(['icon.svg', 'icon-180.png', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png'] as const),
];

export type AssetName = (typeof staticFiles)[number] | keyof typeof generated;

const allAssets: readonly (readonly [
  name: string,
  readForHash: () => string | Buffer,
  read: StaticResource['read'],
])[] = [
  ...staticFiles.map(
    (name) => [name, () => readFileSync(join(folder, name)), () => readAsset(join(folder, name))] as const,
  ),
  ...Object.entries(generated).map(([name, write]) => [name, write, async () => write()] as const),
];

export const assetPaths = Object.fromEntries(
  allAssets.map(([name, readForHash]) => [name, `/assets/${hash('sha256', readForHash()).slice(0, 12)}/${name}`]),
) as Record<AssetName, string>;

export const assets = allAssets.map(
  ([name, , read]): StaticRoute => [
    assetPaths[name as AssetName],
    { type: contentTypes[extname(name)] ?? '', isImmutable: true, read },
  ],
);

/** Removes comments on lines of their own, and indents: an eighth of a style sheet, and more of a script. */
async function readAsset(file: string): Promise<string | Buffer> {
  const bytes = await readFile(file);
  if (!/\.(?:css|js)$/.test(file)) return bytes;
  return bytes.toString().replace(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*|^\s+/gm, '');
}
