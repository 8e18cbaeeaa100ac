/**
 * The dice of a plant. They have no memory: a throw depends on the plant's id, a name and an index, never on what was
 * thrown before, so a throw that is added later changes no other. Frozen: a plant that somebody has keeps its looks
 * (docs/decisions/0027-the-garden.md).
 */

/** Mixes 32 bits so that each bit of the answer depends on each bit that went in. */
function stir(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** FNV-1a of the names of throws, of which there are some dozens. */
const hashes = new Map<string, number>();

function hashOf(name: string): number {
  let hash = hashes.get(name);
  if (hash === undefined) {
    hash = 0x811c9dc5;
    for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
    hashes.set(name, hash);
  }
  return hash;
}

/** A number from `low` to `high`, which is not reached. */
export type Pick = (name: string, index?: number, low?: number, high?: number) => number;

export function diceOf(id: bigint): Pick {
  const bits = BigInt.asUintN(64, id);
  const seed = stir(Number(bits & 0xffffffffn) ^ stir(Number(bits >> 32n) ^ 0x9e3779b9));
  return (name, index = 0, low = 0, high = 1) =>
    low + ((high - low) * stir(seed ^ hashOf(name) ^ stir(index + 0x51ed27))) / 2 ** 32;
}
