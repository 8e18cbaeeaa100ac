/** Writes a folder as a tar whose bytes depend on nothing but its files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Refusal } from './programs.ts';

/** GNU tar puts everything in order; neither it nor zlib writes when, by whom or with which rights the files were made. */
export async function writeArchive(file: string, folder: string, madeAt: Date): Promise<void> {
  const same = ['--format=gnu', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go+r-w,a+X'];
  const args = ['-c', ...same, `--mtime=@${madeAt.getTime() / 1000}`, '-C', dirname(folder), basename(folder)];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LC_ALL: 'C' } });
  const ended = once(tar, 'close');
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file));
  const [code] = await ended;
  if (code !== 0) throw new Refusal(`tar ended with ${code}; it has to be GNU tar.`);
}
