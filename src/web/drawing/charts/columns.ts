/** Columns side by side: counts by rating, by hour or by tries. */
import { type Html, html } from '../../markup.ts';
import { countAxis, type Frame, mark, plot, px } from './frames.ts';

/** Part of a column that leads to the list behind it. */
interface Part {
  count: number;
  href: string;
  title: string;
}

export interface Column {
  label: string;
  /** That of a band, or `plain`. */
  colour: string;
  full: Part;
  /** On top of the other, as an outline. */
  open?: Part;
}

interface Look {
  /** Which columns have their label below; in the narrow drawing every second of them has. */
  labelEvery: number;
  /** Whether a strip of the columns' colours lies below them. */
  hasStrip?: boolean;
  /** Room between columns, as a share of one. */
  gap: number;
}

export function columnPlot(columns: readonly Column[], look: Look): Html {
  const margins = { left: 32, bottom: look.hasStrip ? 32 : 26, top: 20 };
  return plot(
    (frame) => draw(frame, columns, look),
    { ...margins, height: 220 },
    { ...margins, height: 200, right: 6 },
  );
}

function draw(frame: Frame, columns: readonly Column[], { labelEvery, hasStrip = false, gap }: Look): Html {
  const { left, right, width, height, bottom, isWide } = frame;
  const each = (width - left - right) / columns.length;
  const highest = Math.max(...columns.map(({ full, open }) => full.count + (open?.count ?? 0)));
  const up = countAxis(frame, highest);
  const foot = up.at(0);
  const every = isWide ? labelEvery : labelEvery * 2;
  const inset = Math.max(1, (each * gap) / 2);
  const drawn = columns.map(({ label, colour, full, open }, place) => {
    const x = left + place * each;
    const [top, upper] = [up.at(full.count), up.at(full.count + (open?.count ?? 0))];
    const at = html`x="${px(x + inset)}" width="${px(each - 2 * inset)}"`;
    const solid = html`
      <rect class="col" data-band="${colour}" ${at} y="${px(top)}" height="${px(foot - top)}">
        <title>${full.title}</title>
      </rect>`;
    const outline = html`
      <rect
        class="col open" data-band="${colour}" x="${px(x + inset + 0.5)}" width="${px(each - 2 * inset - 1)}"
        y="${px(upper + 0.5)}" height="${px(Math.max(1, top - upper - 1.5))}"
      >
        <title>${open?.title}</title>
      </rect>`;
    const middle = px(x + each / 2);
    // A figure that is wider than its column would run into the next one.
    const hasFigure = full.count > 0 && String(full.count).length * 7 <= each + 1;
    return html`
      ${full.count > 0 ? mark(full.href, full.count, solid) : ''}
      ${open && open.count > 0 ? mark(open.href, open.count, outline) : ''}
      ${hasFigure ? html`<text class="mid figure" x="${middle}" y="${px(upper - 5)}">${full.count}</text>` : ''}
      ${place % every === 0 ? html`<text class="mid" x="${middle}" y="${height - 8}">${label}</text>` : ''}`;
  });
  return html`${up.drawn}${drawn}${hasStrip ? strip(columns, { left, each, y: height - bottom + 4 }) : ''}`;
}

/** The bands below the columns, each from its first column to its last. */
function strip(columns: readonly Column[], { left, each, y }: { left: number; each: number; y: number }): Html {
  const starts = columns.flatMap(({ colour }, place) => (colour === columns[place - 1]?.colour ? [] : [place]));
  return html`${starts.map((start, nth) => {
    const end = starts[nth + 1] ?? columns.length;
    return html`
      <rect
        class="foot" data-band="${columns[start]?.colour}" x="${px(left + start * each + 1)}" y="${y}"
        width="${px((end - start) * each - 2)}" height="3"
      />`;
  })}`;
}
