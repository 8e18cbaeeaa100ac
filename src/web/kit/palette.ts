/**
 * The colours of the garden and the style sheet of its classes. A colour has a name of one letter: class `gp` fills
 * and `lp` strokes with colour p; `cut` makes the ends of a line square.
 */

type Pair = readonly [light: string, dark: string];
type Colours = Readonly<Record<string, Pair>>;

function colours(names: string, light: string, dark: string): Colours {
  const [lights, darks] = [light.split(' '), dark.split(' ')];
  return Object.fromEntries(
    names.split(' ').map((name, index) => [name, [lights[index] ?? '', darks[index] ?? ''] as const]),
  );
}

/** Leaves from dark to light, and the stem. */
const leafParts = '1 2 3 4 s';
/** The petal, its shaded half, the heart. */
const petalParts = 'p q h';
/** The fruit and its shade. */
const fruitParts = 'f k';

const greens = {
  fresh: colours(leafParts, '#1f5638 #37794a #5e9f58 #93c47d #4f8250', '#1f5038 #2f6f4a #55995e #8fcd8c #5f9f67'),
  warm: colours(leafParts, '#2c5c2e #4a8040 #7aa751 #abcb79 #5f8b45', '#2a5530 #43763f #70a355 #abd184 #6d9d57'),
  bamboo: colours(leafParts, '#3f6b2c #5a8a3a #86ae4e #b9d080 #6d9444', '#3a602c #527f3a #7ba651 #b8d486 #7a9f55'),
  cool: colours(leafParts, '#2b5d57 #467f72 #78ab9a #b0d3c0 #4d7d6a', '#25544f #3c7469 #6aa08f #a9d2be #5c947d'),
  cactus: colours(leafParts, '#2b5d4a #42805f #69a377 #94c292 #4d8263', '#24543f #397457 #5d9a70 #8cbf8e #5a946f'),
};
export type Green = keyof typeof greens;

const petals = {
  gold: colours(petalParts, '#f0bf47 #d59b2b #6b4a2c', '#f4c95c #d39a3a #5a3b22'),
  lemon: colours(petalParts, '#f3d763 #dab13a #6d5230', '#f5dc75 #d5b04a #5a4426'),
  amber: colours(petalParts, '#eaa24c #c97a2c #5a3826', '#efae60 #c8803a #4c2e20'),
  coral: colours(petalParts, '#ef8d70 #d0654c #f6dc97', '#f29b7f #cc6650 #f6dc97'),
  scarlet: colours(petalParts, '#e56a52 #bd4233 #f6dc97', '#ec7f68 #c14c3d #f6dc97'),
  rose: colours(petalParts, '#eda6b4 #d27d92 #e0ad45', '#f0b0bf #c9758b #e8bb58'),
  violet: colours(petalParts, '#a793d3 #7b68b4 #f3dd94', '#b5a4df #8874c0 #f3dd94'),
  blue: colours(petalParts, '#84a9d8 #5a83ba #f3dd94', '#97bae3 #6089c3 #f3dd94'),
  cream: colours(petalParts, '#f6e6b8 #e0c583 #d79f3a', '#f7ebc8 #d6bd84 #dba947'),
};
export type Petal = keyof typeof petals;

const fruits = {
  apple: colours(fruitParts, '#df6a4b #aa402c', '#ee866a #b4503a'),
  grape: colours(fruitParts, '#8d80bd #4b3f78', '#a99ddb #6a5ba0'),
  pod: colours(fruitParts, '#a6c267 #78994a', '#abc871 #76994e'),
  seed: colours(fruitParts, '#4a3524 #33241a', '#3d2b1d #241912'),
  wish: colours(fruitParts, '#e3b24a #5d88b9', '#e9c062 #7ba5d2'),
  pear: colours(fruitParts, '#c9597c #97365a', '#da6d90 #a7456b'),
  straw: colours(fruitParts, '#c4b07c #9c8750', '#c9b684 #a18d59'),
};
export type FruitColour = keyof typeof fruits;

/**
 * Colours of all plants: today's growth (n, m), bark (b), canes (c), seeds (o), paper (w), thorns (t) and rays
 * (r); then land and sky.
 */
const commonColours: Colours = {
  ...colours(
    'n m b c o w t r',
    '#cfe36a #a5c53f #7d6150 #b8a189 #b0894c #fffdf4 #e9f2d3 #c07f0c',
    '#e3f58a #b7d455 #9b7c66 #75634f #a87f4a #171d20 #dfeac4 #ffd766',
  ),
  ...colours('soil crumb board edge', '#cbb597 #ad9574 #fbfdf8 #d3decd', '#4d4338 #362f27 #1b2326 #354146'),
  ...colours(
    'far hill near sun bite star',
    '#f2f7ed #e8f1e1 #dae8d2 #fbeec2 transparent transparent',
    '#161e1f #1a2422 #1f2c27 #d9dcc4 #12171a #47565a',
  ),
};

