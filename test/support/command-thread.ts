/** The thread in which `gardenHere` of commands.ts runs the command line, with streams and settings of its own for each command. */
import { registerHooks } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { parentPort } from 'node:worker_threads';
import type { Command } from './commands.ts';
import type { Run } from './garden.ts';
import { until } from './waiting.ts';

let count = 0;

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const isOfOneRun = /\/src\/(?:main\.ts$|cli\/)/.test(resolved.url);
    return isOfOneRun ? { ...resolved, url: `${resolved.url}?run=${count}` } : resolved;
  },
});

async function run({ args, env, input }: Command): Promise<Run> {
  const [stdout, stderr] = [collector(), collector()];
  const streams = {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  };
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  count++;
  await import('../../src/main.ts');
  await until(`nothing that keeps garden ${args.join(' ')} from ending`, () => keptAlive().length === 0);
  return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
}

/** Resources that would keep a process of the command alive. The port to the test would not. */
const keptAlive = () => process.getActiveResourcesInfo().filter((name) => name !== 'MessagePort');

function collector() {
  const chunks: Uint8Array[] = [];
  const stream = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

parentPort?.on('message', async (command: Command) => parentPort?.postMessage(await run(command)));
