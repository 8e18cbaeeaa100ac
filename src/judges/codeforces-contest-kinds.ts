/** The kinds of Codeforces' contests, by what their titles say. */
import type { ContestKind } from './contest-kinds.ts';

export const contestKinds: readonly ContestKind[] = [
  { name: 'div1-2', title: 'Div. 1 + Div. 2', has: 'div. 1 + div. 2' },
  { name: 'div1', title: 'Div. 1', has: 'div. 1', lacks: 'div. 1 + div. 2' },
  { name: 'div2', title: 'Div. 2', has: 'div. 2', lacks: 'div. 1 + div. 2' },
  { name: 'div3', title: 'Div. 3', has: 'div. 3' },
  { name: 'div4', title: 'Div. 4', has: 'div. 4' },
  { name: 'educational', title: 'Educational', has: 'educational' },
  { name: 'global', title: 'Global', has: 'global round' },
  { name: 'icpc', title: 'ICPC', has: 'icpc' },
  { name: 'kotlin', title: 'Kotlin Heroes', has: 'kotlin heroes' },
];
