/**
 * One run of a sync: asks a judge for what is new, and has each answer imported as a file of that judge would be. An answer and
 * where the next one begins are kept in one transaction, so that a run can stop anywhere and go on later.
 */
import { AppError } from '../errors.ts';
import { applyFile, checkFile, type ImportReport } from '../importing/import.ts';
import { type ImportName, importerOf } from '../importing/resources.ts';
import { oddAnswer } from '../judges/faults.ts';
import type { AskJudge, Fetched, Known } from '../judges/judge.ts';
import { judgeName, judgeOf } from '../judges/judges.ts';
import { renameHandle } from '../practice/handles.ts';
import type { HandlesTable } from '../store/handles.ts';
import { findHandle, listNamesAt } from '../store/handles.ts';
import type { SyncsTable } from '../store/judged-tables.ts';
import { findMembersByIds, type MemberRow } from '../store/members.ts';
import { countSolvesUntil } from '../store/solves.ts';
import type { Store } from '../store/store.ts';
import { findSync, freshSync, type SyncSubject, saveSync } from '../store/syncs.ts';
import { limited } from './answer-limit.ts';
import { noted } from './ends.ts';

export interface RunOptions {
  isDryRun?: boolean;
  /** Gets the figures after each answer. */
  onAnswer?(report: ImportReport): void;
}

export interface RunReport {
  report: ImportReport;
  /** Sentences about what was left out. */
  notes: string[];
}

/** With what was new or changed, by judge and key. */
type Total = RunReport & { changed: Set<string> };

/** Asks for the submissions of a handle. Throws judgeFailed once it has noted the fault. */
export async function syncHandle(
  store: Store,
  handle: HandlesTable,
  ask: AskJudge,
  options: RunOptions = {},
): Promise<RunReport> {
  const judge = judgeOf(handle.source);
  const submissions = judge?.api?.submissions;
  if (!submissions) {
    throw new AppError(
      'judgeFailed',
      `${judgeName(handle.source)} shows your submissions only to you: confirm access in your browser.`,
    );
  }
  return runHandle(store, handle, ask, options, (known) => submissions(ask, handle.name, known));
}

/** The same at a judge that shows submissions to a token that the member has confirmed. The token is kept nowhere. */
export async function syncConfirmed(
  store: Store,
  handle: HandlesTable,
  ask: AskJudge,
  token: string,
): Promise<RunReport> {
  const judge = judgeOf(handle.source);
  const confirmed = judge?.api?.confirmed;
  if (!confirmed) throw new AppError('judgeFailed', `${judgeName(handle.source)} gives members no tokens.`);
  return runHandle(store, handle, ask, {}, (known) => confirmed.submissions(ask, token, handle.name, known));
}

async function runHandle(
  store: Store,
  { source, id, name, user_id }: HandlesTable,
  { site }: AskJudge,
  options: RunOptions,
  answers: (known: Known) => AsyncGenerator<Fetched>,
): Promise<RunReport> {
  const subject: SyncSubject = { source, task: 'submissions', handle_id: id };
  const [member] = await findMembersByIds(store.reader, [user_id]);
  async function* fetched() {
    yield* answers({
      cursor: cursorOf(await findSync(store.reader, subject)),
      countUntil: (moment) => countSolvesUntil(store.reader, id, moment.toISOString()),
      now: new Date(),
    });
  }
  return run(store, subject, fetched(), { ...options, site, member, handle: name });
}

/** Asks for what a judge publishes. Throws judgeFailed once it has noted the fault. */
export async function syncCatalogue(
  store: Store,
  source: string,
  task: 'problems' | 'contests',
  ask: AskJudge,
  options: RunOptions = {},
): Promise<RunReport> {
  const api = judgeOf(source)?.api;
  const answers = api?.[task]?.(ask);
  if (!answers) throw new AppError('judgeFailed', `${source} does not offer ${task} to programs.`);
  return run(store, { source, task, handle_id: null }, answers, { ...options, site: ask.site });
}

type ApplyOptions = RunOptions & { site: string; member?: MemberRow | undefined; handle?: string };

