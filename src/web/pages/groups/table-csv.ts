/** The table of a list in a group as CSV, with the lines that the visitor sees on its page. */
import { csvCell } from '../../../files/csv-cells.ts';
import { judgeOf } from '../../../judges/addresses.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { fullName } from './frame.ts';
import { cellWords } from './table.ts';
import { readLines } from './table-page.ts';

export async function sendTable(visit: MemberVisit): Promise<Answer> {
  const { group, given, found, lines } = await readLines(visit);
  const heads = ['member', 'username', 'solved', 'late', 'active'];
  const named = found.problems.map(
    ({ source, source_key, title }) => `${judgeOf(source)?.short ?? source} ${source_key} ${title}`,
  );
  const rows = lines.map(({ person, cells, solved, late, activeAt }) => [
    ...[fullName(person), person.username, String(solved), String(late), activeAt ?? null],
    ...cells.map((cell) => (cell.state === 'not_started' ? null : cellWords(cell))),
  ]);
  const text = [[...heads, ...named], ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`);
  return {
    file: (async function* () {
      yield text.join('');
    })(),
    name: `${group.name} - ${given.name}.csv`,
    type: 'text/csv; charset=utf-8',
  };
}
