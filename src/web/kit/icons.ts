/**
 * Icons on a grid of 16 px, and drawings for empty pages. A sprite needs no request, and its icons have the colour
 * of the text.
 */
import { raw } from 'hono/html';
import { type Html, html } from '../markup.ts';
import { perLanguage } from '../words/viewer.ts';

const stroked = {
  search: '<circle cx="7" cy="7" r="4.25"/><path d="m10.25 10.25 3.5 3.5"/>',
  check: '<path d="m3.5 8.5 3 3 6-7"/>',
  down: '<path d="m4.5 6.5 3.5 3.5 3.5-3.5"/>',
  left: '<path d="M9.5 4.5 6 8l3.5 3.5"/>',
  right: '<path d="M6.5 4.5 10 8l-3.5 3.5"/>',
  close: '<path d="m4.5 4.5 7 7m0-7-7 7"/>',
  plus: '<path d="M8 3.5v9M3.5 8h9"/>',
  undo: '<path d="M6 3.5 3 6.5l3 3M3 6.5h6.25a3.25 3.25 0 0 1 0 6.5H6.5"/>',
  inbox: '<path d="M2.25 9.25 4 3.25h8l1.75 6v3.5H2.25zM2.25 9.25h3.5a2.25 2.25 0 0 0 4.5 0h3.5"/>',
  globe:
    '<circle cx="8" cy="8" r="5.75"/>' +
    '<path d="M2.25 8h11.5M8 2.25c2 1.75 2.75 3.5 2.75 5.75S10 12 8 13.75C6 12 5.25 10.25 ' +
    '5.25 8S6 4 8 2.25z"/>',
  theme: '<circle cx="8" cy="8" r="5.75"/><path d="M8 2.25v11.5M8 5.5h4.75M8 8h5.5M8 10.5h4.75"/>',
  star: '<path d="m8 2.25 1.75 3.6 3.95.55-2.87 2.77.7 3.93L8 11.2l-3.53 1.9.7-3.93L2.3 6.4l3.95-.55z"/>',
  note: '<path d="M3.25 2.75h9.5v7l-3.5 3.5h-6zM9.25 13v-3.25h3.25M5.75 5.75h4.5M5.75 8.25h2.5"/>',
  random:
    '<path d="M2 4.75h2.2c3 0 4.3 6.5 7.3 6.5H14M2 11.25h2.2c1.1 0 2-.9 2.75-2M14 4.75h-2.5c-1.1 0-2 .9-2.75 ' +
    '2M12 2.75l2 2-2 2M12 9.25l2 2-2 2"/>',
  filter: '<path d="M2 4h12M4.5 8h7M7 12h2"/>',
  out: '<path d="M6.5 3.5H3.25v9.25h9.25V9.5M9 2.75h4.25V7M13 3 7.5 8.5"/>',
  twin: '<rect x="2.25" y="5.25" width="8" height="8" rx="1.5"/><path d="M5.5 2.75h6.75a1.5 1.5 0 0 1 1.5 1.5V11"/>',
  flag: '<path d="M4 13.75V2.5M4 3h7.5l-1.75 2.75L11.5 8.5H4"/>',
  freeze: '<path d="M8 1.75v12.5M2.6 4.9l10.8 6.2M13.4 4.9 2.6 11.1"/>',
  cup:
    '<path d="M5 2.75h6v4a3 3 0 0 1-6 0zM5 4H2.75v1A2.25 2.25 0 0 0 5 7.25M11 4h2.25v1A2.25 2.25 0 0 1 11 7.25' +
    'M8 9.75v2.5M5.5 13.5h5"/>',
  clock: '<circle cx="8" cy="8" r="5.75"/><path d="M8 4.75V8l2.25 1.75"/>',
  play: '<path d="M5 3.25v9.5L12.5 8z"/>',
  pause: '<path d="M5.75 3.5v9M10.25 3.5v9"/>',
  sync: '<path d="M13.25 3v3.25H10M2.75 13V9.75H6M3 6.25a5.25 5.25 0 0 1 10-.25M13 9.75a5.25 5.25 0 0 1-10 .25"/>',
  warn: '<path d="M8 2.5 14.25 13H1.75zM8 6.5v3M8 11.1v.1"/>',
  info: '<circle cx="8" cy="8" r="5.75"/><path d="M8 7.25V11M8 5v.1"/>',
  eye:
    '<path d="M1.75 8S4 3.75 8 3.75 14.25 8 14.25 8 12 12.25 8 12.25 1.75 8 1.75 8z"/><circle cx="8" cy="8" ' +
    'r="1.75"/>',
  today: '<rect x="2.5" y="3.25" width="11" height="10" rx="1.5"/><path d="M2.5 6.5h11M5.5 1.75v3M10.5 1.75v3"/>',
  list: '<path d="M5.75 4h8M5.75 8h8M5.75 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1"/>',
  grid: '<path d="M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z"/>',
  chart: '<path d="M2.5 13.25h11M4.5 10.75v-3M8 10.75v-7M11.5 10.75V6"/>',
  garden:
    '<path d="M8 13.5V7.75M8 8.5C8 5 5.75 3.25 2.5 3.25 2.5 6.5 4.75 8.5 8 8.5zM8 10c0-2.5 2-3.75 ' +
    '5.25-3.75C13.25 8.75 11.25 10 8 10z"/>',
  more: '<path d="M3.5 8h.1M8 8h.1M12.5 8h.1"/>',
  people:
    '<circle cx="6" cy="5.5" r="2.5"/><path d="M1.5 13.25c.25-2.5 2-4 4.5-4s4.25 1.5 4.5 4M10.5 3.25a2.5 2.5 0 ' +
    '0 1 0 4.5M12 9.5c1.5.5 2.35 1.85 2.5 3.75"/>',
  lock: '<rect x="3.25" y="7" width="9.5" height="6.25" rx="1.5"/><path d="M5.25 7V5.25a2.75 2.75 0 0 1 5.5 0V7"/>',
  print: '<path d="M4.5 6V2.5h7V6M4.5 11.5H2.25V6h11.5v5.5H11.5M4.5 9.5h7v4h-7z"/>',
  download: '<path d="M8 2.5v7.25M4.75 6.75 8 10l3.25-3.25M2.75 13.25h10.5"/>',
  link:
    '<path d="M6.75 9.25a2.5 2.5 0 0 0 3.6 0l2.2-2.25a2.5 2.5 0 0 0-3.55-3.55l-.9.9M9.25 6.75a2.5 2.5 0 0 0-3.6 ' +
    '0L3.45 9A2.5 2.5 0 0 0 7 12.55l.9-.9"/>',
  key: '<circle cx="5.25" cy="10.75" r="2.75"/><path d="m7.25 8.75 6-6M11 5l2 2"/>',
  shield:
    '<path d="M8 1.75 13 3.5v4c0 3.25-2 5.5-5 6.75-3-1.25-5-3.5-5-6.75v-4z"/><path d="m5.75 8 1.6 1.6L10.5 6.25"/>',
  trash: '<path d="M2.75 4.25h10.5M6 4V2.5h4V4M4 4.5l.65 9h6.7l.65-9"/>',
  copy: '<rect x="5.25" y="5.25" width="8.25" height="8.25" rx="1.5"/><path d="M10.75 5.25V2.5H2.5v8.25h2.75"/>',
  upload: '<path d="M8 10V2.75M4.75 6 8 2.75 11.25 6M2.75 13.25h10.5"/>',
  user: '<circle cx="8" cy="5.25" r="2.75"/><path d="M2.75 13.5c.3-2.75 2.25-4.25 5.25-4.25s4.95 1.5 5.25 4.25"/>',
  device: '<rect x="2" y="3" width="12" height="8" rx="1.25"/><path d="M5.5 13.5h5M8 11v2.5"/>',
  share:
    '<circle cx="4" cy="8" r="1.75"/><circle cx="12" cy="4" r="1.75"/><circle cx="12" cy="12" r="1.75"/><path ' +
    'd="m5.6 7.2 4.8-2.4M5.6 8.8l4.8 2.4"/>',
  's-not_started': '<circle cx="8" cy="8" r="5.75"/>',
  's-reading': '<circle cx="8" cy="8" r="5.75"/><path d="M5.75 6.6h4.5M5.75 9.4h2.75"/>',
  's-skipped': '<circle cx="8" cy="8" r="5.75"/><path d="m5.75 5.9 2.1 2.1-2.1 2.1M8.6 5.9l2.1 2.1-2.1 2.1"/>',
  's-ignored': '<circle cx="8" cy="8" r="5.75"/><path d="m4.2 11.8 7.6-7.6"/>',
  's-self': '<circle cx="8" cy="8" r="5.75"/><path d="m5.4 8.2 1.8 1.8 3.4-3.9"/>',
};
const filled = {
  'star-on': '<path d="m8 1.7 1.95 3.95 4.35.63-3.15 3.07.75 4.35L8 11.65 4.1 13.7l.75-4.35L1.7 6.28l4.35-.63z"/>',
  's-practicing': '<path fill-rule="evenodd" d="M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM8 3a5 5 0 0 1 0 10z"/>',
  's-complete':
    '<path fill-rule="evenodd" d="M8 1.25a6.75 6.75 0 1 1 0 13.5 6.75 6.75 0 0 1 0-13.5zm3.95 4.7a.85.85 0 0 ' +
    '0-1.3-1.1L7.2 8.95 5.6 7.3a.85.85 0 0 0-1.22 1.18l2.26 2.33a.85.85 0 0 0 1.26-.04z"/>',
};

