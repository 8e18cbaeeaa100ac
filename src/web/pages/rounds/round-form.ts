/** The form that creates a round from a list, ticked problems or a contest, and changes it. */
import { parseInt64 } from '../../../contract/common.ts';
import { hourMs, minuteMs } from '../../../durations.ts';
import { AppError, localizedError } from '../../../errors.ts';
import { requestContest } from '../../../jobs/sync-on-request.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import type { IdOrProblemToAdd } from '../../../practice/added-problems.ts';
import { localTimeOfMoment, momentOfLocalTime } from '../../../practice/days.ts';
import { roundRules } from '../../../practice/round-table.ts';
import {
  changeRound,
  isOver,
  makeRound,
  phaseOf,
  type RoundPlan,
  removeRound,
  roundLimits,
} from '../../../practice/rounds.ts';
import { listJoinedGroups } from '../../../store/groups.ts';
import {
  findVisibleList,
  listGardenLists,
  listOwnLists,
  listProblemsOfList,
  type ShownList,
} from '../../../store/lists.ts';
import { findProblemsByIds } from '../../../store/problems.ts';
import { listRoundProblems, type RoundRule, type ShownRound } from '../../../store/rounds.ts';
import { readContestLink } from '../../kit/contest-link.ts';
import {
  actions,
  button,
  checkbox,
  type Faults,
  fieldGroup,
  form,
  formActions,
  hasFaults,
  hiddenInputs,
  radioButton,
  selectField,
  textField,
} from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { gardenListsAtMost, listOption } from '../../kit/list-parts.ts';
import { problemLines } from '../../kit/marks.ts';
import { notice, panel, unheadedPanel } from '../../kit/panel.ts';
import { roundStyles } from '../../kit/round-parts.ts';
import { type Html, html } from '../../markup.ts';
import { contestsPath, editRoundPath, newRoundPath, roundPath, roundsPath } from '../../paths.ts';
import { fieldText, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { localizeText, richWords, words } from '../../words/words.ts';
import { getRound } from './round-view.ts';

const rules = Object.keys(roundRules) as RoundRule[];
const longestText = 2000;
const defaultMinutes = 120;

/** The round of the address, for its maker and the coaches of its group, who may delete it; undefined for a new one. */
async function findEditableRound(visit: MemberVisit): Promise<ShownRound | undefined> {
  if (visit.params['id'] === undefined) return undefined;
  const round = await getRound(visit);
  if (round.duel_band !== null || (!isMaker(visit, round) && round.role !== 'coach')) throw pageNotFound(visit.path);
  return round;
}

const isMaker = ({ member }: MemberVisit, round: ShownRound) => round.made_by === member.user_id;

export async function showForm(visit: MemberVisit): Promise<PageResult> {
  return formPage(visit, await findEditableRound(visit), {});
}

/** Creates, changes or deletes a round. */
export async function submitForm(visit: MemberVisit): Promise<PageResult> {
  const { store, member, website, form: values } = visit;
  const round = await findEditableRound(visit);
  if (round && values.has('delete')) {
    await removeRound(store, member.user_id, round.id);
    return { to: `${roundsPath}?done=deleted` };
  }
  if (round && !isMaker(visit, round)) throw pageNotFound(visit.path);
  const { name: longest } = roundLimits;
  if ((values.get('name') ?? '').trim().length > longest)
    return formPage(visit, round, { name: words('form.atMost', { longest }) });
  const rule = rules.find((one) => one === (values.get('rule') ?? round?.rule));
  if (!rule) return formPage(visit, round, { rule: words('invalidValue.roundRule') });
  const plan = readPlan(visit, rule);
  if (!plan) return formPage(visit, round, { date: words('rounds.noMoment') });
  try {
    const options = { problems: await problemsOf(visit), limits: website.addLimits };
    if (!round) {
      const groupId = parseInt64(fieldText(values, 'group', 30));
      const takesTeams = values.has('teams');
      const id = await makeRound(store, member.user_id, plan, { ...options, groupId, takesTeams });
      return { to: `${roundPath(id)}?done=made` };
    }
    const version = values.get('version') ?? '';
    if (await changeRound(store, member.user_id, round.id, plan, { ...options, version }))
      return { to: `${roundPath(round.id)}?done=saved` };
    return formPage(visit, round, { version: 'conflict' }, 409);
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError))
      return formPage(visit, round, { form: refusalText(error) });
    return formPage(visit, round, { contest: localizeText(error) }, error.status);
  }
}

/** Undefined if date and time are not valid. */
function readPlan({ form: values, days }: MemberVisit, rule: RoundRule): RoundPlan | undefined {
  const startsAt = momentOfLocalTime(
    days.rule.zone,
    fieldText(values, 'date', 30),
    fieldText(values, 'time', 30) || 'none',
  );
  if (startsAt === undefined) return undefined;
  const numberOf = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : Number.NaN);
  const points = fieldText(values, 'points', longestText).split(/[\s,;]+/);
  return {
    name: values.get('name') ?? '',
    startsAt,
    rule,
    minutes: numberOf(fieldText(values, 'minutes', 30).trim()),
    freezeMinutes: numberOf(fieldText(values, 'freeze', 30).trim() || '0'),
    points: points.filter(Boolean).map(numberOf),
  };
}

