/** The surroundings of plants. */
import { type Html, svg } from '../../markup.ts';

/** In the dark scheme a second disc cuts the sun to a moon, and the stars show. */
export function skyMarkup(x: number, y: number, radius: number, width: number, height: number): Html {
  // The golden ratio and the plastic number spread stars evenly without lines.
  const star = (index: number) =>
    `M${Math.round((index * 0.618034 * width) % width)} ${Math.round((index * 0.754878 * height) % height) + 6}h0`;
  const stars = Array.from({ length: Math.floor(width / 40) }, (_, index) => star(index + 1)).join('');
  const disc = (className: string, cx: number, cy: number, r: number) =>
    svg`<circle class="${className}" cx="${Math.round(cx)}" cy="${Math.round(cy)}" r="${Math.round(r)}"/>`;
  const moonShadow = disc('bite', x + radius * 0.45, y - radius * 0.2, radius * 0.9);
  return svg`<path class="stars" d="${stars}"/>${disc('sun', x, y, radius)}${moonShadow}`;
}

export function landMarkup(width: number, y: number, index: number): Html {
  const hill = (className: string, left: number, crest: number, right: number) => {
    const middle = y - (left + right) / 2;
    const slope =
      `M0 ${y - left}Q${Math.round(width / 4)} ${y - crest} ${Math.round(width / 2)} ${middle}T${width} ` +
      `${y - right}`;
    return svg`<path class="${className}" d="${slope}V${y + 29}q0 10-10 10H10q-10 0-10-10z"/>`;
  };
  return index % 2 === 1
    ? svg`${hill('far', 64, 150, 96)}${hill('hill', 58, -12, 30)}`
    : svg`${hill('far', 112, 30, 58)}${hill('hill', 22, 104, 44)}`;
}

export function earthMarkup(left: number, y: number, width: number): Html {
  const third = Math.round((width - 26) / 3);
  const lastThird = width - 2 * third - 26;
  const mound = `M${left} ${y + 14}q0-14 13-15q${third / 2}-5 ${third} 0t${third} 0t${lastThird} 0q13 1 13 15z`;
  return svg`<path class="soil" d="${mound}"/><path class="crumbs" d="M${left + 14} ${y + 5}h${width - 28}"/>`;
}

export function moundMarkup(half: number, height: number): Html {
  const shoulder = Math.round(half * 0.4);
  const mound =
    `M${-half} ${Math.round(height / 2)}q${shoulder}-${height} ${half}-${height}t${half} ${height}` +
    `q-${half} ${height} ${-2 * half} 0z`;
  return svg`<path class="soil" d="${mound}"/>`;
}
