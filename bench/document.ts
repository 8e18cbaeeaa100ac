/** Writes the floors and aims of a run into docs/performance.md; a row that the run did not measure stays as it is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Machine, machineText } from './machine.ts';
import { goalsTable, type Table } from './report.ts';
import type { Result } from './results.ts';
import { markdownTable } from './terminal.ts';

const path = join(import.meta.dirname, '..', 'docs', 'performance.md');
const begin = '<!-- figures: written by npm run bench -- --write -->\n';
const end = '<!-- end of figures -->\n';

export function writeDocument(results: readonly Result[], machine: Machine): void {
  const text = readFileSync(path, 'utf8');
  const [before, rest] = halves(text, begin);
  const [old, after] = halves(rest, end);
  const goals = mergedGoals(goalsTable(results, true), rowsOf(old), machine.date);
  const figures = `${markdownTable(goals)}\n\nMachine of the latest run: ${machineText(machine)}`;
  writeFileSync(path, `${before}${begin}\n${figures}\n\n${end}${after}`);
}

function halves(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`docs/performance.md has no line ${mark.trim()}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

const rowsOf = (table: string): Table => table.split('\n').map((line) => line.slice(2, -2).split(' | '));

/** A goal that this run did not measure keeps its old row; the last column says when a row was measured. */
function mergedGoals([head = [], ...rows]: Table, old: Table, date: string): Table {
  const merged = rows.map((row) => {
    const known = old.find(([name]) => name === row[0]);
    const isMeasured = row[1] !== '–';
    return isMeasured || !known ? [...row, isMeasured ? date : '–'] : known;
  });
  return [[...head, 'date'], ...merged];
}
