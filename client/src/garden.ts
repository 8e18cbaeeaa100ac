#!/usr/bin/env node
/** The command of this package: finds the command of the arguments, runs it, and says how it ended. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { accountOf, readAccount, removeAccount, storeAccount } from './account.ts';
import { bridge } from './bridge.ts';
import { type Command, practiceCommands, practiceOf, type Values } from './commands.ts';
import { listen } from './companion.ts';
import { openQueue } from './queue.ts';
import { command, failure, jsonLine, readUsage, say, warn } from './usage.ts';

const usualPort = 10043;

const otherCommands: Readonly<Record<string, Command<unknown>>> = {
  'sign-in URL': {
    about:
      'Reads a token from the terminal or the standard input, and stores it with the address of your garden. Create it in the garden under Settings, Connections.',
    example: 'sign-in https://garden.example',
    run: async (_, [address = '']) => {
      const account = accountOf(address, await readToken());
      const value = await practiceOf(account).call('/me');
      const { username, token } = value;
      const until = token.expires_at?.slice(0, 10) ?? 'you revoke it';
      const place = storeAccount(account);
      const line = `You are ${username} (${token.scopes.join(', ')}) until ${until}. The token is in ${place}.`;
      return [value, line];
    },
  },
  'sign-out': {
    about: 'Removes the token from this computer. Revoke it in the garden under Settings, Connections.',
    run: async () => {
      const url = removeAccount();
      return [{ url }, url ? `Signed out of ${url}.` : 'You were not signed in.'];
    },
  },
  mcp: {
    about: 'Connects a program that speaks MCP over stdio to your garden. Such a program starts it.',
    run: async () => void (await bridge(readAccount())),
  },
  'companion [--inbox URL] [--port N] [--file PATH]': {
    about:
      'Sends what the browser extension Competitive Companion reads to your inbox. The address is on the Inbox page of your garden, and GARDEN_INBOX may have it.',
    example: 'companion --inbox https://garden.example/inbox/…/',
    run: async (_, __, values) => void (await companion(values)),
  },
};

/** On a terminal, what is typed is not shown. */
async function readToken(): Promise<string> {
  const { stdin, stderr } = process;
  const output = new Writable({ write: (_chunk, _encoding, next) => next() });
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY });
  if (stdin.isTTY) stderr.write('Token (hidden): ');
  const line = await new Promise<string>((done) => lines.once('line', done).once('close', () => done('')));
  lines.close();
  if (stdin.isTTY) stderr.write('\n');
  return line.trim();
}

function companionOptions(values: Values) {
  const inbox = String(values['inbox'] ?? process.env['GARDEN_INBOX'] ?? '');
  const url = URL.canParse(inbox) ? new URL(inbox) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || !/\/inbox\/[\w-]{43}\/?$/.test(url.pathname))
    throw failure(
      2,
      'The inbox address is missing or incomplete: copy it from the Inbox page of your garden to --inbox or GARDEN_INBOX.',
    );
  const port = Number(values['port'] ?? usualPort);
  if (port < 1 || port > 65535) throw failure(2, 'The port must be a number from 1 to 65535.');
  return { inbox: url.href, port, file: String(values['file'] ?? usualFile()) };
}

function usualFile(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const own = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(own || join(homedir(), '.local', 'state'), 'practice-garden', 'companion.json');
}

async function companion(values: Values): Promise<void> {
  const options = companionOptions(values);
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
      warn(`${sentence} What was not sent stays in ${options.file}.`);
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
    throw failure(
      2,
      `Port ${port} is used by another program; choose another with --port, and add it to the ports of the extension.`,
    );
  } finally {
    await queue.close();
  }
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

async function run([name = '', ...args]: string[]): Promise<void> {
  const commands: Readonly<Record<string, Command<never>>> = { ...practiceCommands, ...otherCommands };
  const usages = Object.keys(commands);
  if (['--help', '-h'].includes(name))
    return print(`Usage: ${command} COMMAND [--json]

${usages.map((usage) => `  ${command} ${usage}`).join('\n')}

${command} COMMAND --help has examples. GARDEN_URL and GARDEN_TOKEN replace sign-in. Exit codes: 0 done,
1 the garden refused, 2 wrong usage, 3 the garden cannot be reached.`);
  const usage = usages.find((one) => one.split(' ')[0] === name) ?? '';
  const { about, example } = commands[usage] ?? {};
  if (about === undefined)
    throw failure(
      2,
      `${name ? `There is no command "${name}".` : 'The command is missing.'} See: ${command} --help`,
    );
  const { values, positionals } = readUsage(usage, args);
  if (values['help'])
    return print(`Usage: ${command} ${usage}\n\n${about}\n\n  ${command} ${example ?? name}`);
  const result = practiceCommands[usage]
    ? await practiceCommands[usage].run(practiceOf(readAccount()), positionals, values)
    : await otherCommands[usage]?.run(undefined, positionals, values);
  if (!result) return;
  const [value, ...lines] = result;
  if (values['json']) return print(jsonLine(value));
  for (const line of lines) say(line);
  if ('change' in value && value.change !== null) say(`Undo it with: ${command} undo`);
}

// The program that reads the output has ended.
process.stdout.on('error', () => process.exit());

const args = process.argv.slice(2);
run(args).catch(({ message, error, exitCode = 1 }) => {
  if (args.includes('--json')) process.stderr.write(`${jsonLine({ error, message })}\n`);
  else warn(message);
  process.exitCode = exitCode;
});
