/** How many problems a member and rows of the real field had solved, minute by minute until now. */
import { scaleLinear } from 'd3-scale';
import { type Html, html } from '../../markup.ts';
import { words } from '../../words/words.ts';
import { type Frame, plot, px } from './plot.ts';

export interface SolvedLine {
  kind: 'best' | 'middle' | 'own';
  name: string;
  /** When each solve was, in milliseconds after the start, ascending. */
  solvedAt: readonly number[];
}

const labelHeight = 14;

/** `ends` name the start and now. */
export function ghostPicture(lines: readonly SolvedLine[], nowMs: number, ends: readonly [string, string]): Html {
  const margins = { left: 4, top: 10, bottom: 24, height: 116 };
  const draw = (frame: Frame) => drawFrame(frame, lines, nowMs, ends);
  return plot(draw, { ...margins, width: 640, right: 150 }, { ...margins, width: 280, right: 104 });
}

function drawFrame(
  { left, right, top, bottom, width, height }: Frame,
  lines: readonly SolvedLine[],
  nowMs: number,
  [from, now]: readonly [string, string],
): Html {
  const end = width - right;
  const most = Math.max(3, ...lines.map(({ solvedAt }) => solvedAt.length));
  const x = scaleLinear([0, Math.max(1, nowMs)], [left, end]);
  const y = scaleLinear([0, most], [height - bottom, top]);
  const steps = ({ solvedAt }: SolvedLine) =>
    `M${left} ${px(y(0))}${solvedAt.map((at, index) => `H${px(x(at))}V${px(y(index + 1))}`).join('')}H${end}`;
  const byHeight = lines.toSorted((one, other) => other.solvedAt.length - one.solvedAt.length);
  let below = top - labelHeight;
  const labels = byHeight.map(({ kind, name, solvedAt }) => {
    below = Math.max(below + labelHeight, y(solvedAt.length) + 4);
    const text = words('contests.stateOf', { title: name, state: String(solvedAt.length) });
    return html`<text data-line="${kind}" x="${end + 8}" y="${px(below)}">${text}</text>`;
  });
  return html`
    ${y.ticks(3).map((value) => html`<path class="grid" d="M${left} ${px(y(value))}H${end}"/>`)}
    <path class="tick" d="M${end} ${top}V${height - bottom}"/>
    ${lines.map((line) => html`<path class="solved-line" data-line="${line.kind}" d="${steps(line)}"/>`)}
    ${labels}
    <text x="${left}" y="${height - 6}">${from}</text>
    <text class="end" x="${end}" y="${height - 6}">${now}</text>`;
}
