/** garden config: every setting, its value and where that comes from. */
import { readSettings, settings } from '../config.ts';
import { databaseCommand, type Flags } from './command.ts';
import { readJudgeConfig } from './judge-config.ts';
import { print, printTable } from './terminal.ts';

export const command = databaseCommand(
  'config',
  'Show every setting with its value and source; passwords are masked',
  ['garden config', 'PORT=9000 garden config --json', 'garden config --env-file > garden.env'],
)
  .option('--env-file', 'Print a file of all settings with their defaults, to edit')
  .action(({ envFile, json = false, ...flags }: Flags & { envFile?: boolean }) => {
    if (envFile) return print(emptyEnvFile());
    // Throws if a value is not allowed.
    readJudgeConfig(flags);
    const rows = readSettings(flags).map(({ env, maskedText, source, flag, help }) => ({
      setting: env,
      value: maskedText,
      source,
      flag: flag === undefined ? null : `--${flag}`,
      help,
    }));
    printTable(rows, { json });
  });

function emptyEnvFile(): string {
  const head =
    '# Settings of Practice Garden. Take the # away from a line and change its value; docs/config.md explains each.';
  const lines = Object.values(settings).map(
    ({ env, help, default: value }) => `\n# ${help}\n#${env}=${value}`,
  );
  return [head, ...lines].join('\n');
}
