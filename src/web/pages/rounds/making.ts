/** The form of a round: making one from a list, a pick or a contest, and changing it. */
import { parseInt64 } from '../../../contract/common.ts';
import { AppError, refused } from '../../../errors.ts';
import { contestAt } from '../../../judges/addresses.ts';
import { faultKindOf } from '../../../judges/faults.ts';
import type { IdOrWanted } from '../../../practice/added-problems.ts';
import { clockIn, momentIn } from '../../../practice/days.ts';
import { changeRound, makeRound, phaseOf, type RoundPlan, removeRound, roundLimits } from '../../../practice/rounds.ts';
import { findContestsByKeys, listGridPlaces } from '../../../store/contests.ts';
import { listOwnGroups } from '../../../store/groups.ts';
import { findVisibleList, listGardenLists, listListed, listOwnLists, type ShownList } from '../../../store/lists.ts';
import { findProblemsByIds } from '../../../store/problems.ts';
import { listRoundProblems, type RoundRule, type ShownRound } from '../../../store/rounds.ts';
import { askedContest } from '../../kit/contest-problems.ts';
import {
  actions,
  button,
  choice,
  type Faults,
  fieldGroup,
  form,
  formActions,
  hasFaults,
  selectField,
  textField,
} from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { linkButton } from '../../kit/links.ts';
import { listOption } from '../../kit/list-parts.ts';
import { problemLines } from '../../kit/marks.ts';
import { notice, panel } from '../../kit/panel.ts';
import { roundStyles } from '../../kit/round-parts.ts';
import { type Html, html } from '../../markup.ts';
import { contestsPath, editRoundPath, newRoundPath, roundPath, roundsPath } from '../../paths.ts';
import { faultOf, field } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { inOrder } from '../../words/formats.ts';
import { richWords, sentenceOf, words } from '../../words/words.ts';
import { roundOf } from './seeing.ts';

const rules: readonly RoundRule[] = ['icpc', 'points', 'lockout', 'training'];
const longestText = 2000;
const usualMinutes = 120;
const gardenListsShown = 200;

export async function showNewRound(visit: MemberVisit): Promise<Answer> {
  return formPage(visit, undefined, {});
}

export async function takeNewRound(visit: MemberVisit): Promise<Answer> {
  return taken(visit, undefined, async (plan, wanted) => {
    const { store, member, website, form: sent } = visit;
    const groupId = parseInt64(field(sent, 'group', 30));
    const round = { groupId, wanted: wanted ?? [], limits: website.addLimits };
    return makeRound(store, member.user_id, plan, round);
  });
}

export async function showEdit(visit: MemberVisit): Promise<Answer> {
  return formPage(visit, await ownRound(visit), {});
}

export async function takeEdit(visit: MemberVisit): Promise<Answer> {
  const { store, member, website, form: sent } = visit;
  const round = await ownRound(visit);
  if (!sent.has('delete') && !isMaker(visit, round)) throw nothingHere(visit.path);
  if (sent.has('delete')) {
    await removeRound(store, member.user_id, round.id);
    return { to: `${roundsPath}?done=deleted` };
  }
  return taken(visit, round, async (plan, wanted) => {
    const seen = sent.get('version') ?? '';
    const isSaved = await changeRound(store, member.user_id, round.id, plan, {
      ...{ wanted, seen, limits: website.addLimits },
    });
    return isSaved ? round.id : undefined;
  });
}

/** The round of the address, for its maker, and for deletion for the coaches of its group. */
async function ownRound(visit: MemberVisit): Promise<ShownRound> {
  const round = await roundOf(visit);
  if (!isMaker(visit, round) && round.role !== 'coach') throw nothingHere(visit.path);
  return round;
}

const isMaker = ({ member }: MemberVisit, round: ShownRound) => round.made_by === member.user_id;

