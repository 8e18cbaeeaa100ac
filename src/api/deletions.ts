/** Deletions whose target says nothing but the id: what they do is known without routing them. What they are refused with is the business of `answer`. */
import type { Verdict } from '../auth/guard.ts';
import { parseInt64 } from '../contract/common.ts';
import { idIn, operations } from '../contract/operations.ts';
import type { Store } from '../store/open.ts';
import { deletePlantAtOnce } from './plants.ts';

export interface PlainDeletion {
  /** That the token has to have. */
  scope: string;
  /**
   * Says whether it deleted something, for an actor whose credentials had not changed since the verdict when it began.
   * Undefined where it has to be done in another way. `isAlone`: nothing else is deleted with it, so it may be done before
   * this returns.
   */
  run(verdict: Verdict, isAlone: boolean): boolean | Promise<boolean> | undefined;
}

/** Reads the target of a DELETE; undefined where it has to be looked at more closely. */
export function plainDeletions(
  store: Store,
  basePath: string,
): (target: string) => PlainDeletion | undefined {
  const { path, scope } = operations.deletePlant;
  const pattern = basePath + path;
  return (target) => {
    const id = parseInt64(idIn(target, pattern) ?? '');
    if (id === undefined) return undefined;
    return { scope, run: (verdict, isAlone) => deletePlantAtOnce(store, verdict, id, isAlone) };
  };
}
