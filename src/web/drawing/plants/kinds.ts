/**
 * The looks of each species: who draws it, its Latin name, its greens, the petals of which a plant has one by its
 * id, its fruit.
 */
import type { Species } from '../../../practice/garden.ts';
import type { Green, Petal, Ripe } from '../../kit/palette.ts';
import type { Draw } from './sketch.ts';
import { bamboo } from './species/bamboo.ts';
import { binaryTree } from './species/binary-tree.ts';
import { bracketOnion } from './species/bracket-onion.ts';
import { fern } from './species/fern.ts';
import { heapCactus } from './species/heap-cactus.ts';
import { meadow } from './species/meadow.ts';
import { rosettes } from './species/rosettes.ts';
import { runner } from './species/runner.ts';
import { sunflower } from './species/sunflower.ts';
import { vine } from './species/vine.ts';

export interface Kind {
  latin: string;
  draw: Draw;
  greens: Green;
  petals: readonly [Petal, Petal, Petal];
  fruit: Ripe;
  /** Keeps a wide species in its place. */
  fit: number;
}

export const kinds: Readonly<Record<Species, Kind>> = {
  fern: {
    latin: 'Filix memoriae',
    draw: fern,
    greens: 'fresh',
    petals: ['gold', 'coral', 'cream'],
    fruit: 'apple',
    fit: 0.86,
  },
  vine: {
    latin: 'Vitis spatians',
    draw: vine,
    greens: 'fresh',
    petals: ['violet', 'blue', 'rose'],
    fruit: 'grape',
    fit: 1,
  },
  tree: {
    latin: 'Arbor binaria',
    draw: binaryTree,
    greens: 'fresh',
    petals: ['rose', 'cream', 'coral'],
    fruit: 'apple',
    fit: 0.86,
  },
  runner: {
    latin: 'Phaseolus avarus',
    draw: runner,
    greens: 'warm',
    petals: ['scarlet', 'cream', 'violet'],
    fruit: 'pod',
    fit: 1,
  },
  sunflower: {
    latin: 'Helianthus aureus',
    draw: sunflower,
    greens: 'fresh',
    petals: ['gold', 'lemon', 'amber'],
    fruit: 'seed',
    fit: 0.92,
  },
  bamboo: {
    latin: 'Bambusa verbalis',
    draw: bamboo,
    greens: 'bamboo',
    petals: ['scarlet', 'rose', 'coral'],
    fruit: 'wish',
    fit: 1,
  },
  rosettes: {
    latin: 'Aeonium convexum',
    draw: rosettes,
    greens: 'cool',
    petals: ['coral', 'gold', 'rose'],
    fruit: 'apple',
    fit: 1,
  },
  cactus: {
    latin: 'Opuntia acervata',
    draw: heapCactus,
    greens: 'cactus',
    petals: ['gold', 'coral', 'rose'],
    fruit: 'pear',
    fit: 0.84,
  },
  onion: {
    latin: 'Allium parens',
    draw: bracketOnion,
    greens: 'cool',
    petals: ['violet', 'rose', 'blue'],
    fruit: 'apple',
    fit: 1,
  },
  meadow: {
    latin: 'Flora fortuita',
    draw: meadow,
    greens: 'fresh',
    petals: ['cream', 'coral', 'blue'],
    fruit: 'straw',
    fit: 1,
  },
};
