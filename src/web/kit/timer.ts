/** The timer in the header and on pages. */

import {
  elapsedMs,
  endOfTimer,
  isForgotten,
  isPaused,
  longestMinutes,
  minutesOf,
  outcomeOf,
  outcomes,
  timersAtLeast,
  versionOfTimer,
} from '../../practice/timer-rules.ts';
import type { GradeSuggestion, UsualTime } from '../../practice/timers.ts';
import type { SignedInRow } from '../../store/sessions.ts';
import { findTimer, type TimersTable, type TitledTimer } from '../../store/timers.ts';
import { attr, type Html, html } from '../markup.ts';
import { problemPath, timerPath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';
import { afterColon } from '../words/formats.ts';
import { richWords, words } from '../words/words.ts';
import { eventItem } from './changes.ts';
import { moment } from './dates.ts';
import { button, type FormContext, form } from './form.ts';
import { icon } from './icons.ts';
import { type Forms, judgeKey, problemLink, undoBar, webLink } from './marks.ts';
import { unheadedPanel } from './panel.ts';

/** A script counts on while the timer runs. */
function minuteCounter(timer: Parameters<typeof minutesOf>[0], now: number): Html {
  const minutes = minutesOf(timer, now);
  const runs = !isPaused(timer) && minutes < longestMinutes;
  return html`<b${attr('data-elapsed', runs && elapsedMs(timer, now))}>${Math.min(minutes, longestMinutes)}</b>`;
}

export function timerPill(basePath: string, { timer }: Pick<SignedInRow, 'timer'>): Html | '' {
  if (!timer) return '';
  const now = Date.now();
  const state = isPaused(timer) ? words('timer.paused') : words('timer.name');
  const minutes = richWords('timer.minutes', { count: minuteCounter(timer, now) });
  return html`
    <a class="chip on timer-pill" href="${basePath}${problemPath(timer.problem_id)}" title="${timer.title}">
      ${icon(isPaused(timer) ? 'pause' : 'clock')}
      <span class="sr">${words('contests.stateOf', { title: state, state: '' })}</span>
      <span class="num">${minutes}</span> <span class="what">${timer.title}</span>
    </a>`;
}

export function startTimerForm(
  context: FormContext,
  { id, title }: { id: bigint; title: string },
  from: string,
  kind = '',
): Html {
  const label = html`<span>${words('timer.start')}<span class="sr">${afterColon(title)}</span></span>`;
  return form(
    context,
    { to: timerPath(id), hidden: { from } },
    html`<button class="button${kind && ` ${kind}`}" name="do" value="start">${icon('play')}${label}</button>`,
  );
}

export function replaceTimerForm(context: FormContext, other: TitledTimer, problemId: bigint, from: string): Html {
  return form(
    context,
    { to: timerPath(problemId), hidden: { from, do: 'start' } },
    button(words('timer.instead', { title: other.title }), 'small', ['instead', other.id]),
  );
}

const scaleMinutes = 60;

function timeScale(timer: TitledTimer, usual: UsualTime | undefined, now: number): Html {
  const median = usual?.minutes;
  const scaleEnd = Math.max(scaleMinutes, Math.ceil(((median ?? 0) * 1.5) / 30) * 30);
  const elapsed = Math.min(scaleEnd, minutesOf(timer, now));
  return html`
    <div class="timer-scale">
      <svg
        class="bar" viewBox="0 0 ${scaleEnd} 1" preserveAspectRatio="none" aria-hidden="true" focusable="false"
        data-most="${scaleEnd}"
      >
        <rect class="done" width="${elapsed}" height="1"/>
        ${
          median !== undefined &&
          html`<rect class="usual" x="${median - scaleEnd / 400}" width="${scaleEnd / 200}" height="1"/>`
        }
      </svg>
      <p class="soft">
        <span>${richWords('timer.since', { time: moment(timer.started_at, 'time') })}</span>
        ${
          median !== undefined &&
          html`<span class="usual-word">${words('timer.yourMedian', { minutes: median })}</span>`
        }
        <span>${words('timer.minutesOnly', { count: scaleEnd })}</span>
      </p>
    </div>`;
}

export function timerPanel(context: FormContext, timer: TitledTimer, usual: UsualTime | undefined, from: string): Html {
  const now = Date.now();
  const id = timer.problem_id;
  const isOnProblemPage = from.startsWith(problemPath(id));
  const state = isForgotten(timer, now) ? 'forgotten' : isPaused(timer) ? 'paused' : 'runs';
  const hidden = { timer: versionOfTimer(timer), from };
  const heading = isPaused(timer) ? words('timer.paused') : words('timer.name');
  const problemFacts = html`
    <div>
      <p class="timer-title">${problemLink(context.site.basePath, { id, title: timer.title })}</p>
      <p>
        ${judgeKey(timer)} <span>· ${richWords('timer.since', { time: moment(timer.started_at, 'time') })}</span>
      </p>
    </div>`;
  const open = html`${icon('out')}<span>${words('next.open')}</span>`;
  return unheadedPanel(
    { labelledBy: 'timer', className: 'timer', more: { 'data-timer': state } },
    html`
      <div class="figure-row">
        <div class="timer-clock">
          <h2 id="timer">${icon(isPaused(timer) ? 'pause' : 'clock')}<span>${heading}</span></h2>
          <p class="figure">${richWords('timer.minutes', { count: minuteCounter(timer, now) })}</p>
        </div>
        ${!isOnProblemPage ? problemFacts : state === 'forgotten' ? forgottenText() : timeScale(timer, usual, now)}
      </div>
      ${
        state === 'forgotten'
          ? forgottenForm(context, id, hidden, isOnProblemPage)
          : runningForm(context, timer, hidden, !isOnProblemPage && webLink(timer.url, open, 'button primary'))
      }`,
  );
}

const endButtons = () => html`
  ${button(words('timer.solved'), '', ['do', 'solved'])}
  ${button(words('timer.editorial'), '', ['do', 'editorial'])}
  ${button(words('timer.gaveUp'), '', ['do', 'unsolved'])}
  ${button(words('timer.discard'), 'quiet', ['do', 'discard'])}`;

type Hidden = Readonly<Record<string, string>>;

function runningForm(context: FormContext, timer: TitledTimer, hidden: Hidden, open: Html | false | undefined): Html {
  const pauseButton = isPaused(timer)
    ? button(words('timer.resume'), '', ['do', 'resume'], 'play')
    : button(words('timer.pause'), '', ['do', 'pause'], 'pause');
  return html`
    ${form(
      context,
      { to: timerPath(timer.problem_id), hidden, className: 'actions' },
      html`
        ${open}
        ${pauseButton}
        ${endButtons()}`,
    )}
    <p class="faint hint">${words('timer.stopsText')}</p>`;
}

const forgottenText = () => html`<p>${words('timer.forgotten', { hours: longestMinutes / 60 })}</p>`;

function forgottenForm(context: FormContext, id: bigint, hidden: Hidden, isOnProblemPage: boolean): Html {
  return html`
    ${!isOnProblemPage && forgottenText()}
    ${form(
      context,
      { to: timerPath(id), hidden, className: 'actions' },
      html`
        <label class="timer-minutes">
          ${words('timer.howLong')}
          <input type="number" name="minutes" min="1" max="${longestMinutes}" inputmode="numeric" autocomplete="off">
        </label>
        ${endButtons()}`,
    )}`;
}

/** Such as "28 min, solved". */
export function timerEndText(timer: TimersTable): string {
  return words(`timer.ended.${outcomeOf(timer) ?? 'unsolved'}`, { count: minutesOf(timer, Date.now()) });
}

/** `name` is the problem, unless the page is about it. */
export function timerEvent(timer: TimersTable, forms: Forms, name?: Html): Html {
  const { undone_at } = timer;
  const end = endOfTimer(timer);
  const text =
    end === null
      ? words('timer.name')
      : html`${timerEndText(timer)} <span class="faint">${words('timer.onTimer')}</span>`;
  const version = versionOfTimer(timer);
  const remove = html`${icon('trash')}<span class="sr">${words('timer.discard')}</span>`;
  const undo =
    undone_at === null
      ? button(remove, 'small quiet', ['do', 'discard'])
      : button(words('change.undo'), 'small quiet', ['undo', version], 'undo');
  const hidden = { from: forms.from, ...(undone_at === null && { timer: version }) };
  return eventItem({
    about: attr('data-timer', timer.id),
    icon: icon('clock', 'faint'),
    text: html`${name && html`${name} `}${text}`,
    undone: undone_at !== null && html`${words('timer.discarded')}`,
    undo: form(forms, { to: timerPath(timer.problem_id), hidden }, undo),
    when: moment(end ?? undone_at ?? '', 'time'),
  });
}

export function medianTime({ from, to, timerCount, minutes }: UsualTime, hidesRating: boolean): Html {
  const timed = html`<span class="faint">${words('timer.timed', { count: timerCount })}</span>`;
  const median =
    minutes === undefined
      ? words('timer.noMedian', { least: timersAtLeast, count: timerCount })
      : html`${words('timer.minutesOnly', { count: minutes })} ${timed}`;
  const around = hidesRating
    ? words('timer.medianOfLevel')
    : words('timer.medianAt', { from: String(from), to: String(to) });
  return html`
    <dt>${around}</dt>
    <dd>${median}</dd>`;
}

export function suggestionText({ grade, minutes, usual }: GradeSuggestion): string {
  const word = words(`review.grade.${grade}`);
  if (!usual) return words('timer.suggestEditorial', { grade: word });
  const { from, to, minutes: median = 0 } = usual;
  return words('timer.suggest', { minutes, from: String(from), to: String(to), median, grade: word });
}

export async function timerBar(visit: MemberVisit, from: string): Promise<Html | undefined> {
  const digits = visit.query.get('timed') ?? '';
  const id = /^\d{1,18}$/.test(digits) ? BigInt(digits) : undefined;
  const timer = id === undefined ? undefined : await findTimer(visit.store.reader, visit.member.user_id, id);
  if (!timer) return undefined;
  const forms: Forms = { ...visit, from };
  const { title: subject, stopped_at, undone_at } = timer;
  const [version, to] = [versionOfTimer(timer), timerPath(timer.problem_id)];
  const undone = visit.query.get('undone');
  if (undone !== null && undone_at === null) {
    const end = visit.query.get('end') ?? '';
    const outcome = stopped_at === null && Date.parse(end) > 0 && outcomes.find((one) => one === undone);
    if (!outcome && undone !== 'discard') return undefined;
    const change = outcome ? timerEndText({ ...timer, outcome, stopped_at: end }) : words('timer.discarded');
    const text = richWords('change.undone', { subject, change });
    return undoBar(forms, text, undone, { to, name: 'redo', hidden: { timer: version, end } });
  }
  if (stopped_at === null && undone_at === null) return undefined;
  const change = undone_at === null ? timerEndText(timer) : words('timer.discarded');
  return undoBar(forms, richWords('change.done', { subject, change }), version, { to });
}