/* The problems that a form names: ticked problems, a list, or the link of a contest. */

const problemIdsIn = (from: URLSearchParams) =>
  from
    .getAll('problem')
    .slice(0, roundLimits.problems)
    .flatMap((text) => parseInt64(text) ?? []);

/** Undefined if the form has none. Throws invalidValue and judgeFailed. */
async function problemsOf(visit: MemberVisit): Promise<readonly IdOrProblemToAdd[] | undefined> {
  const { store, member, form: values } = visit;
  const link = fieldText(values, 'contest', longestText).trim();
  const listId = parseInt64(fieldText(values, 'list', 30));
  if (link !== '' && listId !== undefined) throw localizedError('invalidValue.roundSource');
  if (link !== '') return problemsOfContest(visit, link);
  if (listId !== undefined) {
    const list = await findVisibleList(store.reader, listId, member.user_id);
    if (!list) throw localizedError('invalidValue.noSuchList');
    if (list.problems > BigInt(roundLimits.problems))
      throw localizedError('invalidValue.roundProblems', { most: roundLimits.problems, count: Number(list.problems) });
    return (await listProblemsOfList(store.reader, listId)).map(({ id }) => id);
  }
  const ids = problemIdsIn(values);
  return ids.length > 0 ? ids : undefined;
}

async function problemsOfContest(visit: MemberVisit, link: string): Promise<readonly IdOrProblemToAdd[]> {
  const { store, member } = visit;
  const linked = await readContestLink(visit, link);
  if (!linked) throw localizedError('invalidValue.contestLink');
  return (await requestContest(store, member.user_id, linked)).problems;
}

/* The page of the form. */

async function formPage(
  visit: MemberVisit,
  round: ShownRound | undefined,
  faults: Faults,
  status = 422,
): Promise<PageResult> {
  const { site, form: values, query } = visit;
  const { basePath } = site;
  const phase = phaseIn(round);
  const name = { value: values.get('name') ?? round?.name ?? '', longest: roundLimits.name, hasFocus: !round };
  const content = html`
    ${faults['form'] && notice('bad', faults['form'])}
    ${faults['version'] && notice('warn', richWords('profile.conflict'))}
    ${textField(words('rounds.name'), 'name', faults, name)}
    ${phase === 'before' && (await sourceFields(visit, round, faults))}
    ${timeFields(visit, round, faults)}
    ${phase === 'before' && (await ruleFields(visit, round, faults))}
    ${!round && (await audienceField(visit))}
    ${round && !isOver(phase) && html`<p class="faint">${words('rounds.editAsks')}</p>`}
    ${formActions(words(round ? 'rounds.save' : 'rounds.make'))}`;
  const version = (faults['version'] === undefined && values.get('version')) || (round?.updated_at ?? '');
  const search = query.size > 0 ? `?${query}` : '';
  const post = round
    ? { to: editRoundPath(round.id), className: 'form wide', hidden: { version } }
    : { to: newRoundPath + search, className: 'form wide' };
  const title = words(round ? 'rounds.edit' : 'rounds.new');
  const crumbs = [...roundCrumbs(basePath), ...(round ? [[basePath + roundPath(round.id), round.name] as const] : [])];
  const canSave = !round || (isMaker(visit, round) && round.archived_at === null);
  const page = html`
    ${pageHead(title, { crumbs, sub: words(phase === 'before' ? 'rounds.newSub' : 'rounds.editRunning') })}
    <div class="stack">
      ${round && round.archived_at !== null && notice('warn', words('groups.archivedText'))}
      ${canSave && unheadedPanel({ label: title }, form(visit, post, content))}
      ${round && deletePanel(visit, round)}
    </div>`;
  const options = { title, current: contestsPath, kind: 'p-round-new', styles: roundStyles };
  return { html: frame(visit, options, page), ...(hasFaults(faults) && { status }) };
}

const phaseIn = (round: ShownRound | undefined) => (round ? phaseOf(round, Date.now()) : 'before');

const defaultStart = () => (Math.floor(Date.now() / hourMs) + 2) * hourMs;

function timeFields({ form: values, days }: MemberVisit, round: ShownRound | undefined, faults: Faults): Html {
  const phase = phaseIn(round);
  const { zone } = days.rule;
  const start = localTimeOfMoment(zone, round?.starts_at ?? new Date(defaultStart()).toISOString());
  const minutes = round ? (Date.parse(round.ends_at) - Date.parse(round.starts_at)) / minuteMs : defaultMinutes;
  const startInputs = hiddenInputs([
    ['date', start.date],
    ['time', start.time],
  ]);
  if (isOver(phase)) return startInputs;
  const timeField = (label: string, name: string, initial: string, more: Parameters<typeof textField>[3]) =>
    textField(label, name, faults, { value: values.get(name) ?? initial, ...more });
  const count = { longest: 6, more: { inputmode: 'numeric' } };
  const startFields = html`
    <div class="field-pair even">
      ${timeField(words('rounds.date'), 'date', start.date, { type: 'date' })}
      ${timeField(words('rounds.time'), 'time', start.time, { type: 'time', hint: words('rounds.zone', { zone }) })}
    </div>`;
  const freezeField = () =>
    timeField(words('rounds.freeze'), 'freeze', String(round?.freeze_minutes || ''), {
      ...count,
      isOptional: true,
      hint: words('rounds.freezeHint'),
    });
  return html`
    ${phase === 'before' ? startFields : startInputs}
    <div class="field-pair even">
      ${timeField(words('rounds.length'), 'minutes', String(minutes), {
        ...count,
        hint: words('rounds.lengthHint', { most: roundLimits.minutes }),
      })}
      ${phase !== 'frozen' && freezeField()}
    </div>`;
}

