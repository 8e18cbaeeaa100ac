/** The history of one problem: the member's changes, each with its undo, and what was sent to the judges, by day. */

import { judgeName } from '../../../judges/addresses.ts';
import type { listChangesOfProblem } from '../../../store/changes.ts';
import type { ShownSolve } from '../../../store/problem-solves.ts';
import type { ProblemRow } from '../../../store/problems.ts';
import { changeEvent, wordsOf } from '../../kit/changes.ts';
import { type Forms, type OwnMarks, stateIcon, stateWords } from '../../kit/marks.ts';
import { dayHeading, moment } from '../../kit/moments.ts';
import { solveEvent } from '../../kit/solve-event.ts';
import { type Html, html } from '../../markup.ts';
import { dayAt, zoneWords } from '../../road/clock.ts';
import { words } from '../../words/words.ts';

/** What a page needs of a problem's history. */
export interface ProblemHistory {
  changes: Awaited<ReturnType<typeof listChangesOfProblem>>;
  /** The newest submissions. */
  solves: readonly ShownSolve[];
  /** The number of all submissions. */
  sent: bigint;
}

interface Event {
  at: string;
  shown: Html;
}

export function historyPanel(
  { source }: Pick<ProblemRow, 'source'>,
  marks: OwnMarks,
  { changes, solves, sent }: ProblemHistory,
  forms: Forms,
): Html {
  const own: Event[] = changes.map((change) => ({
    at: change.made_at,
    shown: changeEvent(change, wordsOf(change), change.size, forms),
  }));
  const decisive = decisiveOf(marks, solves);
  const brought = solves.map((solve) => ({
    at: solve.submitted_at,
    shown: solveEvent(solve, solve === decisive ? marks.status?.judge_status : null),
  }));
  const events = [...own, ...brought, ...(decisive ? [] : wordEvent(marks, source))];
  events.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  const days = Map.groupBy(events, ({ at }) => dayAt(at));
  const count = words('history.count', {
    sent,
    judge: judgeName(source),
    changes: changes.length,
    zone: zoneWords(),
  });
  const older = sent - BigInt(solves.length);
  const list = html`
    <ol class="days">
      ${[...days].map(
        ([date, some]) =>
          html`<li><h3>${dayHeading(date)}</h3><ol class="events">${some.map(({ shown }) => shown)}</ol></li>`,
      )}
    </ol>
    ${older > 0n ? html`<p class="faint hint">${words('history.older', { count: older })}</p>` : ''}`;
  return html`
    <section class="panel" aria-labelledby="history-title">
      <div class="panel-head">
        <h2 id="history-title">${words('frame.history')}</h2>
        ${sent > 0n || changes.length > 0 ? html`<p>${count}</p>` : ''}
      </div>
      ${events.length === 0 ? html`<p class="soft">${words('history.none')}</p>` : list}
    </section>`;
}

/** The submission that made the judge's word what it is; undefined where the word came from elsewhere. */
function decisiveOf({ status }: OwnMarks, solves: readonly ShownSolve[]): ShownSolve | undefined {
  const reached = status?.judge_status === 'complete' ? 'solved' : 'tried';
  return solves.find((one) => one.submitted_at === status?.judge_at && one.verdict_class === reached);
}

/** The judge's word that came without a submission. */
function wordEvent({ status }: OwnMarks, source: string): Event[] {
  if (!status?.judge_status || !status.judge_at) return [];
  const shown = html`
    <li class="event">
      <span class="event-mark">${stateIcon(status.judge_status)}</span>
      <div>
        <p>
          <b>${stateWords[status.judge_status]}</b> <span class="faint">
            ${words('history.saidBy', { judge: judgeName(source) })}
          </span>
        </p>
      </div>
      ${moment(status.judge_at, 'time')}
    </li>`;
  return [{ at: status.judge_at, shown }];
}
