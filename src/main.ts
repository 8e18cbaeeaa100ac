/** The entry point: the table of commands, and errors. */
import { Command, CommanderError } from 'commander';
import release from '../package.json' with { type: 'json' };
import { isDebugging } from './config.ts';
import { AppError, invalidValue } from './errors.ts';

/** Only the module of the called command is loaded. */
const commands: Readonly<Record<string, [help: string, load: () => Promise<{ command: Command }>]>> = {
  serve: ['Run the server', () => import('./cli/serve.ts')],
  import: ['Import a file', () => import('./cli/import.ts')],
  export: ['Export a resource', () => import('./cli/export.ts')],
  member: ['Create, list, rename, disable and delete members', () => import('./cli/member.ts')],
  token: ['Create, list and revoke tokens', () => import('./cli/token.ts')],
  handle: ['Link, rename, list and unlink handles', () => import('./cli/handle.ts')],
  sync: ['Import submissions from judges', () => import('./cli/sync.ts')],
  plant: ['Add, list and remove plants (goals)', () => import('./cli/plant.ts')],
  sample: ['Load or remove the sample', () => import('./cli/sample.ts')],
  migrate: ['Update the database schema', () => import('./cli/migrate.ts')],
  copy: ['Copy a whole database', () => import('./cli/copy.ts')],
  backup: ['Write a backup', () => import('./cli/backup.ts')],
  restore: ['Check a backup and restore it', () => import('./cli/restore.ts')],
  config: ['Show every setting', () => import('./cli/config.ts')],
  openapi: ['Print the OpenAPI document', () => import('./cli/openapi.ts')],
  words: ['Check translations of the pages', () => import('./cli/words.ts')],
  doctor: ['Find problems in the setup', () => import('./cli/doctor.ts')],
};

const args = process.argv.slice(2);
const isWrongHelp = args[0] === 'help' && args[1] !== undefined && !Object.hasOwn(commands, args[1]);
const asJson = args.includes('--json');
const program = new Command('garden');
let failing = program;

async function main(): Promise<void> {
  program
    .description('Practice Garden: a self-hosted practice tracker for competitive programmers.')
    .version(release.version)
    .addHelpText(
      'after',
      '\nEvery command takes --help. To start: npm start, or garden serve.\nThe website says solved, trying, star and topic where the API and files say\ncomplete, practicing, bookmark and tag.',
    );
  const calledName = args[0] === 'help' ? args[1] : args[0];
  // The help and "did you mean" need the names of all commands.
  for (const [name, [help, load]] of Object.entries(commands)) {
    program.addCommand(name === calledName ? (await load()).command : new Command(name).description(help));
  }
  for (const command of everyCommand(program)) {
    command.showHelpAfterError(`(${pathOf(command)} --help shows its arguments)`).exitOverride((error) => {
      failing = command;
      throw error;
    });
    if (asJson) command.configureOutput({ writeErr: () => {}, outputError: () => {} });
  }
  program.showHelpAfterError('(garden --help lists the commands)');
  if (args.length === 0) program.outputHelp();
  // Commander would print the whole help for a wrong name.
  else await program.parseAsync(isWrongHelp ? args.slice(1) : args, { from: 'user' });
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** Such as "garden member create". */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A server goes on when its output has no reader or its disk is full.
    if (args[0] === 'serve') return;
    // A reader such as head may close the pipe early, but an interrupted import or sync has failed.
    if (error.code === 'EPIPE') process.exit(['import', 'sync'].includes(args[0] ?? '') ? 1 : 0);
    if (stream === process.stdout)
      process.stderr.write(
        `garden: The output cannot be written (${error.code}); free some space, or write it to another place.\n`,
      );
    process.exit(1);
  });
}

try {
  await main();
} catch (error) {
  process.exitCode = await reportError(error);
  // The channel to the primary process would keep a worker alive.
  if (process.connected) process.exit();
}

async function reportError(error: unknown): Promise<number> {
  const isWrongUsage = error instanceof CommanderError;
  // --help and --version end here too. Without --json commander has printed the error already.
  if (isWrongUsage && error.exitCode === 0) return 0;
  if (isWrongUsage && !asJson) return 2;
  const { exitCodeOf } = await import('./cli/terminal.ts');
  const appError = isWrongUsage
    ? wrongUsage(error)
    : error instanceof AppError
      ? error
      : unexpectedError(error);
  const { number, message } = appError;
  process.stderr.write(asJson ? `${JSON.stringify({ error: number, message })}\n` : `garden: ${message}\n`);
  return exitCodeOf(appError);
}

function wrongUsage({ code, message }: CommanderError): AppError {
  const sentence = message
    .replace(/^error: /, '')
    .replaceAll(/[.\s]*\n/g, ' ')
    .replace(/\.$/, '');
  const problem = code === 'commander.help' ? 'a command is missing' : sentence;
  return invalidValue(`${problem}; ${pathOf(failing)} --help shows its arguments.`);
}

function unexpectedError(error: unknown): AppError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (isDebugging()) process.stderr.write(`${stack}\n`);
  return new AppError(
    'internal',
    `Unexpected error (${message}). Run the command again with LOG_LEVEL=debug and report its output, with garden --version and what you did.`,
  );
}