export type IconName = keyof typeof stroked | keyof typeof filled;

const strokeAttributes =
  'fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"';

/** Mirrored where text runs from right to left. */
const mirroredIcons: readonly string[] = [
  'left',
  'right',
  'undo',
  'out',
  'list',
  's-skipped',
  's-reading',
] satisfies IconName[];

const symbolsOfLanguage = perLanguage(({ direction }) => {
  const mirror = (name: string, body: string) =>
    direction === 'rtl' && mirroredIcons.includes(name) ? `<g transform="matrix(-1 0 0 1 16 0)">${body}</g>` : body;
  return new Map(
    [...Object.entries(stroked), ...Object.entries(filled)].map(([name, body]) => [
      name,
      `<symbol id="${name}" viewBox="0 0 16 16" ${name in stroked ? strokeAttributes : 'fill="currentColor"'}>` +
        `${mirror(name, body)}</symbol>`,
    ]),
  );
});

/** The sprite stands once in a page, before the icons that use it. */
export function spriteFor(markup: Html): Html | string {
  return markup instanceof Promise ? markup.then(spriteOf) : spriteOf(markup);
}

const useTag = '<use href="#';

function spriteOf(markup: string): ReturnType<typeof raw> {
  const names = new Set<string>();
  const symbols = symbolsOfLanguage();
  // indexOf finds the hundreds of icons of a long page ten times as fast as a pattern.
  for (let at = markup.indexOf(useTag); at >= 0; at = markup.indexOf(useTag, at)) {
    at += useTag.length;
    names.add(markup.slice(at, markup.indexOf('"', at)));
  }
  const used = Array.from(names, (name) => symbols.get(name) ?? '').join('');
  return raw(used && `<svg class="sprite" aria-hidden="true">${used}</svg>\n`);
}

