/** Deletions whose target says nothing but the id: what they do is known without routing them. What they are refused with is the business of `answer`. */
import type { Actor } from '../auth/guard.ts';
import { parseInt64 } from '../contract/common.ts';
import { idIn, type Operation, operationIds, operations } from '../contract/operations.ts';
import type { Store } from '../store/open.ts';
import { handlers } from './index.ts';

export interface PlainDeletion {
  /** That the token has to have. */
  scope: string;
  /** Resolves with whether there was something to delete that the actor may delete. */
  run(actor: Actor): Promise<boolean>;
}

/** Reads the target of a DELETE; undefined where it has to be looked at more closely. */
export function plainDeletions(
  store: Store,
  basePath: string,
): (target: string) => PlainDeletion | undefined {
  const known = operationIds.flatMap((operationId) => {
    const operation: Operation = operations[operationId];
    if (operation.kind !== 'deletion') return [];
    // The table of handlers is typed per operation; which one it is is known only at run time.
    const handle = handlers[operationId] as (ask: unknown) => Promise<boolean>;
    return [{ pattern: basePath + operation.path, scope: operation.scope, handle }];
  });
  return (target) => {
    for (const { pattern, scope, handle } of known) {
      const id = parseInt64(idIn(target, pattern) ?? '');
      if (id !== undefined) return { scope, run: (actor) => handle({ store, actor, id, query: {} }) };
    }
    return undefined;
  };
}
