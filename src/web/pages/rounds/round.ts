/** The page of a round: before it, who joined; while it runs, the table; and after its end, what is left to solve. */
import { judgeName, judgeOf } from '../../../judges/judges.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import { icpcPenaltyMinutes, pointsPenaltyMinutes, type RoundLine } from '../../../practice/round-table.ts';
import {
  findInvitedTo,
  frozenFrom,
  isJury,
  joinRound,
  leaveRound,
  letterOf,
  seesHidden,
  shownAt,
  showResults,
} from '../../../practice/rounds.ts';
import type { RoundProblem, ShownRound } from '../../../store/rounds.ts';
import { changeBar } from '../../kit/changes.ts';
import { past } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { actions, button, form } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton, printButton } from '../../kit/links.ts';
import { judgeKey, judgeMark, problemLink, shownState, statusControl, webLink } from '../../kit/marks.ts';
import { nameLink } from '../../kit/member-name.ts';
import { doneNotice, notice, panel, slimPanel } from '../../kit/panel.ts';
import { marksOf } from '../../kit/problem-table.ts';
import { lengthOf, roundStyles, spanOf, wholeTime } from '../../kit/round-parts.ts';
import { attr, type Html, html, svg } from '../../markup.ts';
import { contestsPath, handlesPath, joinRoundPath, roundPath, roundsPath } from '../../paths.ts';
import { timeOfDay, timeWithSeconds } from '../../road/clock.ts';
import { faultOf } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { commaList } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { board } from './board.ts';
import { editButton, roundCrumbs } from './making.ts';
import { checkSeconds, freshnessOf, linesOf, missingOf, roundOf, type SeenRound, seeRound } from './seeing.ts';

const doneWords = {
  made: 'rounds.done.made',
  saved: 'rounds.done.saved',
  joined: 'rounds.done.joined',
  shown: 'rounds.done.shown',
} as const;

export async function showRound(visit: MemberVisit): Promise<Answer> {
  return roundPage(visit, await roundOf(visit));
}

export async function takeRound(visit: MemberVisit): Promise<Answer> {
  const round = await roundOf(visit);
  const { store, member, form: sent } = visit;
  const to = roundPath(round.id);
  if (sent.has('leave')) {
    await leaveRound(store, member.user_id, round.id);
    return { to: `${roundsPath}?done=left` };
  }
  if (sent.has('show')) {
    await showResults(store, member.user_id, round.id);
    return { to: `${to}?done=shown` };
  }
  try {
    await joinRound(store, member.user_id, { id: round.id });
    return { to: `${to}?done=joined` };
  } catch (error) {
    return roundPage(visit, round, faultOf(error));
  }
}

/* The page behind the secret address of a round, for a member who has not joined. */

export async function showInvitation(visit: MemberVisit): Promise<Answer> {
  return invitation(visit);
}

export async function takeInvitation(visit: MemberVisit): Promise<Answer> {
  const { store, member, params } = visit;
  try {
    const id = await joinRound(store, member.user_id, { secret: params['secret'] ?? '' });
    return { to: `${roundPath(id)}?done=joined` };
  } catch (error) {
    return invitation(visit, faultOf(error));
  }
}

async function invitation(visit: MemberVisit, fault?: string): Promise<Answer> {
  const { store, member, params, site, path } = visit;
  const secret = params['secret'] ?? '';
  const round = await findInvitedTo(store.reader, secret, member.user_id);
  if (!round) throw nothingHere(path);
  if (round.has_joined === 1n || round.made_by === member.user_id) return { to: roundPath(round.id) };
  const isOver = Date.now() >= Date.parse(round.ends_at);
  const join = form(visit, { to: joinRoundPath(secret) }, actions(button(words('rounds.join'), 'primary')));
  const content = html`
    ${pageHead(html`<bdi>${round.name}</bdi>`, { crumbs: roundCrumbs(site.basePath), sub: headFacts(round) })}
    <div class="stack">
      ${fault && notice('bad', fault)}
      ${panel(
        { id: 'join', heading: words('rounds.invited') },
        html`
          <p>${spanOf(round)}</p>
          <p class="soft">${words(isOver ? 'rounds.isOver' : 'rounds.joinText')}</p>
          ${!isOver && join}`,
      )}
      ${slimPanel(words('rounds.rules'), ruleLines(round), 'rules')}
    </div>`;
  const options = { title: round.name, current: contestsPath, kind: 'p-round', styles: roundStyles };
  return { html: frame(visit, { ...options, isUnlisted: true }, content), ...(fault && { status: 422 }) };
}

