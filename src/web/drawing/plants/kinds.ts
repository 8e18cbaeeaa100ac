/** The looks of each species. */
import type { Species } from '../../../practice/species.ts';
import type { FruitColour, Green, Petal } from '../../kit/palette.ts';
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

export interface PlantKind {
  latin: string;
  draw: Draw;
  greens: Green;
  petals: readonly [Petal, Petal, Petal];
  fruit: FruitColour;
  /** Scales a wide species to fit its place. */
  fit: number;
}

const kind = (
  latin: string,
  draw: Draw,
  greens: Green,
  petals: PlantKind['petals'],
  fruit: FruitColour,
): PlantKind => ({
  latin,
  draw,
  greens,
  petals,
  fruit,
  fit: 1,
});

export const plantKinds: Readonly<Record<Species, PlantKind>> = {
  fern: { ...kind('Filix memoriae', fern, 'fresh', ['gold', 'coral', 'cream'], 'apple'), fit: 0.86 },
  vine: kind('Vitis spatians', vine, 'fresh', ['violet', 'blue', 'rose'], 'grape'),
  tree: { ...kind('Arbor binaria', binaryTree, 'fresh', ['rose', 'cream', 'coral'], 'apple'), fit: 0.86 },
  runner: kind('Phaseolus avarus', runner, 'warm', ['scarlet', 'cream', 'violet'], 'pod'),
  sunflower: { ...kind('Helianthus aureus', sunflower, 'fresh', ['gold', 'lemon', 'amber'], 'seed'), fit: 0.92 },
  bamboo: kind('Bambusa verbalis', bamboo, 'bamboo', ['scarlet', 'rose', 'coral'], 'wish'),
  rosettes: kind('Aeonium convexum', rosettes, 'cool', ['coral', 'gold', 'rose'], 'apple'),
  cactus: { ...kind('Opuntia acervata', heapCactus, 'cactus', ['gold', 'coral', 'rose'], 'pear'), fit: 0.84 },
  onion: kind('Allium parens', bracketOnion, 'cool', ['violet', 'rose', 'blue'], 'apple'),
  meadow: kind('Flora fortuita', meadow, 'fresh', ['cream', 'coral', 'blue'], 'straw'),
};