/** Does what the form asks for, and goes on to the round; the form again with what is wrong. */
async function taken(
  visit: MemberVisit,
  round: ShownRound | undefined,
  change: (plan: RoundPlan, wanted: readonly IdOrWanted[] | undefined) => Promise<bigint | undefined>,
): Promise<Answer> {
  const { plan, faults } = readPlan(visit);
  if (!plan) return formPage(visit, round, faults);
  try {
    const id = await change(plan, await wantedOf(visit));
    if (id === undefined) return formPage(visit, round, { version: 'overtaken' }, 409);
    return { to: `${roundPath(id)}?done=${round ? 'saved' : 'made'}` };
  } catch (error) {
    if (faultKindOf(error) === undefined || !(error instanceof AppError))
      return formPage(visit, round, { form: faultOf(error) });
    return formPage(visit, round, { contest: sentenceOf(error) }, error.status);
  }
}

function readPlan({ form: sent, days }: MemberVisit): { plan?: RoundPlan; faults: Faults } {
  const startsAt = momentIn(days.rule.zone, field(sent, 'date', 30), field(sent, 'time', 30) || 'none');
  if (startsAt === undefined) return { faults: { date: words('rounds.noMoment') } };
  const numberIn = (name: string) => {
    const text = field(sent, name, 30).trim();
    return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  };
  const rule = rules.find((one) => one === sent.get('rule')) ?? 'icpc';
  const points = field(sent, 'points', longestText)
    .split(/[\s,;]+/)
    .filter(Boolean);
  return {
    plan: {
      ...{ name: field(sent, 'name', longestText), rule, startsAt, minutes: numberIn('minutes') },
      freezeMinutes: field(sent, 'freeze', 30).trim() === '' ? 0 : numberIn('freeze'),
      points: points.map((text) => (/^\d{1,6}$/.test(text) ? Number(text) : Number.NaN)),
    },
    faults: {},
  };
}

/* The problems that a form names: a pick, a list, or the link of a contest. */

const pickedIn = (from: URLSearchParams) =>
  from
    .getAll('problem')
    .slice(0, roundLimits.problems)
    .flatMap((text) => parseInt64(text) ?? []);

/** Undefined where the form names none. Throws badSetting and judgeFailed. */
async function wantedOf(visit: MemberVisit): Promise<readonly IdOrWanted[] | undefined> {
  const { store, member, form: sent } = visit;
  const link = field(sent, 'contest', longestText).trim();
  const listId = parseInt64(field(sent, 'list', 30));
  if (link !== '' && listId !== undefined) throw refused('badSetting.roundSource');
  if (link !== '') return contestOf(visit, link);
  if (listId !== undefined) {
    const list = await findVisibleList(store.reader, listId, member.user_id);
    if (!list) throw refused('badSetting.noSuchList');
    if (list.problems > BigInt(roundLimits.problems))
      throw refused('badSetting.roundProblems', { most: roundLimits.problems, count: Number(list.problems) });
    return (await listListed(store.reader, listId)).map(({ id }) => id);
  }
  const picked = pickedIn(sent);
  return picked.length > 0 ? picked : undefined;
}

/** A contest whose problems are all here is not asked for. */
async function contestOf(visit: MemberVisit, link: string): Promise<readonly IdOrWanted[]> {
  const { reader } = visit.store;
  const named = contestAt(link);
  if (!named) throw refused('badSetting.roundContest');
  const [known] = await findContestsByKeys(reader, named.source, [named.contest]);
  const places = known ? await listGridPlaces(reader, [known.id]) : [];
  if (places.length > 0 && places.every(({ id }) => id !== null)) {
    const ordered = places.toSorted((a, b) => inOrder(a.position, b.position));
    return [...new Set(ordered.flatMap(({ id }) => id ?? []))];
  }
  try {
    return (await askedContest(visit, link)).problems;
  } catch (error) {
    if (faultKindOf(error) === undefined) throw refused('badSetting.roundContest', {}, error);
    throw error;
  }
}

/* The page of the form. */