/** A resting plant is pale but never brown, as it is not dead. */
const resting: Colours = {
  ...colours(leafParts, '#8fa396 #a3b4a6 #b7c5b7 #cbd6c9 #a9b8aa', '#35433d #415149 #4f6057 #607167 #4a5b52'),
  ...colours(
    `${petalParts} ${fruitParts}`,
    '#d9d0cf #c3b8b8 #cfc6ac #c9beb8 #b3a7a2',
    '#6b6a6c #545557 #77735f #66605c #504b48',
  ),
  ...colours('b c t o', '#b0a59c #d3cabf #dfe6da #b5aa96', '#5d5650 #4a443e #6f7f75 #5d574e'),
};

const palettes: Readonly<Record<string, Colours>> = {
  pg: commonColours,
  ...greens,
  ...petals,
  ...fruits,
  rest: resting,
};

const paintLetters = [...'1234snmbcpqhfkowtr'];
const paintRule = (paint: string) => `.g${paint}{fill:var(--g${paint})}.l${paint}{stroke:var(--g${paint})}`;
const rules = `${paintLetters.map(paintRule).join('')}
${paintLetters.map((paint) => `.l${paint}`).join()}{fill:none;stroke-linecap:round;stroke-linejoin:round}
.cut{stroke-linecap:butt}
.gx{fill:var(--gx)}.gy{fill:var(--gy)}
.z0{--gx:var(--g1);--gy:var(--g2)}.z1{--gx:var(--g2);--gy:var(--g3)}.z2{--gx:var(--g3);--gy:var(--g4)}
.zn{--gx:var(--gm);--gy:var(--gn);--g1:var(--gm);--g2:var(--gm);--g3:var(--gn);--g4:var(--gn)}
.soil{fill:var(--gsoil)}.board{fill:var(--gboard);stroke:var(--gedge)}
.crumbs{fill:none;stroke:var(--gcrumb);stroke-width:3;stroke-linecap:round;stroke-dasharray:0 9 3 17 0 13 2 23}
.far{fill:var(--gfar)}.hill{fill:var(--ghill)}.near{fill:var(--gnear)}.sky{fill:var(--gpaper)}
.sun{fill:var(--gsun)}.bite{fill:var(--gbite)}.stars{stroke:var(--gstar);stroke-width:2;stroke-linecap:round}
.hit{fill:none;pointer-events:all}
.pg text{font-family:system-ui,sans-serif;unicode-bidi:plaintext}
.tn{font-weight:600;fill:var(--gink)}.tc{fill:var(--gsoft)}.tl{fill:var(--gsoft);font-style:italic}
.tg{fill:var(--gleaf);font-weight:600}`;

const customProperties = (all: Colours, format: (pair: Pair) => string) =>
  Object.entries(all)
    .map(([name, pair]) => `--g${name}:${format(pair)}`)
    .join(';');

/**
 * The sheet for pages. Its classes stand alone, because the content of a `<use>` has no ancestors to match (SVG 2
 * §5.6.1); the layer keeps them below those of pages.
 */
export function pageStyle(): string {
  const pair = ([light, dark]: Pair) => (light === dark ? light : `light-dark(${light},${dark})`);
  const text =
    '.pg{--gink:var(--ink);--gsoft:var(--soft);--gleaf:var(--leaf);--gpaper:var(--canvas);' +
    '--gbite:light-dark(transparent,var(--canvas))}';
  const sheet = Object.entries(palettes).map(([name, all]) => `.${name}{${customProperties(all, pair)}}`);
  return `@layer charts{\n${sheet.join('\n')}\n${text}\n${rules}\n}`;
}

/** The sheet of a picture in a file of its own. */
export function standaloneStyle(): string {
  const text = colours('ink soft leaf paper', '#1b241c #4d5a4c #1a662f #fbfdf8', '#e7eee6 #aab8ac #7fd795 #12171a');
  const all = { ...palettes, pg: { ...commonColours, ...text } };
  const sheet = (at: 0 | 1) =>
    Object.entries(all)
      .map(([name, own]) => `.${name}{${customProperties(own, (pair) => pair[at])}}`)
      .join('\n');
  return `${sheet(0)}\n${rules}\n@media(prefers-color-scheme:dark){${sheet(1)}}`;
}
