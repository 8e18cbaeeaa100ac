/** A round beside the real field: what stands above and in its table, and the page where its maker chooses that. */
import { localizedError } from '../../../errors.ts';
import { readRunFile, runFileMiB } from '../../../importing/xcpcio.ts';
import { requestRealField } from '../../../jobs/real-fields.ts';
import { judgeOf } from '../../../judges/judges.ts';
import { type Ghost, ghostsAt, placeIn, scoresAt } from '../../../practice/ghosts.ts';
import { readGymKey } from '../../../practice/gym-keys.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import {
  findContestOfRound,
  hideRealField,
  mayHaveField,
  readRealField,
  type ShownField,
  saveRealField,
  showRealField,
} from '../../../practice/real-fields.ts';
import { isSolvedThen, type RoundRow } from '../../../practice/round-table.ts';
import { hiddenFrom, isJury, phaseOf } from '../../../practice/rounds.ts';
import { listRoundProblems, type ShownRound } from '../../../store/rounds.ts';
import { ghostPicture, type SolvedLine } from '../../drawing/charts/ghost-picture.ts';
import { tableOfChart } from '../../drawing/charts/plot.ts';
import { dateElement } from '../../kit/dates.ts';
import { actions, button, type Faults, fileField, form, formActions } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { notice, noticeOf, unheadedPanel } from '../../kit/panel.ts';
import { hoursText, roundStyles } from '../../kit/round-parts.ts';
import { type Html, html } from '../../markup.ts';
import { contestsPath, roundFieldPath, roundPath } from '../../paths.ts';
import { timeOfDay } from '../../request/clock.ts';
import { refusalText, type UploadedFile } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { words } from '../../words/words.ts';
import { roundCrumbs } from './round-form.ts';
import { getRound, isOwnLine, type RoundView } from './round-view.ts';

export interface FieldView extends ShownField {
  ghosts: readonly Ghost[];
  /** About where the people of the round would have been, by member. */
  places: ReadonlyMap<bigint, number>;
  /** The moment that all of it is of (milliseconds since 1970). */
  at: number;
}

/** Everything shows what was so at the moment of the table: nothing of the field's future. */
export async function readFieldView({ store }: MemberVisit, view: RoundView): Promise<FieldView | undefined> {
  const { round, problems, lines, viewerId, now } = view;
  const shown = await readRealField(store.longReader, round, problems);
  if (!shown) return undefined;
  const hidden = isJury(round, viewerId) ? undefined : hiddenFrom(round, now);
  const at = Math.min(now, Date.parse(hidden ?? round.ends_at), Date.parse(round.ends_at));
  const seconds = (at - Date.parse(round.starts_at)) / 1000;
  const { field } = shown;
  if (!field) return { ...shown, ghosts: [], places: new Map(), at };
  const points = problems.map((problem) => Number(problem.points));
  const scores = scoresAt(field, seconds);
  const ranked = lines.filter(({ place }) => place !== undefined);
  const places = new Map(ranked.map((line) => [line.person.user_id, placeIn(field, scores, line)]));
  return { ...shown, ghosts: ghostsAt(field, { rule: round.rule, points }, seconds), places, at };
}

const placeName = ({ place }: Ghost) => words('realField.place', { place });

export const ghostName = (ghosts: readonly Ghost[], ghost: Ghost): string =>
  ghost === ghosts.at(-1) ? words('realField.middle', { place: ghost.place }) : placeName(ghost);

const originOf = (text: string, { title, heldAt }: ShownField): Html => html`
  <p class="facts soft">
    <span>${text}</span>
    ${title !== null && html`<span><bdi>${title}</bdi></span>`}
    ${heldAt && html`<span>${dateElement(heldAt)}</span>`}
  </p>`;

/** Above the table: the visitor's place, and how many the best ghost, the visitor and the middle had solved. */
export function fieldStrip(visit: MemberVisit, roundView: RoundView, view: FieldView): Html {
  const { round, lines, isMaker } = roundView;
  const { field, places, ghosts, at } = view;
  const own = lines.find((line) => isOwnLine(roundView, line));
  const place = own && places.get(own.person.user_id);
  const lineOf = (kind: SolvedLine['kind'], name: string, { cells }: Pick<RoundRow, 'cells'>): SolvedLine => {
    const solved = cells.filter(isSolvedThen).map(({ afterMs }) => afterMs);
    return { kind, name, solvedAt: solved.toSorted((one, other) => one - other) };
  };
  const [best, middle] = [ghosts[0], ghosts.length > 1 ? ghosts.at(-1) : undefined];
  const solvedLines = [
    ...(best ? [lineOf('best', placeName(best), best)] : []),
    ...(own ? [lineOf('own', words('rounds.you'), own)] : []),
    ...(middle ? [lineOf('middle', placeName(middle), middle)] : []),
  ];
  const most = Math.max(1, ...solvedLines.map(({ solvedAt }) => solvedAt.length));
  const heads = [words('rounds.person'), ...Array.from({ length: most }, (_, index) => String(index + 1))];
  const rows = solvedLines.map(({ name, solvedAt }) => [
    name,
    ...Array.from({ length: most }, (_, index) => {
      const afterMs = solvedAt[index];
      return afterMs === undefined ? '–' : hoursText(afterMs);
    }),
  ]);
  const ends = [timeOfDay(round.starts_at), timeOfDay(new Date(at).toISOString())] as const;
  return unheadedPanel(
    { labelledBy: 'beside', className: 'figure-row beside' },
    html`
      <div class="figure-side">
        <h2 id="beside">${words('realField.title')}</h2>
        ${place !== undefined && html`<p class="figure"><b>${words('realField.about', { place })}</b></p>`}
        ${
          field
            ? originOf(words('realField.of', { total: field.total }), view)
            : html`<p class="soft">${stateOf(view)}</p>`
        }
        ${isMaker && switchForm(visit, round, true)}
      </div>
      <div>
        ${field && ghostPicture(solvedLines, at - Date.parse(round.starts_at), ends)}
        ${field && tableOfChart(words('progress.asTable', { name: words('realField.title') }), heads, rows)}
      </div>`,
  );
}

