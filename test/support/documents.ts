/** The commands of the documents, for tests that run them as they stand there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './garden.ts';

export interface Block {
  place: string;
  language: string;
  text: string;
}

export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

export function blocksOf(path: string): Block[] {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks: Block[] = [];
  let anchor = '';
  for (const [, heading, language = '', block = ''] of text.matchAll(/^#+ ([^\n]+)$|^```(\w*)\n(.*?)^```$/gms)) {
    if (heading !== undefined) anchor = anchorOf(heading);
    else blocks.push({ place: `${path}#${anchor}`, language, text: block });
  }
  return blocks;
}

export const shellBlocksOf = (path: string) => blocksOf(path).filter(({ language }) => language === 'sh');

export function commandsOf(block: string): string[] {
  const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
  const commands = lines.filter((line) => !line.startsWith('#')).flatMap((line) => line.split(' && '));
  return commands.map((command) => command.trim()).filter((command) => command !== '');
}