async function formPage(
  visit: MemberVisit,
  round: ShownRound | undefined,
  faults: Faults,
  status = 422,
): Promise<Answer> {
  const { site, form: sent, query, days } = visit;
  const { zone } = days.rule;
  const hasStarted = round !== undefined && phaseOf(round, Date.now()) !== 'before';
  const starts = clockIn(zone, round?.starts_at ?? new Date(nextHour()).toISOString());
  const given = (name: string, usual: string) => sent.get(name) ?? usual;
  const minutes = round ? (Date.parse(round.ends_at) - Date.parse(round.starts_at)) / 60_000 : usualMinutes;
  const own = { isOptional: true, longest: 6, more: { inputmode: 'numeric' } };
  const when = html`
    <div class="field-pair even">
      ${textField(words('rounds.date'), 'date', faults, { type: 'date', value: given('date', starts.date) })}
      ${textField(words('rounds.time'), 'time', faults, {
        ...{ type: 'time', value: given('time', starts.time), hint: words('rounds.zone', { zone }) },
      })}
    </div>
    <div class="field-pair even">
      ${textField(words('rounds.length'), 'minutes', faults, {
        ...{ value: given('minutes', String(minutes)), longest: 6, more: { inputmode: 'numeric' } },
        hint: words('rounds.lengthHint', { most: roundLimits.minutes }),
      })}
      ${textField(words('rounds.freeze'), 'freeze', faults, {
        ...{ ...own, value: given('freeze', String(round?.freeze_minutes ?? '')) },
        hint: words('rounds.freezeHint'),
      })}
    </div>`;
  const name = { value: given('name', round?.name ?? ''), longest: roundLimits.name, hasFocus: !round };
  const content = html`
    ${faults['form'] && notice('bad', faults['form'])}
    ${faults['version'] && notice('warn', richWords('profile.overtaken'))}
    ${textField(words('rounds.name'), 'name', faults, name)}
    ${!hasStarted && (await sourceFields(visit, round, faults))}
    ${when}
    ${!hasStarted && ruleFields(visit, round, await pointsOf(visit, round))}
    ${!round && (await audienceField(visit))}
    ${formActions(words(round ? 'rounds.save' : 'rounds.make'))}`;
  const to = round ? editRoundPath(round.id) : newRoundPath;
  const version = (faults['version'] === undefined && sent.get('version')) || (round?.updated_at ?? '');
  const title = words(round ? 'rounds.edit' : 'rounds.new');
  const crumbs = [
    ...roundCrumbs(site.basePath),
    ...(round ? [[site.basePath + roundPath(round.id), round.name] as const] : []),
  ];
  const asked = !round && query.size > 0 ? `?${query}` : '';
  const page = html`
    ${pageHead(title, { crumbs, sub: words(hasStarted ? 'rounds.editRunning' : 'rounds.newSub') })}
    <div class="stack">
      ${
        (!round || isMaker(visit, round)) &&
        html`
          <section class="panel" aria-label="${title}">
            ${form(visit, { to: to + asked, className: 'form wide', hidden: round ? { version } : {} }, content)}
          </section>`
      }
      ${round && panel({ id: 'delete', heading: words('rounds.deleteTitle') }, deletion(visit, round))}
    </div>`;
  const options = { title, current: contestsPath, kind: 'p-round-new', styles: roundStyles };
  return { html: frame(visit, options, page), ...(hasFaults(faults) && { status }) };
}

const hourMs = 3_600_000;
const nextHour = () => (Math.floor(Date.now() / hourMs) + 2) * hourMs;

function deletion(visit: MemberVisit, { id }: ShownRound): Html {
  return html`
    <p class="soft">${words('rounds.deleteText')}</p>
    ${form(visit, { to: editRoundPath(id) }, actions(button(words('rounds.delete'), 'danger', ['delete', 'yes'])))}`;
}

