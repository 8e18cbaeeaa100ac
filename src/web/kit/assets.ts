/** The files that pages load. A path changes with its bytes, so browsers may keep a file for good. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Publication, Published } from '../road/publish.ts';
import { pageStyle } from './palette.ts';

const own = join(import.meta.dirname, '..', 'assets');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Sheets that the program writes. */
const written = { 'plants.css': pageStyle } as const;

const ownFiles = [
  ...(['site.css', 'contests.css', 'rounds.css', 'upcoming.css', 'review.css', 'pictures.css', 'garden.css'] as const),
  ...(['sign-in.css', 'ratings.css', 'today.css', 'timer.css', 'prose.css', 'welcome.css', 'lists.css'] as const),
  ...(['groups.css', 'seasons.css', 'members.css', 'reminders.css', 'inbox.css', 'staff.css'] as const),
  ...(['site.js', 'timer.js', 'passkey.js', 'zone.js', 'browser-sync.js', 'try.js'] as const),
  ...(['icon.svg', 'icon-180.png', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png'] as const),
];

export type AssetName = (typeof ownFiles)[number] | keyof typeof written;

const all: readonly (readonly [name: string, digested: () => string | Buffer, read: Published['read']])[] = [
  ...ownFiles.map((name) => [name, () => readFileSync(join(own, name)), () => bytesOf(join(own, name))] as const),
  ...Object.entries(written).map(([name, write]) => [name, write, async () => write()] as const),
];

/** The path of each asset, below the base path. */
export const assetPaths = Object.fromEntries(
  all.map(([name, digested]) => [name, `/assets/${hash('sha256', digested()).slice(0, 12)}/${name}`]),
) as Record<AssetName, string>;

export const assets = all.map(
  ([name, , read]): Publication => [
    assetPaths[name as AssetName],
    { type: types[extname(name)] ?? '', isImmutable: true, read },
  ],
);

/** Style without comments and indents, which are an eighth of what is sent. */
async function bytesOf(file: string): Promise<string | Buffer> {
  const bytes = await readFile(file);
  return file.endsWith('.css') ? bytes.toString().replace(/\/\*[\s\S]*?\*\/|^\s+/gm, '') : bytes;
}
