/** What was said of problems beside how many of them were solved, with an interval for each phrase. */
import { scaleLinear } from 'd3-scale';
import { type CalibrationLine, isOff } from '../../../practice/calibration.ts';
import { type ChancePhrase, chancePhrases } from '../../../practice/chance.ts';
import { type Html, html } from '../../markup.ts';
import { type Frame, gridLine, plot, px } from './plot.ts';

export function calibrationPicture(lines: readonly CalibrationLine[]): Html {
  const margins = { left: 34, top: 10, bottom: 36 };
  const draw = (frame: Frame) => drawFrame(frame, lines);
  return plot(draw, { ...margins, height: 230 }, { ...margins, left: 26, right: 10, height: 200 });
}

const fractionOf = ({ kind, some, all }: ChancePhrase) => `${{ under: '<', about: '', over: '>' }[kind]}${some}/${all}`;

function drawFrame(frame: Frame, lines: readonly CalibrationLine[]): Html {
  const { left, right, width, height, bottom, top, isWide } = frame;
  const columnWidth = (width - left - right) / chancePhrases.length;
  const y = scaleLinear([0, 1], [height - bottom, top]);
  const column = (line: CalibrationLine, middle: number) => {
    const { count, solved, expected, interval } = line;
    const [low, high] = interval.map((share) => px(y(share)));
    const [x, barTop] = [middle - columnWidth * 0.3, y(solved / count)];
    return html`
      <rect
        class="said-bar${isOff(line) && ' off'}" x="${px(x)}" y="${px(barTop)}" width="${px(columnWidth * 0.6)}"
        height="${px(y(0) - barTop)}"
      />
      <path class="said-range" d="M${px(middle)} ${low}V${high}m-4 0h8M${px(middle - 4)} ${low}h8"/>
      <path class="said" d="M${px(middle - columnWidth * 0.4)} ${px(y(expected / count))}h${px(columnWidth * 0.8)}"/>
      <text class="mid" x="${px(middle)}" y="${height - 5}">${count}</text>`;
  };
  const columns = chancePhrases.map((phrase, index) => {
    const middle = left + (index + 0.5) * columnWidth;
    const line = lines.find((one) => one.phrase === phrase);
    // The longest fraction would touch the one before it.
    const isAtEdge = !isWide && phrase.kind === 'over';
    return html`
      ${line && column(line, middle)}
      <text class="${isAtEdge ? 'end' : 'mid'}" x="${isAtEdge ? width : px(middle)}" y="${height - 20}">
        ${fractionOf(phrase)}
      </text>`;
  });
  return html`${[0, 0.5, 1].map((share) => gridLine(frame, y(share), String(share * 100)))}${columns}`;
}
