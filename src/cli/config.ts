/** garden config: every setting, what it is now and where that comes from. */
import type { Command } from 'commander';
import { masked, readConfig, readSettings } from '../config.ts';
import { jsonOption, printTable, verb } from './terminal.ts';

export function configVerb(): Command {
  return verb('config', 'Show every setting, its value and where it comes from; passwords masked', [
    'garden config',
    'PORT=9000 garden config --json',
  ])
    .addOption(jsonOption())
    .action((flags: { databaseUrl?: string; json?: boolean }) => {
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
