/** The files that pages load: our own and the interactive reference's. Each path changes with its bytes, so browsers may keep them for good. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Published } from './publish.ts';

const ownFolder = join(import.meta.dirname, 'assets');
const toolFolder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const { version } = JSON.parse(readFileSync(join(toolFolder, 'package.json'), 'utf8')) as { version: string };

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

export type AssetName = keyof typeof paths;

const paths = {
  'site.css': ownPath('site.css'),
  'try.css': ownPath('try.css'),
  'try.js': ownPath('try.js'),
  'icon.svg': ownPath('icon.svg'),
  'swagger-ui.css': toolPath('swagger-ui.css'),
  'swagger-ui-bundle.js': toolPath('swagger-ui-bundle.js'),
  // Its licenses ask to be handed on with it.
  'swagger-ui-bundle.js.LICENSE.txt': toolPath('swagger-ui-bundle.js.LICENSE.txt'),
  'LICENSE.txt': toolPath('LICENSE.txt'),
};

/** Where an asset is, below the base path. */
export function assetPath(name: AssetName): string {
  return paths[name];
}

export function assets(): [path: string, asset: Published][] {
  return Object.entries(paths).map(([name, path]) => [path, asset(name, path)]);
}

function asset(name: string, path: string): Published {
  const isOwn = !path.startsWith(toolPath(''));
  const file = isOwn ? join(ownFolder, name) : join(toolFolder, name === 'LICENSE.txt' ? 'LICENSE' : name);
  const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return { type, isImmutable: true, read: () => readFile(file) };
}

function ownPath(name: string): string {
  const bytes = readFileSync(join(ownFolder, name));
  return `/assets/${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}/${name}`;
}

/** The version is pinned exactly, so it stands for the bytes. */
function toolPath(name: string): string {
  return `/assets/swagger-ui-${version}/${name}`;
}