/* The page of a round in each of its phases. */

async function roundPage(visit: MemberVisit, round: ShownRound, fault?: string): Promise<Answer> {
  const seen = await seeRound(visit, round);
  const { phase } = seen;
  const at = roundPath(round.id);
  const parts = phase === 'before' ? lobby(visit, seen) : await table(visit, seen);
  const content = html`
    ${pageHead(html`<bdi>${round.name}</bdi>`, {
      crumbs: roundCrumbs(visit.site.basePath),
      sub: headFacts(round),
      actions: headActions(visit, seen),
    })}
    <div class="stack">
      ${doneNotice(visit, doneWords)}
      ${fault && notice('bad', fault)}
      ${parts}
    </div>`;
  const bar = phase === 'over' ? await changeBar(visit, at) : undefined;
  const options = { title: round.name, current: contestsPath, kind: 'p-round', styles: roundStyles, bar };
  return { html: frame(visit, options, content), ...(fault && { status: 422 }) };
}

function headFacts(round: ShownRound): Html {
  const { group, maker, problems, people, rule } = round;
  const isOver = Date.now() >= Date.parse(round.ends_at);
  return html`
    ${group !== null && html`<span><bdi>${group}</bdi></span>`}
    ${isOver && html`<span>${spanOf(round)}</span>`}
    <span><bdi>${words('rounds.byName', { name: maker })}</bdi></span>
    <span>${words('rounds.people', { count: people })}</span>
    <span>${words('problem.count', { count: problems })}</span>
    <span>${words('rounds.rule', { rule })}</span>`;
}

function headActions(visit: MemberVisit, { round, phase, now }: SeenRound): Html {
  const { site, member } = visit;
  const isOver = now >= Date.parse(round.ends_at);
  const post = (name: string, text: string, kind: string) =>
    form(visit, { to: roundPath(round.id) }, button(text, kind, [name, 'yes']));
  const canJoin = !isOver && round.has_joined === 0n && !seesHidden(round, member.user_id, now);
  const isMaker = round.made_by === member.user_id;
  const here = site.basePath + roundPath(round.id);
  return html`
    ${canJoin && post('join', words('rounds.join'), 'primary')}
    ${phase === 'held' && isMaker && post('show', words('rounds.show'), 'primary')}
    ${phase !== 'before' && linkButton(`${here}csv/`, words('rounds.csv'), { symbol: 'download' })}
    ${phase === 'over' && printButton()}
    ${(isMaker || round.role === 'coach') && editButton(site.basePath, round.id, isMaker)}
    ${round.has_joined === 1n && post('leave', words('rounds.leave'), 'quiet')}`;
}

/** The rules in lines: how people are ordered, and which submissions count. */
function ruleLines(round: ShownRound): Html {
  const { rule, starts_at, ends_at, freeze_minutes } = round;
  const wrong = { icpc: icpcPenaltyMinutes, points: pointsPenaltyMinutes, lockout: 0, training: 0 }[rule];
  const last = new Date(Date.parse(ends_at) - 1000).toISOString();
  const span = { from: timeWithSeconds(starts_at), to: timeWithSeconds(last) };
  const lines: [string, string][] = [[words('rounds.ranking'), words(`rounds.ranking.${rule}`)]];
  if (wrong > 0) lines.push([words('rounds.wrongTry'), words('rounds.wrongTryText', { count: wrong })]);
  if (freeze_minutes > 0n)
    lines.push([words('rounds.freezeRule'), words('rounds.freezeText', { count: freeze_minutes })]);
  lines.push([words('rounds.counts'), words('rounds.countsText', span)]);
  return html`
    <dl class="plain">
      ${lines.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}
    </dl>`;
}

/* Before the start: who joined, and whose handle is missing. */

