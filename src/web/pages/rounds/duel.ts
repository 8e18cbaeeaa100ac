/** The form that challenges somebody to a duel, and what its page shows until it is accepted. */
import { parseInt64 } from '../../../contract/common.ts';
import { judgeName } from '../../../judges/judges.ts';
import { momentOfLocalTime } from '../../../practice/days.ts';
import {
  type DuelChoice,
  duelBands,
  duelLimits,
  duelSources,
  findOpponent,
  isExpired,
  listDuelChoices,
  makeDuel,
} from '../../../practice/duels.ts';
import { findChallenged, type ShownRound } from '../../../store/rounds.ts';
import { actions, button, fieldGroup, form, formActions, radioButton, textField } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { copyable, notice, panel, unheadedPanel } from '../../kit/panel.ts';
import { duelText, enterButton, roundStyles } from '../../kit/round-parts.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { contestsPath, joinRoundPath, newDuelPath, roundPath } from '../../paths.ts';
import { fieldText, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { afterColon } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { roundCrumbs } from './round-form.ts';

/** Undefined for a duel with whoever has its link. */
function opponentIds({ query, path }: MemberVisit) {
  if (!query.has('person')) return undefined;
  const [groupId, personId] = ['group', 'person'].map((name) => parseInt64(query.get(name) ?? ''));
  if (groupId === undefined || personId === undefined) throw pageNotFound(path);
  return { groupId, personId };
}

export const showDuelForm = (visit: MemberVisit): Promise<PageResult> => formPage(visit);

export async function submitDuelForm(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: values, days } = visit;
  const [date, time] = ['date', 'time'].map((name) => fieldText(values, name, 30));
  const startsAt =
    date || time ? momentOfLocalTime(days.rule.zone, date ?? '', time || 'none') : new Date().toISOString();
  if (startsAt === undefined) return formPage(visit, words('rounds.noMoment'));
  const [sourceText, bandText] = fieldText(values, 'hard', 100).split(' ');
  const source = duelSources.find((one) => one === sourceText);
  const band = duelBands.find((one) => one === bandText);
  if (!source || !band) return formPage(visit, words('duels.hard'));
  const minutes = Number(fieldText(values, 'minutes', 6) || Number.NaN);
  try {
    const id = await makeDuel(store, member.user_id, { source, band, startsAt, minutes }, opponentIds(visit));
    return { to: roundPath(id) };
  } catch (error) {
    return formPage(visit, refusalText(error));
  }
}

async function formPage(visit: MemberVisit, fault?: string): Promise<PageResult> {
  const { store, member, site, query, form: values, path } = visit;
  const to = opponentIds(visit);
  const opponent = to && (await findOpponent(store.reader, member.user_id, to));
  if (to && !opponent) throw pageNotFound(path);
  const choices = await listDuelChoices(store.reader, member.user_id);
  const optionOf = ({ source, band }: DuelChoice) => `${source} ${band}`;
  const usual = choices.find(({ band, isOpen }) => band === 'even' && isOpen) ?? choices.find(({ isOpen }) => isOpen);
  const chosen = values.get('hard') ?? (usual && optionOf(usual));
  const choice = (one: DuelChoice) => {
    const { source, band, from, to, problems: count, isOpen, isRated } = one;
    const range = words(isRated ? 'duels.range' : 'duels.rangeUnrated', { judge: judgeName(source), from, to, count });
    const text = html`<b>${words('duels.band', { band })}</b> <span class="faint">${range}</span>`;
    return radioButton('hard', optionOf(one), text, chosen === optionOf(one), !isOpen && 'disabled');
  };
  const offered = choices.filter(({ source }) => choices.some((one) => one.source === source && one.problems > 0));
  const field = (label: string, name: string, more: Parameters<typeof textField>[3]) =>
    textField(label, name, {}, { value: values.get(name) ?? '', isOptional: true, ...more });
  const title = words('duels.new');
  const zone = words('rounds.zone', { zone: visit.days.rule.zone });
  const fields = html`
    ${fieldGroup(words('duels.hard'), 'hard', {}, html`<div class="choices">${offered.map(choice)}</div>`)}
    ${field(words('rounds.length'), 'minutes', {
      value: values.get('minutes') ?? String(duelLimits.minutes),
      longest: 6,
      more: { inputmode: 'numeric' },
    })}
    <div class="field-pair even">
      ${field(words('rounds.date'), 'date', {
        type: 'date',
        hint: words('duels.startHint', { count: duelLimits.startsAfterMinutes }),
      })}
      ${field(words('rounds.time'), 'time', { type: 'time', hint: zone })}
    </div>
    <p class="soft">${words('duels.sees')}</p>
    ${formActions(words('duels.make'))}`;
  const post = { to: newDuelPath + (query.size > 0 ? `?${query}` : ''), className: 'form wide' };
  const page = html`
    ${pageHead(html`${title}${opponent && html`${afterColon('')}${bdi(opponent.username)}`}`, {
      crumbs: roundCrumbs(site.basePath),
      sub: words('duels.sub'),
    })}
    <div class="stack">
      ${fault && notice('bad', fault)}
      ${unheadedPanel({ label: title }, form(visit, post, fields))}
    </div>`;
  const options = { title, current: contestsPath, kind: 'p-round-new p-duel-new', styles: roundStyles };
  return { html: frame(visit, options, page), ...(fault && { status: 422 }) };
}

/** For its maker, with the link to send, and for whoever may accept it. */
export async function offerPanel(visit: MemberVisit, round: ShownRound, to: string): Promise<Html> {
  const { store, member, site } = visit;
  const { id, secret, maker } = round;
  const isOpen = !isExpired(round, Date.now());
  const isOwn = round.made_by === member.user_id;
  const challenged = isOwn ? await findChallenged(store.reader, id) : undefined;
  const link = site.baseUrl + (secret === null ? roundPath(id) : joinRoundPath(secret));
  const buttons = isOwn
    ? button(words('duels.withdraw'), '', ['leave', 'yes'])
    : html`
      ${isOpen && enterButton(round)}
      ${round.is_invited === 1n && button(words('rounds.decline'), 'quiet', ['decline', 'yes'])}`;
  return panel(
    { id: 'duel', className: 'duel', heading: isOwn ? words('duels.waiting') : words('duels.from', { name: maker }) },
    html`
      ${isOpen ? duelText(round) : html`<p>${words('invalidValue.duelExpired')}</p>`}
      ${challenged?.is_declined === 1n && html`<p>${words('duels.declined', { name: challenged.username })}</p>`}
      ${isOwn && isOpen && html`<p>${words(challenged ? 'duels.named' : 'duels.link')}</p><p>${copyable(link)}</p>`}
      ${form(visit, { to }, actions(buttons))}`,
  );
}
