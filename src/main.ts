/** The doorway: the table of verbs, and what an error looks like at the end of a command line. */
import { Command, CommanderError } from 'commander';
import { isDebugging } from './config.ts';
import { AppError } from './errors.ts';

interface Verb {
  name: string;
  help: string;
  load(): Promise<Command>;
}

const verbs: readonly Verb[] = [
  { name: 'serve', help: 'Serve the garden', load: async () => (await import('./cli/serve.ts')).serveVerb() },
  { name: 'import', help: 'Import a file', load: async () => (await import('./cli/import.ts')).importVerb() },
  {
    name: 'export',
    help: 'Export a resource',
    load: async () => (await import('./cli/export.ts')).exportVerb(),
  },
  {
    name: 'member',
    help: 'Make, list, rename, disable and delete members',
    load: async () => (await import('./cli/member.ts')).memberVerb(),
  },
  {
    name: 'token',
    help: 'Make, list and revoke tokens',
    load: async () => (await import('./cli/token.ts')).tokenVerb(),
  },
  {
    name: 'plant',
    help: 'Plant goals, list and remove them',
    load: async () => (await import('./cli/plant.ts')).plantVerb(),
  },
  {
    name: 'sample',
    help: 'Load or remove the sample',
    load: async () => (await import('./cli/sample.ts')).sampleVerb(),
  },
  {
    name: 'migrate',
    help: 'Bring the schema up to date',
    load: async () => (await import('./cli/migrate.ts')).migrateVerb(),
  },
  {
    name: 'copy',
    help: 'Copy a whole database',
    load: async () => (await import('./cli/copy.ts')).copyVerb(),
  },
  {
    name: 'backup',
    help: 'Write a backup',
    load: async () => (await import('./cli/backup.ts')).backupVerb(),
  },
  {
    name: 'restore',
    help: 'Check a backup and restore it',
    load: async () => (await import('./cli/restore.ts')).restoreVerb(),
  },
  {
    name: 'config',
    help: 'Show every setting',
    load: async () => (await import('./cli/config.ts')).configVerb(),
  },
  {
    name: 'openapi',
    help: 'Print the OpenAPI document',
    load: async () => (await import('./cli/openapi.ts')).openapiVerb(),
  },
  {
    name: 'doctor',
    help: 'Check that all is well',
    load: async () => (await import('./cli/doctor.ts')).doctorVerb(),
  },
];

async function main(args: readonly string[]): Promise<void> {
  const program = new Command('garden')
    .description('Practice Garden: a self-hosted practice tracker for competitive programmers.')
    .version('1.0.0')
    .addHelpText('after', '\nEvery verb takes --help. To begin: npm start, or garden serve.')
    .showHelpAfterError('(garden --help lists the verbs)');
  const called = args[0] === 'help' ? args[1] : args[0];
  // Only the verb that is called is loaded; the others stand in for the help and for "did you mean".
  for (const { name, help, load } of verbs) {
    program.addCommand(name === called ? await load() : new Command(name).description(help));
  }
  for (const command of everyCommand(program)) {
    command.exitOverride();
    // With --json the error is written below, as JSON.
    if (args.includes('--json')) command.configureOutput({ writeErr: () => {}, outputError: () => {} });
  }
  if (args.length === 0) program.outputHelp();
  else await program.parseAsync(args, { from: 'user' });
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

const args = process.argv.slice(2);
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A server goes on answering when nobody reads its output, or when the disk that takes it is full.
    if (args[0] === 'serve') return;
    // The reader of a pipe may stop early, as head does; an import that it interrupts has failed.
    if (error.code === 'EPIPE') process.exit(args[0] === 'import' ? 1 : 0);
    throw error;
  });
}

try {
  await main(args);
} catch (error) {
  process.exitCode = await explain(error, args.includes('--json'));
  // A worker of serve would be kept alive by the channel to its primary.
  if (process.connected) process.exit();
}

/** Says what went wrong on standard error, with --json as JSON; answers the exit code. */
async function explain(error: unknown, asJson: boolean): Promise<number> {
  // commander has written its own already, except with --json: 0 after --help and --version, else wrong usage.
  if (error instanceof CommanderError && (error.exitCode === 0 || !asJson))
    return error.exitCode === 0 ? 0 : 2;
  const { exitCodeOf } = await import('./cli/terminal.ts');
  const known = error instanceof CommanderError ? wrongUsage(error) : error;
  const { number, message } = known instanceof AppError ? known : unforeseen(known);
  process.stderr.write(asJson ? `${JSON.stringify({ error: number, message })}\n` : `garden: ${message}\n`);
  return exitCodeOf(known);
}

/** What commander says on two lines, as one sentence. */
function wrongUsage({ code, message }: CommanderError): AppError {
  const said = message
    .replace(/^error: /, '')
    .replaceAll(/[.\s]*\n/g, ' ')
    .replace(/\.$/, '');
  const wrong = code === 'commander.help' ? 'a verb is missing' : said;
  return new AppError('badSetting', `${wrong}; garden ${args[0] ?? ''} --help shows what it takes.`);
}

/** A fault of ours, in a sentence. The stack is shown only while debugging. */
function unforeseen(error: unknown): AppError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (isDebugging()) process.stderr.write(`${stack}\n`);
  return new AppError(
    'internal',
    `Something went wrong that should not (${message}). Run it again with LOG_LEVEL=debug and report what it prints, with garden --version and what you did.`,
  );
}