function lobby(visit: MemberVisit, seen: SeenRound): Html {
  const { round, now } = seen;
  const { member, site } = visit;
  const isIn = round.has_joined === 1n;
  const leftMs = Date.parse(round.starts_at) - now;
  // The page is loaded again at the start, and now and then before it.
  const again = Math.max(1, Math.min(75, Math.ceil(leftMs / 1000) + 1));
  const start = timeOfDay(round.starts_at);
  return html`
    <section class="panel figure-row lobby" aria-label="${words('rounds.start')}" data-reload="${again}">
      <div class="figure-side">
        <p class="phase">${icon('clock')}${words('rounds.startsInHead')}</p>
        <p class="figure"><b>${lengthOf(leftMs)}</b></p>
        <p class="soft">${spanOf(round)}</p>
      </div>
      <div>
        <p class="joined">
          ${icon(isIn ? 's-complete' : 'info', isIn ? 'st complete' : '')}
          <b>${words(isIn ? 'rounds.youAreIn' : 'rounds.youAreNot')}</b>
        </p>
        <p class="soft">${isIn ? words('rounds.appearAt', { time: start }) : words('rounds.joinText')}</p>
      </div>
    </section>
    <div class="with-side">
      <div class="stack">
        ${hiddenProblems(visit, seen)}
        ${joiners(visit, seen)}
      </div>
      <div class="stack">
        ${slimPanel(words('rounds.rules'), ruleLines(round), 'rules')}
        ${isIn && slimPanel(words('handles.title'), ownHandles(visit, seen))}
        ${
          round.secret !== null &&
          round.made_by === member.user_id &&
          slimPanel(
            words('rounds.invite'),
            html`
              <p class="soft">${words('rounds.inviteText')}</p>
              <p><code class="copyable" tabindex="0">${site.baseUrl}${joinRoundPath(round.secret)}</code></p>`,
          )
        }
        ${slimPanel(words('rounds.hiddenHead'), html`<p class="soft">${words('rounds.hiddenText')}</p>`)}
      </div>
    </div>`;
}

/** Bars in place of titles, whose lengths say nothing; the maker alone is told the problems. */
function hiddenProblems({ site, member }: MemberVisit, { round, problems }: SeenRound): Html {
  const isMaker = round.made_by === member.user_id;
  const text = isMaker ? words('rounds.onlyYou') : words('rounds.hiddenUntil', { time: timeOfDay(round.starts_at) });
  const bar = html`<span class="veil"></span>`;
  return panel(
    {
      id: 'problems',
      heading: words('rounds.problems'),
      beside: html`<p class="soft">${icon(isMaker ? 'eye' : 'lock')} ${text}</p>`,
    },
    html`
      <ol class="veiled">
        ${problems.map(
          (problem) =>
            html`
              <li>
                <b>${letterOf(problem)}</b>
                ${isMaker ? html`<span>${problemLink(site.basePath, problem)}</span> ${judgeKey(problem)}` : bar}
              </li>`,
        )}
      </ol>`,
  );
}

function joiners({ site, member }: MemberVisit, seen: SeenRound): Html {
  const { people, sources, unasked } = seen;
  const missing = new Map(people.map(({ user_id }) => [user_id, missingOf(seen, user_id)]));
  const incomplete = [...missing.values()].filter((some) => some.length > 0).length;
  const state = (userId: bigint) => {
    const without = missing.get(userId) ?? [];
    if (without.length === 0)
      return html`
        <span class="oks">
          ${sources.map((source) => html`${judgeOf(source)?.short ?? source}${icon('check')} `)}
        </span>`;
    const all = without.length === sources.length && sources.length > 1;
    const judges = commaList(without.map(judgeName));
    const lack = all ? words('rounds.noHandles') : words('rounds.noHandle', { judges });
    return html`<span class="miss">${icon('warn')}${lack}</span>`;
  };
  return panel(
    { id: 'joined', heading: words('rounds.joinedCount', { count: people.length }), total: people.length },
    html`
      ${incomplete > 0 && notice('warn', words('rounds.incomplete', { count: incomplete }))}
      ${unasked.length > 0 && notice('warn', words('rounds.unasked', { judges: commaList(unasked.map(judgeName)) }))}
      ${people.length === 0 && html`<p class="soft">${words('rounds.nobody')}</p>`}
      <ul class="joiners">
        ${people.map(
          (person) =>
            html`
              <li>
                <span class="face" aria-hidden="true">${[...person.username][0]?.toUpperCase()}</span>
                <span class="nm">
                  ${nameLink(site.basePath, person)}
                  ${person.user_id === member.user_id && html` <span class="tag good">${words('rounds.you')}</span>`}
                </span>
                ${state(person.user_id)}
              </li>`,
        )}
      </ul>`,
  );
}