async function pointsOf({ store, form: sent }: MemberVisit, round: ShownRound | undefined): Promise<string> {
  if (sent.has('points')) return sent.get('points') ?? '';
  const isCounted = round?.rule === 'points' || round?.rule === 'lockout';
  if (!isCounted) return '';
  return (await listRoundProblems(store.reader, round.id)).map(({ points }) => points).join(' ');
}

/** The choice of problems. What was picked stands in the address, so that the form has it again. */
async function sourceFields(visit: MemberVisit, round: ShownRound | undefined, faults: Faults): Promise<Html> {
  const { store, site, member, form: sent, query } = visit;
  const ids = new Set(pickedIn(sent.size > 0 ? sent : query));
  const rows = new Map((await findProblemsByIds(store.reader, [...ids])).map((row) => [row.id, row]));
  const picked = [...ids].flatMap((id) => rows.get(id) ?? []);
  if (picked.length > 0 && !round)
    return fieldGroup(
      words('rounds.problems'),
      'problem',
      faults,
      html`
        ${problemLines(site.basePath, picked, picked.length)}
        ${picked.map(({ id }) => html`<input type="hidden" name="problem" value="${id}">`)}`,
    );
  const own = await listOwnLists(store.reader, member.user_id);
  const others = await listGardenLists(store.reader, member.user_id, 0, gardenListsShown);
  const chosen = sent.get('list') ?? query.get('list') ?? '';
  const isOwnAlone = ({ visibility }: ShownList) => visibility === 'private';
  const parts = [
    [words('rounds.privateLists'), own.filter(isOwnAlone).map(listOption)] as const,
    [words('rounds.seenLists'), [...own.filter((one) => !isOwnAlone(one)), ...others].map(listOption)] as const,
  ];
  const choices = [
    ['', words(round ? 'rounds.keepProblems' : 'groups.chooseList')] as const,
    ...parts.filter(([, some]) => some.length > 0),
  ];
  const contest = sent.get('contest') ?? query.get('contest') ?? '';
  return html`
    ${selectField(words('rounds.fromList'), 'list', choices, chosen, { faults, hint: words('rounds.fromListHint') })}
    ${textField(words('rounds.fromContest'), 'contest', faults, {
      ...{ type: 'url', value: contest, longest: longestText, isOptional: true },
      hint: words('rounds.fromContestHint'),
    })}`;
}

function ruleFields({ form: sent }: MemberVisit, round: ShownRound | undefined, points: string): Html {
  const chosen = sent.get('rule') ?? round?.rule ?? 'icpc';
  const one = (rule: RoundRule) =>
    choice(
      'rule',
      rule,
      html`<b>${words('rounds.rule', { rule })}</b> ${words(`rounds.ruleText.${rule}`)}`,
      rule === chosen,
    );
  return html`
    ${fieldGroup(words('rounds.rules'), 'rule', {}, html`<div class="choices">${rules.map(one)}</div>`)}
    ${textField(
      words('rounds.points'),
      'points',
      {},
      {
        ...{ value: points, longest: longestText, isOptional: true, hint: words('rounds.pointsHint') },
      },
    )}`;
}

async function audienceField({ store, member, form: sent, query }: MemberVisit): Promise<Html> {
  const groups = await listOwnGroups(store.reader, member.user_id);
  const choices = [...groups.map(({ id, name }) => [String(id), name] as const), ['', words('rounds.byLink')] as const];
  const chosen = sent.get('group') ?? query.get('group') ?? choices[0]?.[0] ?? '';
  return selectField(words('rounds.who'), 'group', choices, chosen, { hint: words('rounds.whoHint') });
}

/** The way back to the rounds. */
export const roundCrumbs = (basePath: string) =>
  [
    [basePath + contestsPath, words('contests.title')],
    [basePath + roundsPath, words('rounds.title')],
  ] as const;

export const editButton = (basePath: string, id: bigint, isMaker: boolean) =>
  linkButton(basePath + editRoundPath(id), words(isMaker ? 'rounds.edit' : 'rounds.delete'), {
    symbol: isMaker ? 'note' : 'trash',
  });
