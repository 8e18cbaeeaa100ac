#!/usr/bin/env node
/** The command of this package: `garden companion`. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listen } from './companion.ts';
import { openQueue } from './queue.ts';

const usage = `Usage: garden companion --inbox URL [--port N] [--file PATH]

Sends what the browser extension Competitive Companion reads to your inbox.

  --inbox URL   the address from the Inbox page of your garden (or GARDEN_INBOX)
  --port N      the port to listen on, one that the extension sends to (10043)
  --file PATH   where problems wait while the garden cannot be reached

Ends with Ctrl+C.
`;

const usualPort = 10043;
const wrongUsage = 2;

const say = (line: string) => void process.stdout.write(`${line}\n`);

class WrongUsage extends Error {}

function optionsIn(args: string[]) {
  const { values, positionals } = parsed(args);
  if (values.help) return undefined;
  if (positionals.length !== 1 || positionals[0] !== 'companion')
    throw new WrongUsage('The only command is companion; see garden --help.');
  const inbox = values.inbox ?? process.env['GARDEN_INBOX'] ?? '';
  const url = URL.canParse(inbox) ? new URL(inbox) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || !/\/inbox\/[\w-]{43}\/?$/.test(url.pathname))
    throw new WrongUsage(
      'The inbox address is missing or incomplete: copy it from the Inbox page of your garden to --inbox or GARDEN_INBOX.',
    );
  const port = values.port === undefined ? usualPort : Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new WrongUsage('The port must be a number from 1 to 65535.');
  return { inbox: url.href, port, file: values.file ?? usualFile() };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        inbox: { type: 'string' },
        port: { type: 'string' },
        file: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new WrongUsage(`${(error as Error).message} See garden --help.`);
  }
}

function usualFile(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const own = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(own || join(homedir(), '.local', 'state'), 'practice-garden', 'companion.json');
}

async function run(args: string[]): Promise<void> {
  const options = optionsIn(args);
  if (!options) {
    process.stdout.write(usage);
    return;
  }
  const { port } = options;
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((done) => {
    end = done;
  });
  // Before the port, so that a signal during the start ends cleanly too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(0));
  const queue = await openQueue({
    ...options,
    say,
    onDeadAddress: (sentence) => {
      process.stderr.write(`garden: ${sentence} What was not sent stays in ${options.file}.\n`);
      end(1);
    },
  });
  try {
    const { addresses, close } = await listen(port, queue.add);
    say(`listening on ${addresses.join(' and ')}`);
    process.exitCode = await ended;
    await close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new WrongUsage(
      `Port ${port} is used by another program; choose another with --port, and add it to the ports of the extension.`,
    );
  } finally {
    await queue.close();
  }
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`garden: ${(error as Error).message}\n`);
  process.exitCode = error instanceof WrongUsage ? wrongUsage : 1;
});
