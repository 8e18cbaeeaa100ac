/** The page of a round: who joined, the table once it runs, and what is left to solve after its end. */
import { hourMs } from '../../../durations.ts';
import { judgeName, judgeShort } from '../../../judges/judges.ts';
import { acceptDuel } from '../../../practice/duels.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import { mayHaveField } from '../../../practice/real-fields.ts';
import { roundRules } from '../../../practice/round-table.ts';
import {
  findRoundAtAddress,
  frozenFrom,
  inviteToRound,
  isJury,
  isOpenDuel,
  isSyncedOften,
  joinRound,
  leaveRound,
  letterOf,
  type RoundAddress,
  removeRound,
  resultsShownAt,
  seesHiddenResults,
  showResults,
} from '../../../practice/rounds.ts';
import { countInvited, type RoundHandle, type RoundPerson, type ShownRound } from '../../../store/rounds.ts';
import { ownPerformance, performanceHint } from '../../kit/chance.ts';
import { changeBar } from '../../kit/changes.ts';
import { timeAgo, timeUntil } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { followAttributes } from '../../kit/follow.ts';
import { actions, button, form } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton, printButton } from '../../kit/links.ts';
import { judgeBadge, judgeKey, problemLink, shownState, statusControl, webLink } from '../../kit/marks.ts';
import { nameLink } from '../../kit/member-name.ts';
import { copyable, emptyPanel, notice, panel, slimPanel, successNotice, unheadedPanel } from '../../kit/panel.ts';
import { privateResults } from '../../kit/private-results.ts';
import { findMarks } from '../../kit/problem-table.ts';
import { dayAndTime, joinText, roundDuration, roundSpan, roundStyles, startAndEnd } from '../../kit/round-parts.ts';
import { isSyncing } from '../../kit/sync-health.ts';
import { startTimerForm } from '../../kit/timer.ts';
import { attr, type Html, html, svg } from '../../markup.ts';
import {
  contestsPath,
  editRoundPath,
  handlesPath,
  joinRoundPath,
  problemPath,
  roundFieldPath,
  roundPath,
  roundsPath,
} from '../../paths.ts';
import { timeOfDay, timeWithSeconds } from '../../request/clock.ts';
import { refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { afterColon, commaList } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { offerPanel } from './duel.ts';
import { fieldStrip, readFieldView } from './real-field.ts';
import { roundCrumbs } from './round-form.ts';
import {
  freshnessOf,
  getRound,
  isOwnLine,
  missingHandles,
  type RoundView,
  readRoundView,
  syncIntervalSeconds,
} from './round-view.ts';
import { countCells, isSolvedByNow, standingsTable } from './standings.ts';

const doneWords = {
  made: 'rounds.done.made',
  saved: 'rounds.done.saved',
  joined: 'rounds.done.joined',
  shown: 'rounds.done.shown',
  invited: 'rounds.done.invited',
  results: 'results.done',
} as const;

export async function showRound(visit: MemberVisit): Promise<PageResult> {
  return roundPage(visit, await getRound(visit));
}

export async function submitRound(visit: MemberVisit): Promise<PageResult> {
  const round = await getRound(visit);
  const { store, member, form: values } = visit;
  const to = roundPath(round.id);
  if (values.has('leave') || values.has('decline')) {
    const isOwnDuel = round.duel_band !== null && round.made_by === member.user_id;
    await (isOwnDuel ? removeRound : leaveRound)(store, member.user_id, round.id);
    const done = isOwnDuel ? 'deleted' : 'left';
    return { to: values.has('leave') ? `${roundsPath}?done=${done}` : roundsPath };
  }
  if (values.has('show')) {
    await showResults(store, member.user_id, round.id);
    return { to: `${to}?done=shown` };
  }
  try {
    if (values.has('invite')) {
      await inviteToRound(store, member.user_id, round.id);
      return { to: `${to}?done=invited` };
    }
    await enterRound(visit, { id: round.id });
    return { to: `${to}?done=joined` };
  } catch (error) {
    return roundPage(visit, round, refusalText(error));
  }
}

const enterRound = ({ store, member, form: values }: MemberVisit, address: RoundAddress) =>
  values.has('accept')
    ? acceptDuel(store, member.user_id, address)
    : joinRound(store, member.user_id, address, values.get('version') ?? '');

/* The page behind the secret address of a round, for a member who has not joined. */

export async function submitInvitation(visit: MemberVisit): Promise<PageResult> {
  try {
    const id = await enterRound(visit, { secret: visit.params['secret'] ?? '' });
    return { to: `${roundPath(id)}?done=joined` };
  } catch (error) {
    return showInvitation(visit, refusalText(error));
  }
}

export async function showInvitation(visit: MemberVisit, fault?: string): Promise<PageResult> {
  const { store, member, params, path } = visit;
  const secret = params['secret'] ?? '';
  const round = await findRoundAtAddress(store.reader, secret, member.user_id);
  if (!round) throw pageNotFound(path);
  if (round.has_joined === 1n || round.made_by === member.user_id) return { to: roundPath(round.id) };
  if (isOpenDuel(round))
    return roundFrame(visit, round, { fault, isUnlisted: true }, await offerPanel(visit, round, joinRoundPath(secret)));
  const isOver = Date.now() >= Date.parse(round.ends_at);
  const to = { to: joinRoundPath(secret), hidden: { version: round.updated_at } };
  const join = form(visit, to, actions(button(words('rounds.join'), 'primary')));
  const content = html`
    ${panel(
      { id: 'join', heading: words('rounds.invited') },
      html`
        <p>${roundSpan(round)}</p>
        <p class="soft">${isOver ? words('rounds.isOver') : joinText(round)}</p>
        ${!isOver && join}`,
    )}
    ${rulesPanel(round)}`;
  return roundFrame(visit, round, { fault, isUnlisted: true }, content);
}

interface PageOptions {
  fault?: string | undefined;
  actions?: Html;
  bar?: Html | undefined;
  follow?: Html | undefined;
  isUnlisted?: boolean;
}

function roundFrame(
  visit: MemberVisit,
  round: ShownRound,
  { fault, actions, ...page }: PageOptions,
  content: Html,
): PageResult {
  const { group, maker, problems, people, rule, name } = round;
  const isOver = !isOpenDuel(round) && Date.now() >= Date.parse(round.ends_at);
  const sub = html`
    ${group !== null && html`<span><bdi>${group}</bdi></span>`}
    ${isOver && html`<span>${roundSpan(round)}</span>`}
    <span><bdi>${words('rounds.byName', { name: maker })}</bdi></span>
    ${round.teams_day !== null && html`<span>${words('rounds.forTeams')}</span>`}
    ${
      !isOpenDuel(round) &&
      html`
        <span>${words('rounds.people', { count: people })}</span>
        <span>${words('problem.count', { count: problems })}</span>`
    }
    <span>${words('rounds.rule', { rule })}</span>`;
  const crumbs = roundCrumbs(visit.site.basePath);
  const body = html`
    ${pageHead(html`<bdi>${name}</bdi>`, { crumbs, sub, ...(actions && { actions }) })}
    <div class="stack">
      ${successNotice(visit, doneWords)}
      ${fault && notice('bad', fault)}
      ${content}
    </div>`;
  const options = {
    title: name,
    current: contestsPath,
    kind: 'p-round',
    styles: [...roundStyles, 'pictures.css'] as const,
    ...page,
  };
  return { html: frame(visit, options, body), ...(fault && { status: 422 }) };
}

/* The page of a round in each of its phases. */

async function roundPage(visit: MemberVisit, round: ShownRound, fault?: string): Promise<PageResult> {
  if (isOpenDuel(round)) {
    const follow = fault ? undefined : await followAttributes(visit, { round });
    return roundFrame(visit, round, { fault, follow }, await offerPanel(visit, round, roundPath(round.id)));
  }
  const view = await readRoundView(visit, round);
  const coachedGroup = round.role === 'coach' ? (round.group_id ?? undefined) : undefined;
  const place = { coachedGroup, from: roundPath(round.id) };
  const isBefore = view.phase === 'before';
  const isInvited = !isBefore && round.has_joined === 0n && isOpen(view);
  const { waiting, left } = await invitedPeople(visit, view);
  const content = html`
    ${round.archived_at !== null && notice('warn', words('groups.archivedText'))}
    ${canRejoin(round) && notice('warn', html`${words('invalidValue.roundChanged')} ${joinText(round)}`)}
    ${isInvited && notice('plain', joinText(round))}
    ${waiting > 0n && html`<p class="soft">${words('rounds.waiting', { count: waiting })}</p>`}
    ${
      isBefore
        ? lobby(visit, view)
        : html`${await privateResults(visit, view.problems, place)}${await standingsPart(visit, view)}`
    }`;
  const bar = view.phase === 'over' ? await changeBar(visit, roundPath(round.id)) : undefined;
  const follow = fault ? undefined : await followAttributes(visit, { round });
  return roundFrame(visit, round, { fault, actions: headActions(visit, view, left > 0n), bar, follow }, content);
}

/** To the present problems and hours. */
const canRejoin = ({ has_new_terms, archived_at }: ShownRound) => has_new_terms === 1n && archived_at === null;

const isOpen = ({ round, now, viewerId }: RoundView) =>
  round.archived_at === null && now < Date.parse(round.ends_at) && !seesHiddenResults(round, viewerId, now);

/** Also the jury invites, while it cannot join. */
async function invitedPeople({ store, member }: MemberVisit, { round, now }: RoundView) {
  const { id, made_by, group_id, role, archived_at, ends_at } = round;
  const canInvite = role === 'coach' && archived_at === null && now < Date.parse(ends_at);
  if (!canInvite || group_id === null) return { waiting: 0n, left: 0n };
  return countInvited(store.reader, { id, made_by, groupId: group_id, coachId: member.user_id });
}

function headActions(visit: MemberVisit, view: RoundView, canInvite: boolean): Html {
  const { round, isMaker, phase, basePath } = view;
  const hidden = { version: round.updated_at };
  const postButton = (name: string, text: string, kind: string) =>
    form(visit, { to: roundPath(round.id), hidden }, button(text, kind, [name, 'yes']));
  const file = `${basePath}${roundPath(round.id)}csv/`;
  const isOwn = round.made_by === view.viewerId;
  const canEdit = isMaker && round.archived_at === null;
  const edit = words(canEdit ? 'rounds.edit' : 'rounds.delete');
  return html`
    ${isOpen(view) && round.has_joined === 0n && postButton('join', words('rounds.join'), 'primary')}
    ${isOpen(view) && round.has_joined < round.is_invited && postButton('decline', words('rounds.decline'), 'quiet')}
    ${canInvite && postButton('invite', words('rounds.inviteGroup'), '')}
    ${canRejoin(round) && postButton('join', words('rounds.again'), 'primary')}
    ${phase === 'held' && isMaker && postButton('show', words('rounds.show'), 'primary')}
    ${phase !== 'before' && linkButton(file, words('rounds.csv'), { symbol: 'download' })}
    ${phase === 'over' && printButton()}
    ${isMaker && mayHaveField(round) && linkButton(basePath + roundFieldPath(round.id), words('realField.title'))}
    ${
      (isMaker || round.role === 'coach') &&
      linkButton(basePath + editRoundPath(round.id), edit, { symbol: canEdit ? 'note' : 'trash' })
    }
    ${
      round.has_joined === 1n &&
      postButton('leave', words(round.duel_band !== null && isOwn ? 'rounds.delete' : 'rounds.leave'), 'quiet')
    }`;
}

function rulesPanel({ rule, starts_at, ends_at, freeze_minutes, teams_day }: ShownRound): Html {
  const { penaltyMinutes } = roundRules[rule];
  const last = new Date(Date.parse(ends_at) - 1000).toISOString();
  const [from, to] = startAndEnd(starts_at, last, timeWithSeconds);
  const line = (name: string, text: string) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`;
  return slimPanel(
    words('rounds.rules'),
    html`
      <dl class="plain">
        ${line(words('rounds.ranking'), words(`rounds.ranking.${rule}`))}
        ${penaltyMinutes > 0 && line(words('rounds.wrongTry'), words('rounds.wrongTryText', { count: penaltyMinutes }))}
        ${
          freeze_minutes > 0n && line(words('rounds.freezeRule'), words('rounds.freezeText', { count: freeze_minutes }))
        }
        ${line(words('rounds.counts'), words('rounds.countsText', { from, to }))}
        ${teams_day !== null && line(words('team.title'), words('rounds.teamsText'))}
      </dl>`,
    'rules',
  );
}

/* Before the start: who joined, and whose handle is missing. */

function lobby({ site }: MemberVisit, view: RoundView): Html {
  const { round, now, isMaker } = view;
  const hasJoined = round.has_joined === 1n;
  const leftMs = Date.parse(round.starts_at) - now;
  const secret = isMaker ? round.secret : null;
  return html`
    ${unheadedPanel(
      { label: words('rounds.start'), className: 'figure-row lobby' },
      html`
        <div class="figure-side">
          <p class="phase">${icon('clock')}${words('rounds.startsInHead')}</p>
          <p class="figure"><b>${roundDuration(leftMs)}</b></p>
          <p class="soft">${roundSpan(round)}</p>
        </div>
        <div>
          <p class="joined">
            ${icon(hasJoined ? 's-complete' : 'info', hasJoined ? 'st complete' : '')}
            <b>${words(hasJoined ? 'rounds.youAreIn' : 'rounds.youAreNot')}</b>
          </p>
          <p class="soft">
            ${hasJoined && words('rounds.appearAt', { time: timeOfDay(round.starts_at) })}
            ${!hasJoined && isOpen(view) && joinText(round)}
          </p>
        </div>`,
    )}
    <div class="with-side">
      <div class="stack">
        ${hiddenProblems(view)}
        ${peoplePanel(view)}
      </div>
      <div class="stack">
        ${rulesPanel(round)}
        ${hasJoined && slimPanel(words('handles.title'), ownHandles(view))}
        ${
          secret !== null &&
          slimPanel(
            words('rounds.invite'),
            html`
              <p class="soft">${words('rounds.inviteText')}</p>
              <p>${copyable(site.baseUrl + joinRoundPath(secret))}</p>`,
          )
        }
        ${
          round.duel_band === null &&
          slimPanel(words('rounds.hiddenHead'), html`<p class="soft">${words('rounds.hiddenText')}</p>`)
        }
      </div>
    </div>`;
}

/** Only the maker sees the problems. Others see bars of equal length, which do not reveal the titles. */
function hiddenProblems({ basePath, isMaker, round, problems }: RoundView): Html {
  const text = isMaker ? words('rounds.onlyYou') : words('rounds.hiddenUntil', { time: timeOfDay(round.starts_at) });
  const row = (problem: RoundView['problems'][number]) => html`
    <li>
      <b>${letterOf(problem)}</b>
      ${
        isMaker
          ? html`<span>${problemLink(basePath, problem)}</span> ${judgeKey(problem)}`
          : html`<span class="veil"></span>`
      }
    </li>`;
  return panel(
    {
      id: 'problems',
      heading: words('rounds.problems'),
      beside: html`<p class="soft">${icon(isMaker ? 'eye' : 'lock')} ${text}</p>`,
    },
    html`<ol class="veiled">${problems.map(row)}</ol>`,
  );
}

function peoplePanel(view: RoundView): Html {
  const { basePath, viewerId, people, sources, unsynced } = view;
  const incomplete = people.filter(({ user_id }) => missingHandles(view, user_id).length > 0).length;
  const handleState = (userId: bigint) => {
    if (view.idsWithNewProblems.has(userId)) return html`<span class="soft">${words('rounds.notChecked')}</span>`;
    const missing = missingHandles(view, userId);
    if (missing.length === 0)
      return html`<span class="oks">${sources.map((source) => html`${judgeShort(source)}${icon('check')} `)}</span>`;
    const text =
      missing.length === sources.length && sources.length > 1
        ? words('rounds.noHandles')
        : words('rounds.noHandle', { judges: namesOf(missing) });
    return html`<span class="miss">${icon('warn')}${text}</span>`;
  };
  const row = (person: RoundPerson) => html`
    <li>
      <span class="face" aria-hidden="true">${[...person.username][0]?.toUpperCase()}</span>
      <span class="nm">
        ${nameLink(basePath, person)}
        ${person.user_id === viewerId && html` <span class="tag good">${words('rounds.you')}</span>`}
        ${person.team !== null && html` <bdi class="soft">${person.team}</bdi>`}
      </span>
      ${handleState(person.user_id)}
    </li>`;
  return panel(
    { id: 'joined', heading: words('rounds.joinedCount', { count: people.length }), total: people.length },
    html`
      ${incomplete > 0 && notice('warn', words('rounds.incomplete', { count: incomplete }))}
      ${unsynced.length > 0 && notice('warn', words('rounds.unasked', { judges: namesOf(unsynced) }))}
      <ul class="joiners">${people.map(row)}</ul>`,
  );
}

const namesOf = (sources: readonly string[]) => commaList(sources.map(judgeName));

function ownHandles(view: RoundView): Html {
  const { basePath, viewerId, handles } = view;
  const missing = missingHandles(view, viewerId);
  const row = ({ source, name, good_at }: RoundView['handles'][number]) => html`
    <li>
      ${judgeBadge(source)} <bdi>${name}</bdi>
      <span class="${good_at === null ? 'soft' : 'ok'}">
        ${good_at === null ? words('rounds.notChecked') : richWords('rounds.checked', { time: timeAgo(good_at) })}
      </span>
    </li>`;
  const link = () =>
    richWords('rounds.linkHandle', { judges: namesOf(missing), handles: linkTo(basePath + handlesPath) });
  return html`
    <ul class="handle-lines">${handles.filter(({ user_id }) => user_id === viewerId).map(row)}</ul>
    ${missing.length > 0 && html`<p>${link()}</p>`}`;
}

/* While it runs, and afterwards. */

async function standingsPart(visit: MemberVisit, view: RoundView): Promise<Html> {
  const { round, phase, people, viewerId } = view;
  const { hidesRatings } = await readPreferences(visit.store.reader, viewerId);
  const isOver = phase === 'over';
  const worth = isOver && (await ownPerformance(visit, [], ({ kind, id }) => kind === 'round' && id === round.id));
  const isLive = phase === 'running' || phase === 'frozen';
  const field = await readFieldView(visit, view);
  const isJuryView = (phase === 'frozen' || phase === 'held') && isJury(round, viewerId);
  const until = words('rounds.heldUntil', { name: round.maker, time: dayAndTime(resultsShownAt(round)) });
  const left = isOver && (await leftToSolve(visit, view, hidesRatings));
  return html`
    ${isLive && stateLine(view, await isSyncing(visit))}
    ${phase === 'held' && notice('warn', until)}
    ${isJuryView && notice('good', words('rounds.jury'))}
    ${left || problemsToOpen(view)}
    ${field && fieldStrip(visit, view, field)}
    ${
      people.length === 0
        ? emptyPanel({
            heading: words('rounds.nobody'),
            text: isOver ? words('rounds.isOver') : isOpen(view) ? words('rounds.nobodyText') : '',
          })
        : html`
          <div>
            ${await standingsTable(view, hidesRatings, worth, field)}
            ${!!field?.ghosts.length && html`<p class="board-foot field-foot soft">${words('realField.foot')}</p>`}
            ${worth && performanceHint(view.basePath)}
            ${standingsNotes(view)}
          </div>`
    }
    ${rulesPanel(round)}`;
}

/** Where the head of the standings does not show the problems: on a phone, and before anybody joins. */
function problemsToOpen({ basePath, round, problems, people }: RoundView): Html {
  const { hasPoints } = roundRules[round.rule];
  const row = (problem: RoundView['problems'][number]) => html`
    <li>
      <b>${letterOf(problem)}</b>
      <span>
        ${problemLink(basePath, problem)}
        ${hasPoints && html`<span class="soft">${words('rounds.pointsOf', { points: problem.points })}</span>`}
      </span>
      ${webLink(problem.url, openText(problem), 'button quiet')}
    </li>`;
  return panel(
    { id: 'problems', heading: words('rounds.problems'), className: people.length > 0 ? 'on-phone' : undefined },
    html`<ol class="veiled">${problems.map(row)}</ol>`,
  );
}

const openText = ({ title }: RoundView['problems'][number]) => html`
  ${icon('out')}<span>${words('rounds.open')}<span class="sr">${afterColon(title)}</span></span>`;

/** Why the standings are not newer: a judge that does not respond, the freeze, or the interval between syncs. */
function syncStatus(view: RoundView, isSyncOn: boolean): Html | string {
  const { round, now, phase, silent } = view;
  const sentence = ({ source, since, nextAt }: RoundView['silent'][number]) => {
    const next = { judge: judgeName(source), time: timeUntil(nextAt, now) };
    if (since === undefined) return html`${richWords('rounds.silent', next)} `;
    return html`${richWords('rounds.silentSince', { ...next, since: momentInRound(since, now) })} `;
  };
  if (isSyncOn && silent.length > 0) return html`${silent.map(sentence)}`;
  const from = frozenFrom(round);
  if (phase === 'frozen' && from !== undefined) return words('rounds.frozenSince', { time: timeOfDayAt(from) });
  if (!isSyncOn) return words('rounds.syncOff');
  return isSyncedOften(round)
    ? words('rounds.checks', { seconds: syncIntervalSeconds(view) })
    : words('rounds.checksUsual', { isArchived: String(round.archived_at !== null) });
}

/** With the day if that is not today. */
const momentInRound = (at: string, now: number, format = timeOfDay) =>
  startAndEnd(at, new Date(now).toISOString(), format)[0];

const timeOfDayAt = (at: number) => timeOfDay(new Date(at).toISOString());

const lineWidth = 1000;

function stateLine(view: RoundView, isSyncOn: boolean): Html {
  const { round, phase, now, sources, basePath } = view;
  const [start, end] = [Date.parse(round.starts_at), Date.parse(round.ends_at)];
  const from = frozenFrom(round);
  const xAt = (ms: number) => ((ms - start) / (end - start)) * lineWidth;
  const { asOf } = freshnessOf(view);
  const asOfTime = asOf && momentInRound(asOf, now, timeWithSeconds);
  const isFrozen = phase === 'frozen';
  const [first, last] = startAndEnd(round.starts_at, round.ends_at);
  const more = { 'data-phase': phase };
  return unheadedPanel(
    { label: words('rounds.state'), className: 'figure-row round-state', more },
    html`
      <div class="rs-now">
        <p class="phase">
          ${isFrozen ? icon('freeze') : html`<i class="live-dot"></i>`}
          ${words(isFrozen ? 'rounds.frozen' : 'rounds.live')}
        </p>
        <p class="figure">${richWords('rounds.left', { time: html`<b>${roundDuration(end - now)}</b>` })}</p>
      </div>
      <div class="rs-line">
        ${
          from !== undefined &&
          html`
            <p class="rs-freeze">
              ${svg`<svg width="${(xAt(from) / lineWidth) * 100}%" height="1" aria-hidden="true"></svg>`}
              <span>${icon('freeze')}${timeOfDayAt(from)}</span>
            </p>`
        }
        ${svg`
          <svg class="bar" viewBox="0 0 ${lineWidth} 12" preserveAspectRatio="none" aria-hidden="true">
            ${
              from !== undefined &&
              svg`<rect class="rl-freeze" x="${xAt(from)}" width="${lineWidth - xAt(from)}" height="12"/>`
            }
            <rect class="rl-done" width="${xAt(now)}" height="12"/>
          </svg>`}
        <p class="rs-scale">
          <span>${first}</span>
          <span>${last}</span>
        </p>
      </div>
      <div class="rs-fresh">
        ${icon('sync')}
        ${
          sources.length > 0 &&
          html`
            <p>
              <b${attr('data-as-of', asOf)}>
                ${asOfTime ? words('rounds.asOf', { time: asOfTime }) : words('rounds.notChecked')}
              </b>
              <span class="soft">${syncStatus(view, isSyncOn)}</span>
            </p>`
        }
        ${linkButton(`${basePath}${roundPath(round.id)}`, words('rounds.refresh'))}
      </div>`,
  );
}

const namedAtMost = 10;

/** Names the people whose results are late, or cannot come because their handle is missing. */
function standingsNotes(view: RoundView): Html {
  const { people, sources, unsynced, phase, checked } = view;
  const nameOf = (id: bigint) => people.find(({ user_id }) => user_id === id)?.username ?? '';
  const joined = (texts: readonly string[]) =>
    commaList(texts.slice(0, namedAtMost)) + (texts.length > namedAtMost ? ' …' : '');
  // Other members do not see handles.
  const lateHandle = ({ source, good_at }: RoundHandle) =>
    words('rounds.lateHandle', {
      judge: judgeName(source),
      isNever: String(good_at === null),
      time: good_at === null ? '' : dayAndTime(good_at),
    });
  const byPerson = [...Map.groupBy(freshnessOf(view).late, ({ user_id }) => user_id)];
  const late = byPerson.map(([id, some]) =>
    words('rounds.lateOne', {
      name: nameOf(id),
      handles: some.map(lateHandle).reduce((before, next) => words('message.semicolon', { before, next })),
    }),
  );
  const withoutHandle = people
    .filter(({ user_id }) => missingHandles(view, user_id).length > 0)
    .map(({ username }) => username);
  const sinceEnd = view.now - Date.parse(view.round.ends_at);
  const isBeingChecked = sinceEnd > 0 && sinceEnd < hourMs && checked.count < checked.all;
  const line = (isShown: boolean, text: string) => isShown && html`<p>${text}</p>`;
  return html`
    <div class="board-foot soft">
      ${line(sources.length > 0, words('rounds.source', { judges: namesOf(sources) }))}
      ${line(isBeingChecked, words('rounds.checkedAfter', { count: checked.count, all: checked.all }))}
      ${line(late.length > 0 && phase !== 'over', words('rounds.late', { names: joined(late) }))}
      ${line(withoutHandle.length > 0, words('rounds.without', { names: joined(withoutHandle) }))}
      ${line(unsynced.length > 0, words('rounds.unasked', { judges: namesOf(unsynced) }))}
    </div>`;
}

/** The problems that the visitor has not solved, if they took part. */
async function leftToSolve(
  { store, site, antiForgery }: MemberVisit,
  view: RoundView,
  hidesRatings: boolean,
): Promise<Html | undefined> {
  const { round, problems, lines, viewerId } = view;
  const ownLine = lines.find((line) => isOwnLine(view, line));
  if (!ownLine) return undefined;
  const ids = problems.map(({ id }) => id);
  const marks = await findMarks(store.reader, viewerId, ids);
  const isSolvedByTeam = (at: number) => ownLine.person.team_id !== null && ownLine.cells[at]?.isSolved === true;
  const unsolved = problems.filter(({ id }, at) => shownState(marks(id)) !== 'complete' && !isSolvedByTeam(at));
  const forms = { site, antiForgery, from: roundPath(round.id) };
  const row = (problem: RoundView['problems'][number], nth: number) => {
    const index = problems.indexOf(problem);
    const tries = ownLine.cells[index]?.tries ?? 0;
    const count = countCells(view, index, isSolvedByNow);
    return html`
      <li class="work" data-problem="${problem.id}">
        ${statusControl(forms, problem.id, problem.title, marks(problem.id))}
        <div>
          <p><b>${letterOf(problem)}</b> ${problemLink(site.basePath, problem)}</p>
          <p class="facts small soft">
            ${judgeKey(problem)}
            ${!hidesRatings && difficulty(problem)}
            <span>${tries > 0 ? words('rounds.wrong', { count: tries }) : words('rounds.notTried')}</span>
            <span>${words('rounds.solvedByCount', { count, people: lines.length })}</span>
          </p>
        </div>
        <div class="actions">
          ${startTimerForm(forms, problem, problemPath(problem.id))}
          ${webLink(problem.url, openText(problem), nth === 0 ? 'button primary' : 'button')}
        </div>
      </li>`;
  };
  return panel(
    {
      id: 'left',
      heading: words('rounds.leftToSolve'),
      beside: html`<p class="soft">${words('rounds.yours', { solved: ownLine.solved, later: ownLine.later })}</p>`,
      className: 'upsolve',
      total: unsolved.length,
    },
    unsolved.length === 0
      ? html`<p class="soft">${icon('s-complete', 'st complete')} ${words('rounds.allSolved')}</p>`
      : html`<ul class="work-list">${unsolved.map(row)}</ul>`,
  );
}