function ownHandles({ site, member }: MemberVisit, seen: SeenRound): Html {
  const own = seen.handles.filter(({ user_id }) => user_id === member.user_id);
  const missing = missingOf(seen, member.user_id);
  return html`
    <ul class="handle-lines">
      ${own.map(
        ({ source, name, good_at }) =>
          html`
            <li>
              ${judgeMark(source)} <bdi>${name}</bdi>
              <span class="${good_at === null ? 'soft' : 'ok'}">
                ${good_at === null ? words('rounds.notChecked') : richWords('rounds.checked', { time: past(good_at) })}
              </span>
            </li>`,
      )}
    </ul>
    ${
      missing.length > 0 &&
      html`
        <p>
          ${richWords('rounds.linkHandle', {
            judges: commaList(missing.map(judgeName)),
            handles: linkTo(site.basePath + handlesPath),
          })}
        </p>`
    }`;
}

/* While it runs, and afterwards. */

async function table(visit: MemberVisit, seen: SeenRound): Promise<Html> {
  const { store, member } = visit;
  const { round, phase, people } = seen;
  const lines = await linesOf(visit, seen);
  const { hidesRatings } = await readPreferences(store.reader, member.user_id);
  const jury = (phase === 'frozen' || phase === 'held') && isJury(round, member.user_id);
  const until = words('rounds.heldUntil', { name: round.maker, time: wholeTime(shownAt(round)) });
  return html`
    ${phase !== 'over' && phase !== 'held' && stateLine(visit, seen)}
    ${phase === 'held' && notice('warn', until)}
    ${jury && notice('good', words('rounds.jury'))}
    ${phase === 'over' && (await leftToSolve(visit, seen, lines, hidesRatings))}
    ${
      people.length === 0
        ? html`
          <section class="panel empty">
            <h2>${words('rounds.nobody')}</h2>
            <p class="soft">${words(phase === 'over' ? 'rounds.isOver' : 'rounds.nobodyText')}</p>
          </section>`
        : html`<div>${board(visit, seen, lines, hidesRatings)}${remarks(seen)}</div>`
    }
    ${slimPanel(words('rounds.rules'), ruleLines(round), 'rules')}`;
}

const lineWidth = 1000;

function stateLine(visit: MemberVisit, seen: SeenRound): Html {
  const { round, phase, now } = seen;
  const { basePath } = visit.site;
  const [start, end] = [Date.parse(round.starts_at), Date.parse(round.ends_at)];
  const from = frozenFrom(round);
  const x = (ms: number) => ((ms - start) / (end - start)) * lineWidth;
  const { asOf } = freshnessOf(seen);
  const isFrozen = phase === 'frozen';
  const pace =
    isFrozen && from !== undefined
      ? words('rounds.frozenSince', { time: timeOfDay(new Date(from).toISOString()) })
      : words('rounds.checks', { seconds: checkSeconds(seen) });
  return html`
    <section
      class="panel figure-row round-state" data-phase="${phase}" data-reload="75" aria-label="${words('rounds.state')}"
    >
      <div class="rs-now">
        <p class="phase">
          ${isFrozen ? icon('freeze') : html`<i class="live-dot"></i>`}
          ${words(isFrozen ? 'rounds.frozen' : 'rounds.live')}
        </p>
        <p class="figure">${richWords('rounds.left', { time: html`<b>${lengthOf(end - now)}</b>` })}</p>
      </div>
      <div class="rs-line">
        ${svg`
          <svg class="bar" viewBox="0 0 ${lineWidth} 12" preserveAspectRatio="none" aria-hidden="true">
            ${
              from !== undefined &&
              svg`<rect class="rl-freeze" x="${x(from)}" width="${lineWidth - x(from)}" height="12"/>`
            }
            <rect class="rl-done" width="${x(now)}" height="12"/>
          </svg>`}
        <p class="rs-scale">
          <span>${timeOfDay(round.starts_at)}</span>
          ${
            from !== undefined &&
            html`<span class="fz">${icon('freeze')}${timeOfDay(new Date(from).toISOString())}</span>`
          }
          <span>${timeOfDay(round.ends_at)}</span>
        </p>
      </div>
      <div class="rs-fresh">
        ${icon('sync')}
        ${
          seen.sources.length > 0 &&
          html`
            <p>
              <b${attr('data-as-of', asOf)}>
                ${asOf ? words('rounds.asOf', { time: timeWithSeconds(asOf) }) : words('rounds.notChecked')}
              </b>
              <span class="soft">${pace}</span>
            </p>`
        }
        ${linkButton(`${basePath}${roundPath(round.id)}`, words('rounds.refresh'))}
      </div>
    </section>`;
}

