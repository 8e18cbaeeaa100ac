/** Exporting our own rows, in the form that an import of them takes. */
import { type Format, rowFormat } from '../contract/rows.ts';
import type { Page, SortKey } from '../store/keyset.ts';
import type { Db } from '../store/tables.ts';
import { fieldsWithoutIds, type OwnKind, ownKinds, type ResourceName } from './own-kinds.ts';

const rowsPerRead = 1000;

interface Exporting {
  /** Gets the number of rows of each piece. */
  onRows?(count: number): void;
  /** Only the rows of this member. */
  memberId?: bigint | undefined;
  /** Whether to leave the ids out, and to order the rows by what they are called, as another garden would. */
  isForElsewhere?: boolean;
}

/** All rows of a resource, or one member's, as text; in ascending id order unless they are for elsewhere. */
export async function* exportRows(
  db: Db,
  name: ResourceName,
  format: Format,
  { onRows = () => {}, memberId, isForElsewhere = false }: Exporting = {},
): AsyncGenerator<string> {
  const kind: OwnKind = ownKinds[name];
  const form = rowFormat(isForElsewhere ? fieldsWithoutIds(kind) : kind.fields, format);
  const order = (isForElsewhere && kind.naturalOrder) || kind.order;
  const shown = kind.shown?.() ?? ((row) => row);
  const keys: SortKey[] = order.map((field) => ({ field, isDescending: false }));
  let after: Page['after'];
  let prefix = form.start;
  for (;;) {
    const rows = await kind.list(db, memberId, { keys, after, limit: rowsPerRead });
    const last = rows.at(-1);
    if (!last) break;
    yield prefix + rows.map((row) => form.row(shown(row))).join(form.separator);
    onRows(rows.length);
    prefix = form.separator;
    after = order.map((field) => last[field.name] ?? null);
  }
  yield (prefix === form.start ? form.start : '') + form.end;
}