const stateOf = ({ state = 'failed' }: ShownField) => words(`noField.${state}`);

const stateNotice = (shown: ShownField) =>
  shown.field
    ? noticeOf('good', originOf(words('realField.shown', { total: shown.field.total }), shown))
    : notice('plain', stateOf(shown));

const switchForm = (visit: MemberVisit, { id }: ShownRound, isOn: boolean) => {
  const press = isOn
    ? button(words('realField.hide'), 'small quiet', ['hide', 'yes'])
    : button(words('realField.show'), 'primary', ['show', 'yes']);
  return form(visit, { to: roundFieldPath(id) }, actions(press));
};

/* The page of the maker. */

async function makersRound(visit: MemberVisit): Promise<ShownRound> {
  const round = await getRound(visit);
  if (round.made_by !== visit.member.user_id || !mayHaveField(round)) throw pageNotFound(visit.path);
  return round;
}

export const showField = async (visit: MemberVisit): Promise<PageResult> => fieldPage(visit, await makersRound(visit));

export async function submitField(visit: MemberVisit, file?: UploadedFile): Promise<PageResult> {
  const round = await makersRound(visit);
  const { store, member, form: values } = visit;
  try {
    if (values.has('hide')) await hideRealField(store, member.user_id, round.id);
    else {
      await showRealField(store, member.user_id, round.id);
      if (values.has('get')) await getWithKey(visit, round);
      const seconds = (Date.parse(round.ends_at) - Date.parse(round.starts_at)) / 1000;
      if (file) await saveRealField(store, round.id, await readRunFile(file.bytes, seconds), null);
    }
  } catch (error) {
    return fieldPage(visit, round, { file: refusalText(error) });
  }
  return { to: values.has('hide') ? roundPath(round.id) : roundFieldPath(round.id) };
}

/** The private contest of a round that has started, if the visitor's key of this session may open it. */
async function keyedContest({ store, member, sealing }: MemberVisit, { id, group_id, role, ...round }: ShownRound) {
  if (group_id === null || role !== 'coach' || phaseOf(round, Date.now()) === 'before') return undefined;
  const contest = await findContestOfRound(store.reader, id);
  if (!contest || judgeOf(contest.source)?.gymTitle?.(contest.contest) === undefined) return undefined;
  const coach = { groupId: group_id, coachId: member.user_id };
  const apiKey = await readGymKey(store.reader, coach, { id: member.id, sealing });
  return apiKey && { contest, apiKey };
}

async function getWithKey(visit: MemberVisit, round: ShownRound): Promise<void> {
  const { store, member, website } = visit;
  const keyed = await keyedContest(visit, round);
  if (!keyed) throw localizedError('invalidValue.noGymKey');
  const { contest, apiKey } = keyed;
  const address = (await listJudgeAddresses(store.reader, website.judgeUrls)).get(contest.source);
  await requestRealField(store, { memberId: member.user_id, roundId: round.id }, contest, { address, apiKey });
}

async function fieldPage(visit: MemberVisit, round: ShownRound, faults: Faults = {}): Promise<PageResult> {
  const { store, site } = visit;
  const shown = await readRealField(store.longReader, round, await listRoundProblems(store.reader, round.id));
  const to = roundFieldPath(round.id);
  const title = words('realField.title');
  const crumbs = [...roundCrumbs(site.basePath), [site.basePath + roundPath(round.id), round.name] as const];
  const upload = () => html`
    ${form(
      visit,
      { to, hasFile: true, className: 'form' },
      html`
        ${fileField(words('realField.file'), { faults, hint: words('realField.fileHint', { most: runFileMiB }) })}
        ${formActions(words('realField.upload'))}`,
    )}`;
  const getButton = button(words('results.get'), '', ['get', 'yes']);
  const content = html`
    <p class="soft">${words('realField.text')}</p>
    ${shown && (await keyedContest(visit, round)) && form(visit, { to }, actions(getButton))}
    ${shown ? upload() : switchForm(visit, round, false)}`;
  const page = html`
    ${pageHead(title, { crumbs, ...(shown && { actions: switchForm(visit, round, true) }) })}
    <div class="stack">
      ${shown && stateNotice(shown)}
      ${unheadedPanel({ label: title }, content)}
    </div>`;
  const options = { title, current: contestsPath, kind: 'p-round-field', styles: roundStyles };
  return { html: frame(visit, options, page), ...(faults['file'] && { status: 422 }) };
}