const namedAtMost = 10;

/** The people with results that are older than the table, or that can never come. */
function remarks(seen: SeenRound): Html {
  const { people, sources, unasked, phase } = seen;
  const names = new Map(people.map(({ user_id, username }) => [user_id, username]));
  const { late } = freshnessOf(seen);
  const listed = (texts: readonly string[]) =>
    commaList(texts.slice(0, namedAtMost)) + (texts.length > namedAtMost ? ' …' : '');
  const lateOnes = late.map(({ user_id, source, good_at }) =>
    words('rounds.lateOne', {
      name: names.get(user_id) ?? '',
      judge: judgeName(source),
      isNever: String(good_at === null),
      time: good_at === null ? '' : wholeTime(good_at),
    }),
  );
  const without = people.filter(({ user_id }) => missingOf(seen, user_id).length > 0).map(({ username }) => username);
  const lines = [
    sources.length > 0 ? words('rounds.source', { judges: commaList(sources.map(judgeName)) }) : '',
    lateOnes.length > 0 && phase !== 'over' ? words('rounds.late', { names: listed(lateOnes) }) : '',
    without.length > 0 ? words('rounds.without', { names: listed(without) }) : '',
    unasked.length > 0 ? words('rounds.unasked', { judges: commaList(unasked.map(judgeName)) }) : '',
  ].filter(Boolean);
  return html`<div class="board-foot soft">${lines.map((text) => html`<p>${text}</p>`)}</div>`;
}

/** The visitor's problems that are left: each with its mark, its page and what became of it in the round. */
async function leftToSolve(
  visit: MemberVisit,
  seen: SeenRound,
  lines: readonly RoundLine[],
  hidesRatings: boolean,
): Promise<Html | undefined> {
  const { store, site, member, antiForgery } = visit;
  const { round, problems } = seen;
  const own = lines.find(({ userId }) => userId === member.user_id);
  if (!own) return undefined;
  const open = html`${icon('out')}<span>${words('rounds.open')}</span>`;
  const marks = await marksOf(
    store.reader,
    member.user_id,
    problems.map(({ id }) => id),
  );
  const left = problems
    .map((problem, at) => ({ problem, at }))
    .filter(({ problem }) => shownState(marks(problem.id)) !== 'complete');
  const forms = { site, antiForgery, from: roundPath(round.id) };
  const solvedBy = (at: number) =>
    lines.filter(({ cells }) => ['first', 'solved', 'later', 'before'].includes(cells[at]?.kind ?? 'none')).length;
  const row = (problem: RoundProblem, at: number, nth: number) => {
    const tries = own.cells[at]?.tries ?? 0;
    return html`
      <li class="work" data-problem="${problem.id}">
        ${statusControl(forms, problem.id, problem.title, marks(problem.id))}
        <div>
          <p><b>${letterOf(problem)}</b> ${problemLink(site.basePath, problem)}</p>
          <p class="facts small soft">
            ${judgeKey(problem)}
            ${!hidesRatings && difficulty(problem)}
            <span>${tries > 0 ? words('rounds.wrong', { count: tries }) : words('rounds.notTried')}</span>
            <span>${words('rounds.solvedByCount', { count: solvedBy(at), people: lines.length })}</span>
          </p>
        </div>
        ${webLink(problem.url, open, nth === 0 ? 'button primary' : 'button')}
      </li>`;
  };
  return panel(
    {
      id: 'left',
      heading: words('rounds.leftToSolve'),
      beside: html`<p class="soft">${words('rounds.yours', { solved: own.solved, later: own.later })}</p>`,
      className: 'upsolve',
      total: left.length,
    },
    left.length === 0
      ? html`<p class="soft">${icon('s-complete', 'st complete')} ${words('rounds.allSolved')}</p>`
      : html`<ul class="work-list">${left.map(({ problem, at }, nth) => row(problem, at, nth))}</ul>`,
  );
}
