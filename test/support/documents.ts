/** The commands of the documents, for tests that run them as they stand there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './garden.ts';

export interface ShellBlock {
  place: string;
  text: string;
}

export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

export function shellBlocksOf(path: string): ShellBlock[] {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks: ShellBlock[] = [];
  let anchor = '';
  for (const [, heading, language, block = ''] of text.matchAll(/^#+ ([^\n]+)$|^```(\w*)\n(.*?)^```$/gms)) {
    if (heading !== undefined) anchor = anchorOf(heading);
    else if (language === 'sh') blocks.push({ place: `${path}#${anchor}`, text: block });
  }
  return blocks;
}

export function commandsOf(block: string): string[] {
  const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
  const commands = lines.filter((line) => !line.startsWith('#')).flatMap((line) => line.split(' && '));
  return commands.map((command) => command.trim()).filter((command) => command !== '');
}
