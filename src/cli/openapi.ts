/** garden openapi: the API as an OpenAPI document. */
import { readConfig, settings } from '../config.ts';
import { openapiDocument } from '../contract/openapi.ts';
import { programDocument } from '../contract/programs/document.ts';
import { databaseCommand, type Flags, settingOption } from './command.ts';
import { writeAtomically } from './output-files.ts';
import { print } from './terminal.ts';

interface OpenapiFlags extends Flags {
  baseUrl?: string;
  output?: string;
  programs?: true;
}

export const command = databaseCommand('openapi', 'Print the OpenAPI document of the nine operations', [
  'garden openapi --base-url https://garden.example.org > openapi.json',
  'garden openapi --output openapi.json',
])
  .addOption(settingOption(settings.baseUrl))
  .option('--programs', 'Print the document of the interface for programs, which may write')
  .option('--output <file>', 'Write it to a file instead')
  .action(async ({ output, programs, json: _json, ...flags }: OpenapiFlags) => {
    const document = programs ? programDocument : openapiDocument;
    const text = JSON.stringify(document(readConfig(flags).baseUrl), null, 2);
    if (output === undefined) print(text);
    else await writeAtomically(output, [`${text}\n`], 0o666);
  });