/** Asks which handles have another name now, and joins what was sent under both. Throws judgeFailed once it is noted. */
export async function syncRenames(
  store: Store,
  source: string,
  ask: AskJudge,
): Promise<ReadonlyMap<string, string>> {
  const api = judgeOf(source)?.api;
  const subject: SyncSubject = { source, task: 'renames', handle_id: null };
  return noted(store, subject, async () => {
    const names = await listNamesAt(store.reader, source);
    const renamed = (await api?.renames?.(ask, names)) ?? new Map<string, string>();
    for (const [before, name] of renamed) {
      await renameHandle(store, source, before, name);
    }
    return [renamed, { news: BigInt(renamed.size) }];
  });
}

/** Asks how new the judge's own data is. Throws judgeFailed once it is noted. */
export async function syncAge(store: Store, source: string, ask: AskJudge): Promise<Date | undefined> {
  const api = judgeOf(source)?.api;
  return noted(store, { source, task: 'age', handle_id: null }, async () => {
    const newest = await api?.age?.(ask, new Date());
    return [newest, { judge_at: newest?.toISOString() ?? null }];
  });
}

async function run(
  store: Store,
  subject: SyncSubject,
  answers: AsyncGenerator<Fetched>,
  options: ApplyOptions,
): Promise<RunReport> {
  const report = { read: 0, new: 0, changed: 0, kept: 0, unmatched: 0, bad: 0 };
  const total: Total = { report, notes: [], changed: new Set() };
  if (options.isDryRun) {
    const held: Fetched[] = [];
    for await (const answer of limited(answers)) held.push(answer);
    // The changes of a dry run are known only when all its answers are applied together.
    for (const [, some] of Map.groupBy(held, ({ file }) => file)) {
      await apply(store, subject, some, options, total);
    }
    return total;
  }
  return noted(store, subject, async () => {
    for await (const answer of limited(answers)) {
      await apply(store, subject, [answer], options, total);
      options.onAnswer?.(report);
    }
    const skipped = total.notes.length > 0 ? JSON.stringify(total.notes) : null;
    return [total, { news: BigInt(total.changed.size), skipped }];
  });
}

/** Imports answers of one kind, and keeps where the next run goes on. */
async function apply(
  store: Store,
  subject: SyncSubject,
  answers: readonly Fetched[],
  { site, member, handle, isDryRun = false }: ApplyOptions,
  total: Total,
): Promise<void> {
  const { file } = answers[0] as Fetched;
  const importer = importerOf(`${subject.source}-${file}` as ImportName, 'json', site);
  const joined = {
    ...importer,
    async *read() {
      for (const { text } of answers) yield* importer.read(bytesOf(text));
    },
  };
  const open = async () => bytesOf('');
  const checked = await checkFile(joined, { open, skipsBad: true, trustsIds: false }).catch((error) => {
    if (error instanceof AppError && error.code === 'badFile') {
      throw oddAnswer(judgeOf(subject.source)?.site ?? subject.source, error.message.replace(/\.$/, ''));
    }
    throw error;
  });
  const { report, badRows, notes } = await applyFile(store, checked, {
    member,
    handle,
    isDryRun,
    way: 'server',
    onLine: (line) => {
      // An answer may change what the one before it made: what a line is about counts once.
      const [figure, source, key] = line.split(' ', 3);
      if (figure === 'new' || figure === 'changed') total.changed.add(`${source} ${key}`);
    },
    confirm: async (tx) => {
      if (subject.handle_id !== null && !(await findHandle(tx, subject.handle_id))) {
        throw new AppError(
          'unknownItem',
          'The handle was unlinked in the meantime, so nothing was imported.',
        );
      }
      const row = (await findSync(tx, subject)) ?? freshSync(subject);
      await saveSync(tx, { ...row, cursor: JSON.stringify(answers.at(-1)?.cursor ?? null) });
    },
  });
  for (const [figure, value] of Object.entries(report)) total.report[figure as keyof ImportReport] += value;
  total.notes.push(...badRows, ...(report.unmatched > 0 ? notes : []));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function cursorOf(row: SyncsTable | undefined): unknown {
  return row?.cursor === null || row === undefined ? undefined : (JSON.parse(row.cursor) ?? undefined);
}
