/**
 * The files that pages load: our own and those of Swagger UI. A path changes with its bytes, so browsers may keep a
 * file for good.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import release from 'swagger-ui-dist/package.json' with { type: 'json' };
import type { Publication, Published } from '../road/publish.ts';
import { pageStyle } from './palette.ts';

const own = join(import.meta.dirname, '..', 'assets');
const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Sheets that the program writes. */
const written = { 'plants.css': pageStyle } as const;

const files = {
  'site.css': join(own, 'site.css'),
  'contests.css': join(own, 'contests.css'),
  'rounds.css': join(own, 'rounds.css'),
  'upcoming.css': join(own, 'upcoming.css'),
  'review.css': join(own, 'review.css'),
  'pictures.css': join(own, 'pictures.css'),
  'garden.css': join(own, 'garden.css'),
  'sign-in.css': join(own, 'sign-in.css'),
  'site.js': join(own, 'site.js'),
  'timer.js': join(own, 'timer.js'),
  'ratings.css': join(own, 'ratings.css'),
  'today.css': join(own, 'today.css'),
  'timer.css': join(own, 'timer.css'),
  'prose.css': join(own, 'prose.css'),
  'welcome.css': join(own, 'welcome.css'),
  'passkey.js': join(own, 'passkey.js'),
  'zone.js': join(own, 'zone.js'),
  'browser-sync.js': join(own, 'browser-sync.js'),
  'lists.css': join(own, 'lists.css'),
  'groups.css': join(own, 'groups.css'),
  'seasons.css': join(own, 'seasons.css'),
  'members.css': join(own, 'members.css'),
  'reminders.css': join(own, 'reminders.css'),
  'inbox.css': join(own, 'inbox.css'),
  'staff.css': join(own, 'staff.css'),
  'try.css': join(own, 'try.css'),
  'try.js': join(own, 'try.js'),
  'icon.svg': join(own, 'icon.svg'),
  'icon-180.png': join(own, 'icon-180.png'),
  'icon-192.png': join(own, 'icon-192.png'),
  'icon-512.png': join(own, 'icon-512.png'),
  'icon-maskable-512.png': join(own, 'icon-maskable-512.png'),
  'swagger-ui.css': join(swaggerUi, 'swagger-ui.css'),
  'swagger-ui-bundle.js': join(swaggerUi, 'swagger-ui-bundle.js'),
  // Its licenses ask to be handed on with it.
  'swagger-ui-bundle.js.LICENSE.txt': join(swaggerUi, 'swagger-ui-bundle.js.LICENSE.txt'),
  'LICENSE.txt': join(swaggerUi, 'LICENSE'),
};

export type AssetName = keyof typeof files | keyof typeof written;

const all: readonly (readonly [name: string, digested: () => string | Buffer, read: Published['read']])[] = [
  ...Object.entries(files).map(([name, file]) => {
    // A release of the tool never changes, so its two megabytes are not read at every start.
    const digested = () => (file.startsWith(own) ? readFileSync(file) : `${name} ${release.version}`);
    return [name, digested, () => bytesOf(file)] as const;
  }),
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

/** Our own style without comments and indents, which are an eighth of what is sent. */
async function bytesOf(file: string): Promise<string | Buffer> {
  const bytes = await readFile(file);
  return file.startsWith(own) && file.endsWith('.css')
    ? bytes.toString().replace(/\/\*[\s\S]*?\*\/|^\s+/gm, '')
    : bytes;
}