export function icon(name: IconName, className = ''): Html {
  return html`
    <svg class="i${className ? ` ${className}` : ''}" aria-hidden="true">
      <use href="#${name}"/>
    </svg>`;
}

const illustrations = {
  bed:
    '<ellipse class="soil" cx="80" cy="77" rx="66" ry="9"/><g class="seed"><ellipse cx="48" cy="76" rx="4" ' +
    'ry="2.6"/><ellipse cx="80" cy="78" rx="4" ry="2.6"/><ellipse cx="112" cy="76" rx="4" ry="2.6"/></g><path ' +
    'class="dash" d="M48 66V48M80 68V40M112 66V50"/>',
  gate:
    '<ellipse class="soil" cx="80" cy="80" rx="66" ry="7"/><path class="fence" d="M32 78V44M52 78V40M108 ' +
    '78V40M128 78V44M24 54h36M100 54h36M24 68h36M100 68h36"/><path class="fence leaf" d="M64 78V32c0-2 32-2 32 ' +
    '0v46M64 56h32"/><circle class="knob" cx="90" cy="60" r="2"/>',
  seedlings:
    '<ellipse class="soil" cx="80" cy="80" rx="70" ry="8"/><path class="stem" d="M44 78V62M80 80V46M116 ' +
    '78V56"/><path class="l1" d="M44 64c0-7-4-10-11-10 0 7 4 10 11 10zM80 50c0-14-8-21-22-21 0 14 8 21 22 ' +
    '21zM116 59c0-9-5-14-14-14 0 9 5 14 14 14z"/><path class="l2" d="M44 68c0-5 3-8 10-8 0 5-3 8-10 8zM80 ' +
    '60c0-10 7-16 21-16 0 10-7 16-21 16zM116 66c0-7 4-10 12-10 0 7-4 10-12 10z"/>',
};

export function illustration(name: keyof typeof illustrations): Html {
  return html`<svg class="spot" viewBox="0 0 160 96" aria-hidden="true">${raw(illustrations[name])}</svg>`;
}