function deletePanel(visit: MemberVisit, { id }: ShownRound): Html {
  const remove = button(words('rounds.delete'), 'danger', ['delete', 'yes']);
  return panel(
    { id: 'delete', heading: words('rounds.deleteTitle') },
    html`
      <p class="soft">${words('rounds.deleteText')}</p>
      ${form(visit, { to: editRoundPath(id) }, actions(remove))}`,
  );
}

/** Problems ticked on another page come in the address; without any, the form offers lists and a contest's link. */
async function sourceFields(visit: MemberVisit, round: ShownRound | undefined, faults: Faults): Promise<Html> {
  const { store, site, member, form: values, query } = visit;
  const ids = new Set(problemIdsIn(values.size > 0 ? values : query));
  const rows = new Map((await findProblemsByIds(store.reader, [...ids])).map((row) => [row.id, row]));
  const problems = [...ids].flatMap((id) => rows.get(id) ?? []);
  if (problems.length > 0 && !round)
    return fieldGroup(
      words('rounds.problems'),
      'problem',
      faults,
      html`
        ${problemLines(site.basePath, problems, problems.length)}
        ${problems.map(({ id }) => html`<input type="hidden" name="problem" value="${id}">`)}`,
    );
  const own = await listOwnLists(store.reader, member.user_id);
  const others = await listGardenLists(store.reader, member.user_id, 0, gardenListsAtMost);
  const selected = values.get('list') ?? query.get('list') ?? '';
  const isPrivate = ({ visibility }: ShownList) => visibility === 'private';
  const optionGroups = [
    [words('rounds.privateLists'), own.filter(isPrivate).map(listOption)] as const,
    [words('rounds.seenLists'), [...own.filter((one) => !isPrivate(one)), ...others].map(listOption)] as const,
  ];
  const choices = [
    ['', words(round ? 'rounds.keepProblems' : 'groups.chooseList')] as const,
    ...optionGroups.filter(([, options]) => options.length > 0),
  ];
  const contest = values.get('contest') ?? query.get('contest') ?? '';
  return html`
    ${selectField(words('rounds.fromList'), 'list', choices, selected, { faults, hint: words('rounds.fromListHint') })}
    ${textField(words('rounds.fromContest'), 'contest', faults, {
      type: 'url',
      value: contest,
      longest: longestText,
      isOptional: true,
      hint: words('rounds.fromContestHint'),
    })}`;
}

async function ruleFields(
  { store, form: values }: MemberVisit,
  round: ShownRound | undefined,
  faults: Faults,
): Promise<Html> {
  const selected = values.get('rule') ?? round?.rule ?? 'icpc';
  const ruleChoice = (rule: RoundRule) =>
    radioButton(
      'rule',
      rule,
      html`<b>${words('rounds.rule', { rule })}</b> ${words(`rounds.ruleText.${rule}`)}`,
      rule === selected,
    );
  const existing = round && roundRules[round.rule].hasPoints ? await listRoundProblems(store.reader, round.id) : [];
  const points = {
    value: values.get('points') ?? existing.map((problem) => problem.points).join(' '),
    longest: longestText,
    isOptional: true,
    hint: words('rounds.pointsHint'),
  };
  return html`
    ${fieldGroup(words('rounds.rules'), 'rule', faults, html`<div class="choices">${rules.map(ruleChoice)}</div>`)}
    ${textField(words('rounds.points'), 'points', {}, points)}`;
}

async function audienceField({ store, member, form: values, query }: MemberVisit): Promise<Html> {
  const joined = await listJoinedGroups(store.reader, member.user_id);
  const groups = joined.filter(({ archived_at }) => archived_at === null);
  const choices = [...groups.map(({ id, name }) => [String(id), name] as const), ['', words('rounds.byLink')] as const];
  const selected = values.get('group') ?? query.get('group') ?? choices[0]?.[0] ?? '';
  return html`
    ${selectField(words('rounds.who'), 'group', choices, selected, { hint: words('rounds.whoHint') })}
    ${groups.length > 0 && checkbox(words('rounds.takesTeams'), 'teams', values.has('teams') || query.has('teams'))}`;
}

export const roundCrumbs = (basePath: string) =>
  [
    [basePath + contestsPath, words('contests.title')],
    [basePath + roundsPath, words('rounds.title')],
  ] as const;
