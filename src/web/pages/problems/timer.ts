/** The forms of a timer. Each posts what to do, and the version of the timer that its page showed. */
import { parseInt64 } from '../../../contract/common.ts';
import { AppError } from '../../../errors.ts';
import { grades } from '../../../practice/review-cards.ts';
import { minutesOf, outcomes } from '../../../practice/timer-rules.ts';
import { discardTimer, gradeTimer, pauseTimer, startTimer, stopTimer, undoTimer } from '../../../practice/timers.ts';
import { findTimer } from '../../../store/timers.ts';
import { replaceTimerForm } from '../../kit/timer.ts';
import { html } from '../../markup.ts';
import { problemPath } from '../../paths.ts';
import { fieldText, idIn, localPath } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { localizeText, words } from '../../words/words.ts';
import { showProblem } from './problem.ts';

export const timerPages: readonly PageRoute<MemberVisit>[] = [
  { path: '/problem_list/problem/:id/timer/', post: submitTimer },
  // After a refused form the browser shows this address, and the theme and language forms redirect to it with GET.
  {
    path: '/problem_list/problem/:id/timer/',
    get: async ({ params }) => ({ to: problemPath(idIn(params['id'], parseInt64)) }),
  },
];

async function submitTimer(visit: MemberVisit): Promise<PageResult> {
  try {
    return await runAction(visit);
  } catch (error) {
    const isFormFault =
      error instanceof AppError && ['preconditionFailed', 'invalidValue', 'unknownItem'].includes(error.code);
    if (!isFormFault || error.localized?.key === 'unknownItem.problem') throw error;
    const status = error.code === 'invalidValue' ? 422 : 409;
    return showProblem(visit, { status, message: html`${localizeText(error)}` });
  }
}

async function runAction(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form, site, params } = visit;
  const memberId = member.user_id;
  const problemId = idIn(params['id'], parseInt64);
  const now = new Date();
  const from = form.has('from') ? localPath(site, form.get('from')) : problemPath(problemId);
  const action = form.get('redo') ?? form.get('do');
  if (action === 'start') {
    const result = await startTimer(store, memberId, problemId, now, parseInt64(form.get('instead') ?? ''));
    if ('timer' in result) return { to: from };
    const { conflict } = result;
    const text = words('timer.runsElsewhere', { title: conflict.title, minutes: minutesOf(conflict, now.getTime()) });
    return showProblem(visit, {
      status: 409,
      message: html`${text}`,
      extraForm: replaceTimerForm(visit, conflict, problemId, problemPath(problemId)),
    });
  }
  // The undo button has the version of the timer as its value.
  const undoVersion = form.get('undo');
  const version = undoVersion ?? fieldText(form, 'timer', 300);
  const id = idIn(version.split(' ', 1)[0], parseInt64);
  const toBar = (undone?: Record<string, string>) => {
    const parameters = new URLSearchParams({ timed: String(id), ...undone });
    return { to: `${from}${from.includes('?') ? '&' : '?'}${parameters}` };
  };
  const outcome = outcomes.find((one) => one === action);
  const grade = grades.find((one) => one === form.get('grade'));
  if (undoVersion !== null) {
    const former = await findTimer(store.reader, memberId, id);
    await undoTimer(store, memberId, id, version);
    const { outcome: undone, stopped_at: end, undone_at } = former ?? {};
    return toBar(undone && end && undone_at === null ? { undone, end } : { undone: 'discard' });
  }
  if (grade) await gradeTimer(store, memberId, id, version, grade);
  else if (action === 'pause' || action === 'resume') await pauseTimer(store, memberId, id, version, now);
  else if (action === 'discard') {
    await discardTimer(store, memberId, id, version, now);
    return toBar();
  } else if (outcome) {
    const text = form.get('minutes') ?? '';
    const minutes = /^\d{1,4}$/.test(text) ? Number(text) : undefined;
    const end = Date.parse(form.get('end') ?? '');
    await stopTimer(store, memberId, id, version, { outcome, minutes, end }, now);
    return toBar();
  }
  return { to: from };
}
