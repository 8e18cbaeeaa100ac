/** The table of a round as HTML and as CSV: a row for each person, a cell for each problem. */
import { dayMs, hourMs } from '../../../durations.ts';
import { judgeShort } from '../../../judges/judges.ts';
import type { Ghost } from '../../../practice/ghosts.ts';
import {
  type CellKind,
  compare,
  isSolvedThen,
  type RoundCell,
  type RoundResult,
  type RoundRow,
  roundRules,
} from '../../../practice/round-table.ts';
import { letterOf } from '../../../practice/rounds.ts';
import type { RoundPerson, RoundProblem, RoundRule } from '../../../store/rounds.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { type IconName, icon } from '../../kit/icons.ts';
import { fullName, nameLink } from '../../kit/member-name.ts';
import { hoursText } from '../../kit/round-parts.ts';
import { attr, bdi, type Html, html, inTurns } from '../../markup.ts';
import { problemPath, teamPath } from '../../paths.ts';
import { csvFile } from '../../request/responses.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { type FieldView, ghostName } from './real-field.ts';
import { getRound, isOwnLine, type RoundView, readRoundView } from './round-view.ts';

/** Such as 83:45 minutes. */
const minutesText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
const delayText = (ms: number) =>
  ms < dayMs
    ? words('rounds.laterHours', { count: Math.max(1, Math.floor(ms / hourMs)) })
    : words('rounds.laterDays', { count: Math.floor(ms / dayMs) });

const dash = html`<span class="faint">–</span>`;

/** The column beside the points, which depends on the rules and on the phase. */
interface SecondColumn {
  head: string;
  text(line: RoundResult): Html | string;
}

function secondColumn({ round: { rule }, phase }: RoundView): SecondColumn {
  const penalty = (text: (time: number) => string): SecondColumn => ({
    head: words('rounds.penalty'),
    text: ({ time, solved }) => (solved > 0 ? text(time) : dash),
  });
  const columns: Record<RoundRule, SecondColumn> = {
    icpc: penalty(String),
    points: penalty(minutesText),
    lockout: { head: words('rounds.solved'), text: ({ solved }) => String(solved) },
    training: penalty((time) => hoursText(time * 1000)),
  };
  const column = columns[rule];
  if (phase !== 'over') return column;
  return {
    head: commaList([column.head, words('rounds.upsolved')]),
    text: (line) => html`${column.text(line)}${line.later > 0 && html` <b class="plus">+${line.later}</b>`}`,
  };
}

/** `worth` is in the member's own row alone. */
export async function standingsTable(
  view: RoundView,
  hidesRatings: boolean,
  worth: Html | '' | false,
  field?: FieldView,
): Promise<Html> {
  const { lines, problems, round } = view;
  const column = secondColumn(view);
  const { hasPoints } = roundRules[round.rule];
  return html`
    <div class="board-wrap">
      <table class="standings" data-total="${lines.length}">
        <caption class="sr">${words('rounds.standings')}</caption>
        <thead>
          <tr>
            <th class="c-place" scope="col"><span class="sr">${words('rounds.place')}</span></th>
            <th class="c-name" scope="col">${words(round.teams_day === null ? 'rounds.person' : 'rounds.team')}</th>
            <th class="c-solved" scope="col">${words(hasPoints ? 'rounds.pointsHead' : 'rounds.solved')}</th>
            <th class="c-time" scope="col">${column.head}</th>
            ${problems.map((problem) => problemHead(view, problem, hidesRatings))}
          </tr>
        </thead>
        <tbody>${await inTurns(rowsWithGhosts(view, field), (line) =>
          'person' in line ? personRow(view, line, column, { worth, field }) : ghostRow(view, line, column, field),
        )}</tbody>
        <tfoot>${solvedCountRows(view)}</tfoot>
      </table>
    </div>
    ${legend(view)}`;
}

function problemHead({ basePath, round, phase }: RoundView, problem: RoundProblem, hidesRatings: boolean): Html {
  const { id, title, points, rating } = problem;
  return html`
    <th class="c-p" scope="col">
      <a href="${basePath}${problemPath(id)}" title="${title}">
        <b>${letterOf(problem)}</b>
        <span class="t">${title}</span>
        ${roundRules[round.rule].hasPoints && html`<span class="pts">${words('rounds.pointsOf', { points })}</span>`}
        ${phase === 'over' && !hidesRatings && rating !== null && difficulty(problem)}
      </a>
    </th>`;
}

const teamLink = ({ basePath, round }: RoundView, { team, team_id }: RoundPerson) =>
  html`<a href="${basePath}${teamPath(round.group_id ?? 0n, team_id ?? 0n)}"><bdi>${team}</bdi></a>`;

const lineName = ({ team, username }: RoundPerson) => team ?? username;

const membersText = (members: readonly RoundPerson[]) =>
  members[0]?.team_id === null ? words('rounds.alone') : commaList(members.map(({ username }) => username));

function fullNameIn({ groupPeople }: RoundView, { user_id, username }: RoundPerson): string {
  const person = groupPeople?.get(user_id);
  return person ? fullName(person) : username;
}

