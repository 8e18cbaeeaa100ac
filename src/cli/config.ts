/** garden config: every setting, what it is now and where that comes from. */
import { type Command, Option } from 'commander';
import { masked, options, readConfig, readSettings } from '../config.ts';
import { jsonOption, print, printTable, verb } from './terminal.ts';

export function configVerb(): Command {
  return verb('config', 'Show every setting, its value and where it comes from; passwords masked', [
    'garden config',
    'PORT=9000 garden config --json',
    'garden config --env-file > garden.env',
  ])
    .addOption(new Option('--env-file', 'Print a file of all settings with their defaults, to fill in'))
    .addOption(jsonOption())
    .action((flags: { databaseUrl?: string; envFile?: boolean; json?: boolean }) => {
      if (flags.envFile) return print(envFile());
      const given = flags.databaseUrl === undefined ? {} : { databaseUrl: flags.databaseUrl };
      const { baseUrl } = readConfig(given);
      printTable(
        readSettings(given).map((setting) => ({
          setting: setting.option.env,
          value: setting.option.key === 'baseUrl' ? baseUrl : masked(setting),
          source: setting.source,
          flag: `--${setting.option.flag}`,
          help: setting.option.help,
        })),
        flags.json ?? false,
      );
    });
}

/** For compose, systemd and shells alike: every line is a comment until somebody changes it. */
function envFile(): string {
  const head =
    '# Settings of Practice Garden. Take the # away from a line and change its value; docs/config.md tells more.';
  return [head, ...options.map(({ env, help, default: value }) => `\n# ${help}\n#${env}=${value}`)].join(
    '\n',
  );
}
