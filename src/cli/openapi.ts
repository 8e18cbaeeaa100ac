/** garden openapi: the interface as an OpenAPI document. */
import { type Command, Option } from 'commander';
import { readConfig } from '../config.ts';
import { openapiDocument } from '../contract/openapi.ts';
import { writeWhole } from './output-files.ts';
import { print, settingOption, verb } from './terminal.ts';

export function openapiVerb(): Command {
  return verb('openapi', 'Print the OpenAPI document of the nine operations', [
    'garden openapi --base-url https://garden.example.org > openapi.json',
    'garden openapi --output openapi.json',
  ])
    .addOption(settingOption('baseUrl'))
    .option('--output <file>', 'Write it to a file instead')
    .addOption(new Option('--json', 'Print it as JSON, which it is anyway'))
    .action(async (flags: { baseUrl?: string; output?: string }) => {
      const { baseUrl } = readConfig(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl });
      const text = JSON.stringify(openapiDocument(baseUrl), null, 2);
      if (flags.output === undefined) print(text);
      else await writeWhole(flags.output, [`${text}\n`], 0o666);
    });
}
