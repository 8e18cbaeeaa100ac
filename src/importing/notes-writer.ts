/**
 * Writes the notes of a member for other programs: a zip of Markdown files with front matter for Obsidian, and cards
 * for Anki.
 */

import type { Readable } from 'node:stream';
import { websiteStatus } from '../contract/statuses.ts';
import { csvCell } from '../files/csv.ts';
import { judgeName } from '../judges/judges.ts';
import { daysOfMember } from '../practice/activity.ts';
import { type Days, dateOf } from '../practice/days.ts';
import { byProblem } from '../practice/derivation.ts';
import { labelsIn } from '../practice/labels.ts';
import { codeOf } from '../practice/solutions.ts';
import { listNotes, notesPerRead } from '../store/bookmarks.ts';
import { findProblemsByIds, type ProblemRow } from '../store/problems.ts';
import { findCards } from '../store/reviews.ts';
import { eachSolution } from '../store/solutions.ts';
import { findStatuses, type StatusesTable, shownStateOf } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { type AddFile, createZip } from './archive.ts';

interface ProblemNote {
  problem: ProblemRow;
  note: string;
  labels: string[];
}

async function* notesOf(db: Db, memberId: bigint): AsyncGenerator<ProblemNote[]> {
  let after: bigint | undefined;
  for (;;) {
    const rows = await listNotes(db, memberId, after);
    const ids = rows.map(({ problem_id }) => problem_id);
    const byId = new Map((await findProblemsByIds(db, ids)).map((row) => [row.id, row]));
    yield rows.flatMap(({ problem_id, note, labels }) => {
      const problem = byId.get(problem_id);
      return problem ? [{ problem, note, labels: labelsIn({ labels }) }] : [];
    });
    if (rows.length < notesPerRead) return;
    after = rows.at(-1)?.problem_id;
  }
}

export const writeNotes = (db: Db, memberId: bigint, onRows: (count: number) => void = () => {}): Readable =>
  createZip(async (add) => {
    const days = await daysOfMember(db, memberId);
    const usedNames = new Set<string>();
    for await (const batch of notesOf(db, memberId)) {
      const ids = batch.map(({ problem }) => problem.id);
      const statuses = byProblem(await findStatuses(db, memberId, ids));
      const cards = byProblem(await findCards(db, memberId, ids));
      for (const { problem, note, labels } of batch) {
        const due = cards.get(problem.id)?.due_day ?? null;
        const properties = frontMatter(problem, statuses.get(problem.id), due, days) + labelLine(labels);
        await add(uniqueName(baseName(problem), '.md', usedNames), [`---\n${properties}---\n\n${note}\n`]);
      }
      onRows(batch.length);
    }
    await addCode(db, memberId, usedNames, add);
  });

/** A folder for each problem with own code, whose files have their own bytes. */
async function addCode(db: Db, memberId: bigint, usedNames: Set<string>, add: AddFile): Promise<void> {
  for await (const row of eachSolution(db, memberId)) {
    const [problem] = await findProblemsByIds(db, [row.problem_id]);
    const [, base = '', ending = ''] =
      /^(.*?)(\.\w{1,10})?$/s.exec(safeFileName(row.file, titleBytes) || 'code') ?? [];
    if (problem) await add(uniqueName(`${baseName(problem)}/${base}`, ending, usedNames), [codeOf(row)]);
  }
}

function frontMatter(
  { url, title, source, rating }: ProblemRow,
  status: StatusesTable | undefined,
  due: bigint | null,
  days: Days,
): string {
  const { self_status = null, self_at = null, judge_status = null, judge_at = null } = status ?? {};
  const state = shownStateOf(status);
  const solvedAt = [self_status === 'complete' && self_at, judge_status === 'complete' && judge_at]
    .filter((at) => typeof at === 'string')
    .toSorted()[0];
  const solvedOn = state === 'complete' && solvedAt ? dateOf(days.at(Date.parse(solvedAt))) : null;
  const properties = {
    url,
    title,
    judge: judgeName(source),
    rating,
    status: websiteStatus(state),
    solved: solvedOn,
    due: due === null ? null : dateOf(Number(due)),
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}:${value === null ? '' : ` ${yamlValue(value)}`}\n`)
    .join('');
}

const labelLine = (labels: readonly string[]) =>
  labels.length === 0 ? '' : `labels: [${labels.map(yamlValue).join(', ')}]\n`;

/** Text is double-quoted (YAML 1.2 §7.3.1), without line breaks and invisible characters. */
function yamlValue(value: string | bigint): string {
  if (typeof value === 'bigint' || /^\d{4}-\d\d-\d\d$/.test(value)) return String(value);
  return JSON.stringify(value.replaceAll(/[\p{C}\u2028\u2029]/gu, ' '));
}

const titleBytes = 120;
const keyBytes = 60;

const baseName = ({ title, source, source_key }: ProblemRow) =>
  `${safeFileName(title, titleBytes) || 'Problem'} (${safeFileName(`${source} ${source_key}`, keyBytes)})`;

/** Some file systems ignore case, so names differ in more than case. */
function uniqueName(base: string, ending: string, usedNames: Set<string>): string {
  for (let count = 1; ; count++) {
    const name = `${base}${count === 1 ? '' : ` ${count}`}${ending}`;
    if (usedNames.has(name.toLowerCase())) continue;
    usedNames.add(name.toLowerCase());
    return name;
  }
}

function safeFileName(text: string, bytes: number): string {
  const clean = text.normalize('NFC').replaceAll(/[<>:"/\\|?*\p{C}\p{Z}\ufffd]+/gu, ' ');
  const truncated = Buffer.from(clean.trim())
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd+$/, '');
  return truncated.replaceAll(/^[. ]+|[. ]+$/g, '');
}

export async function* writeCards(
  db: Db,
  memberId: bigint,
  onRows: (count: number) => void = () => {},
): AsyncGenerator<string> {
  yield '#separator:tab\n#html:false\n';
  for await (const batch of notesOf(db, memberId)) {
    for (const { problem, note } of batch)
      yield `${quotedCell([problem.title, problem.url ?? ''].join('\n').trimEnd())}\t${quotedCell(note)}\n`;
    onRows(batch.length);
  }
}

/** csvCell disarms formulas. Every cell is quoted, because a tab would end it. */
function quotedCell(text: string): string {
  const quoted = csvCell(text);
  return quoted.startsWith('"') ? quoted : `"${quoted}"`;
}
