/** What a handle's line says of its proof, and which names it had before. */

import { judgeName, judgeOf } from '../../../judges/addresses.ts';
import { findProof } from '../../../store/handle-proofs.ts';
import { listRenames } from '../../../store/handle-renames.ts';
import type { HandlesTable } from '../../../store/judged-tables.ts';
import type { Db } from '../../../store/tables.ts';
import { day } from '../../kit/dates.ts';
import { icon } from '../../kit/icons.ts';
import { type Html, html } from '../../markup.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

type Named = Pick<HandlesTable, 'id' | 'source' | 'name'>;

/** The mark of a proved handle, or the way to prove it; and the names that it had. */
export async function proofLines(visit: MemberVisit, path: string, handle: Named): Promise<Html> {
  const { store, site } = visit;
  const proved = await provedMark(store.reader, handle.id);
  const { id, source, name } = handle;
  const judge = judgeOf(source);
  const end = judge?.proof ? 'proof/' : judge?.api?.confirmed && 'confirm/';
  const way = end
    ? richWords('proof.unproved', { prove: linkTo(`${site.basePath}${path}${id}/${end}`), name })
    : words('proof.impossible', { judge: judgeName(source) });
  const renames = await listRenames(store.reader, id);
  const lines = renames.map(
    ({ before, renamed_at }) =>
      html`
        <p class="soft small" data-renamed>
          ${richWords('proof.renamed', {
            before: html`<bdi>${before}</bdi>`,
            name: html`<bdi>${name}</bdi>`,
            day: day(renamed_at),
          })}
        </p>`,
  );
  return html`${proved ?? html`<p class="faint small" data-proof="none">${way}</p>`}${lines}`;
}

/** Undefined where the handle is not proved. */
async function provedMark(db: Db, handleId: bigint): Promise<Html | undefined> {
  const proof = await findProof(db, handleId);
  return (
    proof &&
    html`
      <p class="small" data-proof="${proof.way}">
        <span class="tag good">${icon('check')}${words('proof.proved')}</span> <span class="faint">
          ${richWords(`proof.by.${proof.way}`, { day: day(proof.proved_at) })}
        </span>
      </p>`
  );
}
