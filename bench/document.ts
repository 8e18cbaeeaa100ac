/** Writes what a run measured into docs/performance.md; what it did not measure stays as it stands there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { circumstances, type Machine, machineText } from './machine.ts';
import { captionOf, goalsTable, resultTable, skippedLines, type Table } from './report.ts';
import type { Result } from './results.ts';
import type { RunOptions } from './run.ts';
import { markdownTable } from './terminal.ts';

const path = join(import.meta.dirname, '..', 'docs', 'performance.md');
const begin = '<!-- figures: written by npm run bench -- --write -->\n';
const end = '<!-- end of figures -->\n';
const goalsHeading = 'Floors and aims';
const machineHeading = 'Machine and versions';

export function writeDocument(results: readonly Result[], machine: Machine, options: RunOptions): void {
  const text = readFileSync(path, 'utf8');
  const [before, rest] = halves(text, begin);
  const [old, after] = halves(rest, end);
  // These stand first, also in a page that has none yet.
  const sections = new Map([[goalsHeading, ''], [machineHeading, ''], ...sectionsOf(old)]);
  const oldGoals = rowsOf(sections.get(goalsHeading) ?? '');
  sections.set(goalsHeading, markdownTable(mergedGoals(goalsTable(results, true), oldGoals, machine.date)));
  const { rounds, seconds } = options;
  for (const result of results) {
    const caption = `${captionOf(result)} ${rounds} rounds of ${seconds} s; ${circumstances(machine)}.`;
    const skipped = skippedLines(result).map((line) => `- ${line}`);
    const table = result.rows.length > 0 ? markdownTable(resultTable(result)) : '';
    const parts = [caption, table, skipped.join('\n')];
    sections.set(result.title, parts.filter((part) => part !== '').join('\n\n'));
  }
  sections.set(machineHeading, machineText(machine));
  const written = [...sections].map(([heading, body]) => `### ${heading}\n\n${body}\n`);
  writeFileSync(path, `${before}${begin}\n${written.join('\n')}\n${end}${after}`);
}

function halves(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`docs/performance.md has no line ${mark.trim()}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function sectionsOf(text: string): Map<string, string> {
  const parts = text.split(/^### /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      return [heading, lines.join('\n').trim()];
    }),
  );
}

const rowsOf = (table: string): Table => table.split('\n').map((line) => line.slice(2, -2).split(' | '));

/** A goal that this run did not measure keeps the row it had; each row says of what day it is. */
function mergedGoals([head = [], ...rows]: Table, old: Table, date: string): Table {
  const merged = rows.map((row) => {
    const known = old.find(([name]) => name === row[0]);
    const isMeasured = row[1] !== '–';
    return isMeasured || !known ? [...row, isMeasured ? date : '–'] : known;
  });
  return [[...head, 'date'], ...merged];
}
