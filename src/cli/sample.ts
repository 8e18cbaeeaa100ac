/** garden sample: loads and removes the bundled problems and the demo member. */
import { loadSample, removeSample } from '../importing/sample.ts';
import { commandGroup, databaseCommand, type Flags } from './command.ts';
import { withStore } from './database.ts';
import { confirm, printObject, yesFlag } from './terminal.ts';

const load = databaseCommand('load', 'Load sample problems, a demo account and a club', [
  'garden sample load',
]).action(async (flags: Flags) => printObject(await withStore(flags, loadSample, { create: true }), flags));

const remove = databaseCommand(
  'remove',
  'Remove the demo account, its club, and sample problems that nobody else uses',
  ['garden sample remove', 'garden sample remove --yes'],
)
  .option(...yesFlag)
  .action(async (flags: Flags & { yes?: boolean }) => {
    const what = 'the demo account, its club and all sample problems that nobody else uses';
    if (!(await confirm(`delete ${what}`, flags))) return;
    printObject(await withStore(flags, (store) => store.write(removeSample)), flags);
  });

export const command = commandGroup('sample', 'Load or remove the bundled sample', [load, remove]);
