/** The files that pages load: our own and the interactive reference's. Each path changes with its bytes, so browsers may keep them for good. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Published } from './publish.ts';

const own = join(import.meta.dirname, 'assets');
const tool = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

const files = {
  'site.css': join(own, 'site.css'),
  'try.css': join(own, 'try.css'),
  'try.js': join(own, 'try.js'),
  'icon.svg': join(own, 'icon.svg'),
  'swagger-ui.css': join(tool, 'swagger-ui.css'),
  'swagger-ui-bundle.js': join(tool, 'swagger-ui-bundle.js'),
  // Its licenses ask to be handed on with it.
  'swagger-ui-bundle.js.LICENSE.txt': join(tool, 'swagger-ui-bundle.js.LICENSE.txt'),
  'LICENSE.txt': join(tool, 'LICENSE'),
};

export type AssetName = keyof typeof files;

const paths = new Map(
  Object.entries(files).map(([name, file]) => {
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
    return [name, `/assets/${digest}/${name}`];
  }),
);

/** Where an asset is, below the base path. */
export function assetPath(name: AssetName): string {
  return paths.get(name) ?? '';
}

export function assets(): [path: string, asset: Published][] {
  return Object.entries(files).map(([name, file]) => [
    assetPath(name as AssetName),
    { type: types[extname(name)] ?? '', isImmutable: true, read: () => readFile(file) },
  ]);
}
