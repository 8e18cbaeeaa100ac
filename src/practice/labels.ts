/** Own labels of a member on problems, such as "off by one": what a label may be, and which problems have it. */
import { localizedError } from '../errors.ts';
import { listLabels } from '../store/bookmarks.ts';
import { fold } from '../store/case-folding.ts';
import { listFromJson } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';

export const labelLimits = { characters: 50, ofProblem: 20, problems: 5_000 } as const;

export const labelsIn = (row: { labels?: string | null } | undefined): string[] =>
  listFromJson(row?.labels ?? '[]');

/** Control and bidirectional signs (Unicode §23.2) could make a label look like another one. */
const hasHiddenSigns = (text: string) => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text);

/** Returns the label as it is stored. Throws invalidValue. */
export function checkedLabel(text: string): string {
  const label = text.normalize('NFC').trim();
  const { characters: most } = labelLimits;
  if (!/[^\p{C}\p{Z}]/u.test(label) || [...label].length > most || hasHiddenSigns(label))
    throw localizedError('invalidValue.label', { most });
  return label;
}

/** Labels that differ in case alone are one. Throws invalidValue. */
export function checkedLabels(texts: readonly string[]): string[] {
  const labels = uniqueLabels(texts.map(checkedLabel));
  const { ofProblem: most } = labelLimits;
  if (labels.length > most) throw localizedError('invalidValue.labels', { most });
  return labels;
}

/** Whether it is a list of labels as a row of a bookmark has it. */
export function areLabels(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || !value.every((one) => typeof one === 'string'))
    return false;
  try {
    return JSON.stringify(checkedLabels(value)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** The first spelling of each. */
export const uniqueLabels = (labels: readonly string[]): string[] =>
  [...Map.groupBy(labels, fold).values()].flatMap(([first]) => first ?? []);

export const isSameLabel = (one: string, other: string): boolean => fold(one) === fold(other);

/** Throws invalidValue if one more problem with labels is too many. */
export function assertRoomForLabels(problems: number): void {
  const { problems: most } = labelLimits;
  if (problems >= most) throw localizedError('invalidValue.labelled', { most });
}

/** The most frequent first. */
export async function countLabels(db: Db, userId: bigint): Promise<{ label: string; count: number }[]> {
  const all = (await listLabels(db, { userId })).flatMap(labelsIn);
  const counts = [...Map.groupBy(all, fold).values()].map((some) => ({
    label: some[0] ?? '',
    count: some.length,
  }));
  return counts.sort((one, other) => other.count - one.count || (one.label < other.label ? -1 : 1));
}

/** A JSON list of the problems with this label. */
export async function findIdsByLabel(db: Db, userId: bigint, label: string): Promise<string> {
  const name = label.normalize('NFC').trim();
  const rows = (await listLabels(db, { userId })).filter((row) =>
    labelsIn(row).some((one) => isSameLabel(one, name)),
  );
  return `[${rows.map(({ problem_id }) => `"${problem_id}"`)}]`;
}
