/** garden sync: imports members' submissions and the catalogues of judges. */
import { Option } from 'commander';
import { settings } from '../config.ts';
import { AppError, inEnglish, invalidValue } from '../errors.ts';
import { figuresMessage, type ImportReport, reportInWords } from '../importing/import.ts';
import { judgeClient, siteClient } from '../jobs/judge-client.ts';
import {
  areRatingsDue,
  listCatalogueTasks,
  type SyncReport,
  syncCatalogue,
  syncHandle,
  syncRatings,
} from '../jobs/sync-runs.ts';
import type { Judge } from '../judges/judge.ts';
import { isSynced, judgeOf, judges, siteOf } from '../judges/judges.ts';
import { addressOfJudge, listJudgeAddresses } from '../practice/judge-addresses.ts';
import { getMemberByName } from '../practice/members.ts';
import { findHandle, listHandles } from '../store/handles.ts';
import { countText } from '../store/overview.ts';
import type { Store } from '../store/store.ts';
import { databaseCommand, type Flags, settingOption, withChoices } from './command.ts';
import { withStore } from './database.ts';
import { readJudgeConfig } from './judge-config.ts';
import { print, printJson, printNotice } from './terminal.ts';

interface SyncFlags extends Flags {
  member?: string;
  judge?: string;
  catalogue?: boolean;
  dryRun?: boolean;
}

const judgesWithApi = Object.entries<Judge>(judges).filter(([, { api }]) => api);

export const command = databaseCommand('sync', 'Import members’ submissions from the judges', [
  'garden sync',
  'garden sync --member ada --judge codeforces --dry-run',
  'garden sync --catalogue',
])
  .option('--member <username>', 'Only the handles of this member')
  .addOption(
    withChoices(
      new Option('--judge <judge>', 'Only this judge'),
      judgesWithApi.map(([source]) => source),
    ),
  )
  .option('--catalogue', 'Import the judges’ problems and contests instead')
  .option('--dry-run', 'Report what would change, and change nothing')
  .addOption(settingOption(settings.judgeUrls))
  .action(run);

interface Task {
  title: string;
  reportText(report: ImportReport): string;
  start(): Promise<SyncReport>;
}

async function run(flags: SyncFlags): Promise<void> {
  if (flags.catalogue && flags.member !== undefined) {
    throw invalidValue('--catalogue imports problems, which have no member; leave --member out.');
  }
  const results = await withStore(flags, async (store) => {
    const tasks = flags.catalogue ? await catalogueTasks(store, flags) : await handleTasks(store, flags);
    if (tasks.length === 0) printNotice(noHandleText(flags));
    const outcomes: { title: string; report?: ImportReport; notes?: readonly string[]; fault?: string }[] =
      [];
    for (const { title, reportText, start } of tasks) {
      try {
        const { report, notes: texts } = await start();
        const notes = texts.map(({ message }) => message);
        outcomes.push({ title, report, notes });
        if (flags.json) continue;
        print(`${title}: ${reportText(report)}.`);
        for (const note of notes) print(`  ${note}`);
      } catch (error) {
        const fault = (error as Error).message;
        outcomes.push({ title, fault });
        if (!flags.json) print(`${title}: ${fault}`);
        // Any other error is a fault of this program.
        if (!(error instanceof AppError)) printNotice((error as Error).stack ?? fault);
      }
    }
    return outcomes;
  });
  if (flags.json) printJson(results);
  else if (flags.dryRun && results.length > 0) print('Dry run: nothing was changed.');
  const failed = results.filter(({ fault }) => fault !== undefined).length;
  if (failed > 0) {
    throw new AppError(
      'judgeFailed',
      `${failed} of ${countText(results.length, 'run')} failed (see above); the others were saved.`,
    );
  }
}

async function handleTasks(store: Store, flags: SyncFlags): Promise<Task[]> {
  const member = flags.member === undefined ? undefined : await getMemberByName(store.reader, flags.member);
  const tasks: Task[] = [];
  for (const { id, source, name, username, is_sample } of await listHandles(store.reader, member?.id)) {
    const judge = judgeOf(source);
    if (is_sample !== 0n || !judge || !isSynced(judge) || (flags.judge ?? source) !== source) continue;
    const title = `${username}, ${name} at ${judge.name}`;
    const handleOf = async () => {
      const handle = await findHandle(store.reader, id);
      if (!handle) throw new AppError('judgeFailed', 'The handle was unlinked during the sync.');
      return handle;
    };
    tasks.push({
      title,
      reportText: (report) => reportInWords('-submissions', report),
      start: async () =>
        syncHandle(
          store,
          await handleOf(),
          await clientFor(store, source, flags, { handle: name }),
          optionsOf(flags),
        ),
    });
    if (!judge.api?.ratings || flags.dryRun || !(await areRatingsDue(store.reader, { id, source }))) continue;
    tasks.push({
      title: `${title}, ratings`,
      reportText: ({ changed }) =>
        changed === 0 ? 'unchanged' : `${countText(changed, 'contest')} new or changed`,
      start: async () => {
        const changed = await syncRatings(
          store,
          await handleOf(),
          await clientFor(store, source, flags, { isOfRatings: true }),
        );
        return { report: { ...emptyReport, changed }, notes: [] };
      },
    });
  }
  return tasks;
}

const optionsOf = ({ dryRun: isDryRun = false }: SyncFlags) => ({ isDryRun });
const emptyReport = { read: 0, new: 0, changed: 0, kept: 0, unmatched: 0, bad: 0 };

async function catalogueTasks(store: Store, flags: SyncFlags): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const [source, { name }] of judgesWithApi) {
    if (flags.judge !== undefined && source !== flags.judge) continue;
    for (const task of await listCatalogueTasks(store.reader, source)) {
      tasks.push({
        title: `${name}, ${task}`,
        reportText: (report) => inEnglish(figuresMessage(report)),
        start: async () =>
          syncCatalogue(store, source, task, await clientFor(store, source, flags), optionsOf(flags)),
      });
    }
  }
  return tasks;
}

async function clientFor(
  store: Store,
  source: string,
  flags: Flags,
  { handle = '', isOfRatings: forRatings = false } = {},
) {
  const { judgeUrls } = readJudgeConfig(flags);
  const onWait = flags.json || !process.stderr.isTTY ? undefined : printNotice;
  const judgeAddresses = await listJudgeAddresses(store.reader, judgeUrls);
  if (!forRatings) return siteClient(store, siteOf(source, handle), judgeAddresses, { onWait });
  const judge = judgeOf(source) as Judge;
  return judgeClient(store, judge, {
    address: addressOfJudge(judgeAddresses, `${source}-ratings`),
    site: judge.api?.ratings,
    onWait,
  });
}

function noHandleText({ member, judge, catalogue }: SyncFlags): string {
  const one = judgeOf(judge ?? '');
  if (one && catalogue)
    return `${one.name} offers no list of its problems. They are added when members’ submissions are imported.`;
  if (one && !isSynced(one)) {
    return `${one.name} shows submissions only to their author, who confirms access in the browser; --catalogue imports its problems.`;
  }
  const whose = member === undefined ? 'Nobody has' : `${member} has no`;
  const where = judge === undefined ? 'a judge that is asked' : judge;
  const what = member === undefined ? 'a handle' : 'handle';
  return `${whose} ${what} at ${where}: link one with garden handle add NAME JUDGE HANDLE.`;
}
