/** The table of a round: a line a person, a cell a problem; on phones two lines a person. And the same as CSV. */
import { judgeOf } from '../../../judges/judges.ts';
import { dayMs } from '../../../practice/days.ts';
import type { CellKind, RoundCell, RoundLine } from '../../../practice/round-table.ts';
import { letterOf } from '../../../practice/rounds.ts';
import type { RoundPerson, RoundProblem, RoundRule } from '../../../store/rounds.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { type IconName, icon } from '../../kit/icons.ts';
import { nameLink } from '../../kit/member-name.ts';
import { attr, type Html, html } from '../../markup.ts';
import { problemPath } from '../../paths.ts';
import { csvFile } from '../../road/sending.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { words } from '../../words/words.ts';
import { linesOf, roundOf, type SeenRound, seeRound } from './seeing.ts';

const two = (n: number) => String(n).padStart(2, '0');

/** Hours and minutes, such as 1:06. */
const clock = (ms: number) => `${Math.floor(ms / 3_600_000)}:${two(Math.floor(ms / 60_000) % 60)}`;
/** Minutes and seconds, such as 83:45. */
const minutesOf = (seconds: number) => `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
/** How long after the end a problem was solved. */
const laterBy = (ms: number) =>
  ms < dayMs
    ? words('rounds.laterHours', { count: Math.max(1, Math.floor(ms / 3_600_000)) })
    : words('rounds.laterDays', { count: Math.floor(ms / dayMs) });

interface Board {
  visit: MemberVisit;
  seen: SeenRound;
  lines: readonly RoundLine[];
  names: ReadonlyMap<bigint, RoundPerson>;
  isOver: boolean;
  hidesRatings: boolean;
}

/** The main figure of a line: what it is ordered by. */
const isPointed = (rule: RoundRule) => rule === 'points' || rule === 'lockout';

/** The head and text of the second column; undefined where the table has none. */
function second({
  seen: { round },
  isOver,
}: Board): { head: string; text(line: RoundLine): Html | string } | undefined {
  if (isOver)
    return {
      head: words('rounds.upsolved'),
      text: ({ later }) => (later > 0 ? html`<b class="plus">+${later}</b>` : dash),
    };
  const { rule } = round;
  if (rule === 'icpc')
    return { head: words('rounds.penalty'), text: ({ time, solved }) => (solved > 0 ? String(time) : dash) };
  if (rule === 'points')
    return { head: words('rounds.penalty'), text: ({ time, solved }) => (solved > 0 ? minutesOf(time) : dash) };
  if (rule === 'lockout') return { head: words('rounds.solved'), text: ({ solved }) => String(solved) };
  return undefined;
}
const dash = html`<span class="faint">–</span>`;

export function board(visit: MemberVisit, seen: SeenRound, lines: readonly RoundLine[], hidesRatings: boolean): Html {
  const names = new Map(seen.people.map((person) => [person.user_id, person]));
  const shown: Board = { visit, seen, lines, names, isOver: seen.phase === 'over', hidesRatings };
  const extra = second(shown);
  const { rule } = seen.round;
  return html`
    <div class="board-wrap">
      <table class="standings" data-total="${lines.length}">
        <caption class="sr">${words('rounds.standings')}</caption>
        <thead>
          <tr>
            <th class="c-place" scope="col"><span class="sr">${words('rounds.place')}</span></th>
            <th class="c-name" scope="col">${words('rounds.person')}</th>
            <th class="c-solved" scope="col">${words(isPointed(rule) ? 'rounds.pointsHead' : 'rounds.solved')}</th>
            ${extra && html`<th class="c-time" scope="col">${extra.head}</th>`}
            ${seen.problems.map((problem) => problemHead(shown, problem))}
          </tr>
        </thead>
        <tbody>${lines.map((line) => lineOf(shown, line, extra?.text(line)))}</tbody>
        <tfoot>${sums(shown, extra !== undefined)}</tfoot>
      </table>
    </div>
    ${legend(shown)}`;
}

function problemHead({ visit, isOver, hidesRatings, seen }: Board, problem: RoundProblem): Html {
  const { basePath } = visit.site;
  return html`
    <th class="c-p" scope="col">
      <a href="${basePath}${problemPath(problem.id)}" title="${problem.title}">
        <b>${letterOf(problem)}</b>
        <span class="t">${problem.title}</span>
        ${
          isPointed(seen.round.rule) &&
          html`<span class="pts">${words('rounds.pointsOf', { points: problem.points })}</span>`
        }
        ${isOver && !hidesRatings && problem.rating !== null && difficulty(problem)}
      </a>
    </th>`;
}

function lineOf(shown: Board, line: RoundLine, extra: Html | string | undefined): Html {
  const { visit, names, seen } = shown;
  const person = names.get(line.userId);
  const isOwn = line.userId === visit.member.user_id;
  const main = isPointed(seen.round.rule) ? line.points : line.solved;
  return html`
    <tr data-person="${line.userId}"${attr('class', isOwn && 'own')}>
      <td class="c-place">${line.place ?? ''}</td>
      <th class="c-name" scope="row">
        ${person && nameLink(visit.site.basePath, person)}
        ${isOwn && html` <span class="tag good">${words('rounds.you')}</span>`}
      </th>
      <td class="c-solved"><b>${main}</b></td>
      ${extra !== undefined && html`<td class="c-time">${extra}</td>`}
      ${line.cells.map((cell, at) => cellOf(shown, cell, seen.problems[at] as RoundProblem))}
    </tr>`;
}

const signs: Partial<Record<CellKind, IconName>> = { first: 'flag', solved: 'check', later: 's-self' };

/** The figure of a cell, on a wide page and on a phone. */
function figureOf({ seen: { round }, names }: Board, cell: RoundCell): string {
  const { kind, afterMs, points, takenBy } = cell;
  if (kind === 'first' || kind === 'solved') {
    if (round.rule === 'training') return '';
    return isPointed(round.rule) ? String(points) : clock(afterMs);
  }
  if (kind === 'later') return afterMs === 0 ? words('rounds.later') : laterBy(afterMs);
  if (kind === 'taken') return names.get(takenBy ?? 0n)?.username ?? '';
  return kind === 'hidden' ? '?' : '–';
}

/** The second line of a cell. */
function remark({ kind, tries, afterMs }: RoundCell): string {
  if (kind === 'hidden') return words('rounds.tries', { count: tries });
  if (kind === 'taken') return words('rounds.taken');
  if (tries > 0) return words('rounds.wrong', { count: tries });
  if (kind === 'later') return afterMs === 0 ? '' : words('rounds.later');
  return kind === 'first' ? words('rounds.first') : '';
}

function cellOf(shown: Board, cell: RoundCell, problem: RoundProblem): Html {
  const letter = letterOf(problem);
  const { kind, tries } = cell;
  const mark = html`<span class="letter" aria-hidden="true">${letter}</span>`;
  const said = words(`rounds.cell.${kind}`, { letter });
  if (kind === 'none' || kind === 'before') return html`<td class="c-p">${mark}<span class="sr">${said}</span></td>`;
  const sign = signs[kind];
  const text = figureOf(shown, cell);
  const note = remark(cell);
  const narrow = kind === 'tried' ? html`<span class="w-narrow" aria-hidden="true">${tries} ✕</span>` : '';
  return html`
    <td class="c-p" data-result="${kind}"${attr('title', kind === 'taken' && text)}>
      ${mark}
      <b>
        ${sign && icon(sign)}
        <span class="sr">${said} </span>
        <span${attr('class', kind === 'tried' && 'w-wide')}>${text}</span>${narrow}
      </b>
      ${note !== '' && html`<span class="tries">${note}</span>`}
    </td>`;
}

/** The numbers of people who solved each problem, then and by now. */
function sums({ lines, seen, isOver }: Board, hasSecond: boolean): Html {
  const row = (head: string, kinds: readonly CellKind[]) => html`
    <tr>
      <td></td>
      <th class="c-name" scope="row">${head}</th>
      <td></td>
      ${hasSecond && html`<td></td>`}
      ${seen.problems.map((_, at) => {
        const count = lines.filter(({ cells }) => kinds.includes(cells[at]?.kind ?? 'none')).length;
        return html`
          <td class="c-p">
            <b>${count}</b> <span class="soft">${words('rounds.ofPeople', { count: lines.length })}</span>
          </td>`;
      })}
    </tr>`;
  const then = ['first', 'solved'] as const;
  if (!isOver) return row(words('rounds.solvedBy'), then);
  return html`
    ${row(words('rounds.solvedThen'), then)}
    ${row(words('rounds.solvedNow'), [...then, 'later', 'before'])}`;
}

function legend({ lines, seen, isOver }: Board): Html {
  const { round } = seen;
  const has = (kind: CellKind) => lines.some(({ cells }) => cells.some((cell) => cell.kind === kind));
  const sample = isPointed(round.rule) ? '100' : round.rule === 'training' ? '' : '0:14';
  const all: readonly [kind: CellKind, sign: IconName | undefined, text: string, isShown: boolean][] = [
    ['first', 'flag', sample, round.rule !== 'training'],
    ['solved', 'check', sample, round.rule !== 'lockout'],
    ['later', 's-self', words('rounds.laterDays', { count: 2 }), isOver],
    ['tried', undefined, '–', true],
    ['hidden', undefined, '?', has('hidden')],
  ];
  const clocked = round.rule === 'icpc' ? 'clock' : 'plain';
  const name = (kind: CellKind) =>
    kind === 'solved' ? words(`rounds.legend.${clocked}`) : words(`rounds.legend.${kind as 'first'}`);
  return html`
    <p class="legend board-legend">
      ${all
        .filter(([, , , isShown]) => isShown)
        .map(
          ([kind, sign, text]) =>
            html`<span><span class="lg" data-result="${kind}">${sign && icon(sign)}${text}</span> ${name(kind)}</span>`,
        )}
    </p>`;
}

/** The table as CSV; before the start there is none. */
export async function sendBoard(visit: MemberVisit): Promise<Answer> {
  const seen = await seeRound(visit, await roundOf(visit));
  if (seen.phase === 'before') throw nothingHere(visit.path);
  const lines = await linesOf(visit, seen);
  const names = new Map(seen.people.map(({ user_id, username }) => [user_id, username]));
  const heads = ['place', 'username', 'solved', 'points', 'time', 'wrong', 'later'];
  const named = seen.problems.map(
    (one) => `${letterOf(one)} ${judgeOf(one.source)?.short ?? one.source} ${one.source_key} ${one.title}`,
  );
  const rows = lines.map(({ place, userId, solved, points, time, penalties, later, cells }) => [
    ...[place ?? null, names.get(userId) ?? '', solved, points, time, penalties, later],
    ...cells.map(({ kind, afterMs, tries }) => {
      if (kind === 'none' || kind === 'before') return null;
      const isSolved = kind === 'first' || kind === 'solved' || kind === 'later';
      return [kind, ...(isSolved ? [clock(afterMs)] : []), tries].join(' ');
    }),
  ]);
  return csvFile(seen.round.name, [[...heads, ...named], ...rows]);
}