function namesBelow(view: RoundView, line: RoundRow): Html | false {
  const { person, members } = line;
  if (view.round.teams_day !== null) return html`<small class="sub-names">${membersText(members)}</small>`;
  const name = isOwnLine(view, line) ? person.username : fullNameIn(view, person);
  return name !== person.username && html`<small class="sub-names">${bdi(name)}</small>`;
}

/** Each ghost stands before the first person whom it is not behind. */
function rowsWithGhosts({ lines, round }: RoundView, field: FieldView | undefined): (RoundRow | Ghost)[] {
  const rest = [...(field?.ghosts ?? [])].sort((one, other) => compare(one, other, round.rule));
  const ahead = (line: RoundRow) => {
    const behind = rest.findIndex((ghost) => compare(ghost, line, round.rule) > 0);
    return rest.splice(0, behind < 0 ? rest.length : behind);
  };
  return [...lines.flatMap((line) => [...ahead(line), line]), ...rest];
}

function ghostRow(view: RoundView, ghost: Ghost, column: SecondColumn, field: FieldView | undefined): Html {
  return html`
    <tr class="ghost">
      <td class="c-place"></td>
      <th class="c-name" scope="row">${ghostName(field?.ghosts ?? [], ghost)}</th>
      ${resultCells(view, ghost, column)}
    </tr>`;
}

function resultCells({ round: { rule }, problems }: RoundView, line: RoundResult, column: SecondColumn): Html {
  const { points, solved, cells } = line;
  return html`
    <td class="c-solved"><b>${roundRules[rule].hasPoints ? points : solved}</b></td>
    <td class="c-time">${column.text(line)}</td>
    ${cells.map((cell, index) => problemCell(cell, rule, letterOf(problems[index] as RoundProblem)))}`;
}

function personRow(
  view: RoundView,
  line: RoundRow,
  column: SecondColumn,
  { worth, field }: { worth: Html | '' | false; field: FieldView | undefined },
): Html {
  const { person, place } = line;
  const about = field?.places.get(person.user_id);
  const isOwn = isOwnLine(view, line);
  return html`
    <tr data-person="${person.user_id}"${attr('class', isOwn && 'own')}>
      <td class="c-place">${place ?? ''}</td>
      <th class="c-name" scope="row">
        ${person.team === null ? nameLink(view.basePath, person) : teamLink(view, person)}
        ${isOwn && html` <span class="tag good">${words('rounds.you')}</span>${worth}`}
        ${namesBelow(view, line)}
        ${about !== undefined && html`<span class="about-place">${words('realField.about', { place: about })}</span>`}
      </th>
      ${resultCells(view, line, column)}
    </tr>`;
}

const cellIcons: Partial<Record<CellKind, IconName>> = {
  first: 'flag',
  solved: 'check',
  behind: 'check',
  later: 's-self',
};

function cellText({ kind, afterMs, points, takenBy }: RoundCell, rule: RoundRule): string {
  if (kind === 'first' || kind === 'solved') {
    if (rule === 'training') return '';
    return roundRules[rule].hasPoints ? String(points) : hoursText(afterMs);
  }
  if (kind === 'behind') return hoursText(afterMs);
  if (kind === 'later') return delayText(afterMs);
  if (kind === 'taken') return takenBy ? lineName(takenBy) : '';
  return kind === 'hidden' ? '?' : '–';
}

function cellRemark({ kind, tries, afterMs, sender }: RoundCell, rule: RoundRule): string {
  if (kind === 'hidden') return words('rounds.tries', { count: tries });
  if (kind === 'taken') return words('rounds.taken');
  if (kind === 'first' || kind === 'solved')
    return commaList([
      roundRules[rule].hasPoints && hoursText(afterMs),
      kind === 'first' && !sender && words('rounds.first'),
      tries > 0 && words('rounds.wrong', { count: tries }),
    ]);
  if (tries > 0) return words('rounds.wrong', { count: tries });
  if (kind === 'later' && afterMs > 0) return words('rounds.later');
  return kind === 'behind' ? words('rounds.behind') : '';
}

const wrongOnPhone = (tries: number) => html`<span class="w-narrow" aria-hidden="true">${tries} ✕</span>`;

function problemCell(cell: RoundCell, rule: RoundRule, letter: string): Html {
  const { kind, tries } = cell;
  const letterMark = html`<span class="letter" aria-hidden="true">${letter}</span>`;
  const label = words(`rounds.cell.${kind}`, { letter });
  if (kind === 'none' || kind === 'before')
    return html`<td class="c-p">${letterMark}<span class="sr">${label}</span></td>`;
  const cellIcon = cellIcons[kind];
  const text = cellText(cell, rule);
  const remark = commaList([cell.sender?.username, cellRemark(cell, rule)]);
  const narrow = tries > 0 && kind !== 'hidden' && kind !== 'taken' && wrongOnPhone(tries);
  return html`
    <td class="c-p" data-result="${kind}"${attr('title', kind === 'taken' && text)}>
      ${letterMark}
      <b>
        ${cellIcon && icon(cellIcon)}
        <span class="sr">${label} </span>
        <span${attr('class', kind === 'tried' && 'w-wide')}>${text}</span>
      </b>
      ${narrow}
      ${remark !== '' && html`<span class="tries">${remark}</span>`}
    </td>`;
}

