/** garden sample: the bundled problems and the demo member, in and out again. */
import { loadSample, removeSample } from '../importing/sample.ts';
import { type Flags, group, verb } from './command.ts';
import { withStore } from './database.ts';
import { printObject } from './terminal.ts';

const load = verb('load', 'Load sample problems, a demo account and a club', ['garden sample load']).action(
  async (flags: Flags) => printObject(await withStore(flags, loadSample, { create: true }), flags),
);

const remove = verb(
  'remove',
  'Remove the demo account, its club, and sample problems that nobody else uses',
  ['garden sample remove'],
).action(async (flags: Flags) =>
  printObject(await withStore(flags, (store) => store.write(removeSample)), flags),
);

export const command = group('sample', 'Load or remove the bundled sample', [load, remove]);
