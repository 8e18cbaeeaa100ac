/** garden sample: the bundled problems and the demo member, in and out again. */
import type { Command } from 'commander';
import { loadSample, removeSample } from '../importing/sample.ts';
import { group, jsonOption, printObject, verb, withStore } from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  json?: boolean;
}

export function sampleVerb(): Command {
  const load = verb('load', 'Load a few hundred real problems and a demo member', ['garden sample load'])
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const report = await withStore(flags, true, loadSample);
      printObject({ ...report }, flags.json ?? false);
    });
  const remove = verb('remove', 'Remove the demo member, and the sample problems nobody else uses', [
    'garden sample remove',
  ])
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const report = await withStore(flags, false, removeSample);
      printObject(report, flags.json ?? false);
    });
  return group('sample', 'Load or remove the bundled sample', [load, remove]);
}