export const countCells = ({ lines }: RoundView, index: number, isCounted: (cell: RoundCell) => boolean) =>
  lines.filter(({ cells }) => isCounted(cells[index] as RoundCell)).length;

export const isSolvedByNow = ({ isSolved }: RoundCell) => isSolved;

/** How many people solved each problem; after the end, during the round and until now. */
function solvedCountRows(view: RoundView): Html {
  const people = words('rounds.ofPeople', { count: view.lines.length });
  const row = (head: string, isCounted: (cell: RoundCell) => boolean) => html`
    <tr>
      <td></td>
      <th class="c-name" scope="row">${head}</th>
      <td></td>
      <td></td>
      ${view.problems.map(
        (_, index) =>
          html`<td class="c-p"><b>${countCells(view, index, isCounted)}</b> <span class="soft">${people}</span></td>`,
      )}
    </tr>`;
  if (view.phase !== 'over') return row(words('rounds.solvedBy'), isSolvedThen);
  return html`
    ${row(words('rounds.solvedThen'), isSolvedThen)}
    ${row(words('rounds.solvedNow'), isSolvedByNow)}`;
}

function legend({ lines, problems, round: { rule }, phase }: RoundView): Html {
  const hasHidden = lines.some(({ cells }) => cells.some(({ kind }) => kind === 'hidden'));
  const sample = roundRules[rule].hasPoints ? String(problems[0]?.points ?? 1) : rule === 'training' ? '' : '0:14';
  const entry = (kind: 'first' | 'behind' | 'later' | 'tried' | 'hidden' | 'solved', figure: string) => {
    const cellIcon = cellIcons[kind];
    const name = words(
      kind === 'behind'
        ? 'rounds.behind'
        : `rounds.legend.${kind !== 'solved' ? kind : rule === 'icpc' ? 'clock' : 'plain'}`,
    );
    return html`
      <span>
        <span class="lg" data-result="${kind}">${cellIcon && icon(cellIcon)}${figure}</span>${' '}
        ${name}
      </span>`;
  };
  return html`
    <p class="legend board-legend">
      ${rule !== 'training' && entry('first', sample)}
      ${rule !== 'lockout' && entry('solved', sample)}
      ${rule === 'lockout' && phase === 'over' && entry('behind', '1:06')}
      ${phase === 'over' && entry('later', words('rounds.laterDays', { count: 2 }))}
      ${entry('tried', '–')}
      ${hasHidden && entry('hidden', '?')}
    </p>`;
}

type CsvColumn = readonly [head: string, cell: (line: RoundRow) => string | number | null];

/** Coaches of the round's group also read names and student numbers, as in the files of its tables. */
function csvColumns(view: RoundView): CsvColumn[] {
  const { round, groupPeople } = view;
  const isOfTeams = round.teams_day !== null;
  const ofTeams: CsvColumn[] = isOfTeams ? [['team', ({ person }) => lineName(person)]] : [];
  const name: CsvColumn = ['member', ({ members }) => commaList(members.map((one) => fullNameIn(view, one)))];
  const number: CsvColumn = [
    'student_number',
    ({ members }) => commaList(members.map(({ user_id }) => groupPeople?.get(user_id)?.student_number)) || null,
  ];
  return [
    ['place', ({ place }) => place ?? null],
    ...ofTeams,
    ...(groupPeople ? [name] : []),
    isOfTeams ? ['people', ({ members }) => membersText(members)] : ['username', ({ person }) => person.username],
    ...(groupPeople ? [number] : []),
    ['solved', ({ solved }) => solved],
    ['points', ({ points }) => points],
    ['time', ({ time }) => time],
    ['wrong', ({ penalties }) => penalties],
    ['later', ({ later }) => later],
  ];
}

export async function sendStandings(visit: MemberVisit): Promise<PageResult> {
  const view = await readRoundView(visit, await getRound(visit));
  const { phase, problems, lines, round } = view;
  if (phase === 'before') throw pageNotFound(visit.path);
  const columns = csvColumns(view);
  const problemHeads = problems.map(
    (one) => `${letterOf(one)} ${judgeShort(one.source)} ${one.source_key} ${one.title}`,
  );
  const rows = lines.map((line) => [
    ...columns.map(([, cell]) => cell(line)),
    ...line.cells.map(({ kind, afterMs, tries }) => {
      if (kind === 'none' || kind === 'before') return null;
      // Practice after the round is not dated nearer than on the page.
      const unit = kind !== 'later' ? 1 : afterMs < dayMs ? hourMs : dayMs;
      return [kind, ...(kind in cellIcons ? [hoursText(afterMs - (afterMs % unit))] : []), tries].join(' ');
    }),
  ]);
  return csvFile(round.name, [[...columns.map(([head]) => head), ...problemHeads], ...rows]);
}
