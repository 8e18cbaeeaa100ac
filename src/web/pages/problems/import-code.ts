/** Code in an imported file of solved problems, which the form of the preview carries until it is saved. */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { message } from '../../../errors.ts';
import { addFoundCode, type ReadCode, withoutStored } from '../../../importing/solutions.ts';
import type { FoundCode } from '../../../importing/solved-files.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { type LeftCode, leftMessage, solutionLimits } from '../../../practice/solutions.ts';
import { checkbox, hiddenInputs } from '../../kit/form.ts';
import { parseArray, stringIn } from '../../kit/import-form-state.ts';
import { type Html, html } from '../../markup.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { localize, words } from '../../words/words.ts';

/** In bytes of code. What is beyond them is imported with the same file later. */
const carriedAtMost = 2 * 1024 * 1024;

/** The code that the member does not have, with what is said of files that are too large or too many for one form. */
export async function codeFields(
  { store, member, website }: MemberVisit,
  found: readonly FoundCode[],
): Promise<Html | undefined> {
  const read = found.filter((one): one is ReadCode => one.bytes !== undefined);
  const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  const fresh = await withoutStored(store.reader, member.user_id, read, addresses);
  const carried: ReadCode[] = [];
  let bytesLeft = carriedAtMost;
  for (const one of fresh) {
    bytesLeft -= one.bytes.length;
    if (bytesLeft >= 0) carried.push(one);
  }
  const most = solutionLimits.bytes / 1024;
  const left: readonly LeftCode[] = [
    { files: fresh.slice(carried.length).map(({ file }) => file), why: message('code.again') },
    {
      files: found.flatMap((one) => (one.bytes ? [] : one.file)),
      why: message('invalidValue.codeLarge', { most }),
    },
  ].filter(({ files }) => files.length > 0);
  if (carried.length === 0 && left.length === 0) return undefined;
  const state = carried.map(({ address, file, submission, bytes }) => {
    return [address, file, submission, Buffer.from(bytes).toString('latin1')];
  });
  return html`
    ${
      carried.length > 0 &&
      html`
        ${hiddenInputs([['code', deflateRawSync(JSON.stringify(state)).toString('base64url')]])}
        ${checkbox(words('code.keep', { count: carried.length }), 'keep-code', true)}
        <p class="faint">${words('code.onlyYou')}</p>`
    }
    ${left.map((one) => html`<p class="soft">${localize(leftMessage(one))}</p>`)}`;
}

export function readCode(text: string): ReadCode[] {
  const options = { maxOutputLength: 4 * carriedAtMost };
  let state = '';
  try {
    state = inflateRawSync(Buffer.from(text, 'base64url'), options).toString();
  } catch {
    return [];
  }
  return parseArray(state).flatMap((one) => {
    const [address, file, submission, code] = Array.isArray(one) ? one.map(stringIn) : [];
    if (address === undefined || file === undefined || code === undefined) return [];
    return [{ address, file, submission, bytes: Buffer.from(code, 'latin1') }];
  });
}

/** Says how many files were added and which were not; undefined if the member did not tick it. */
export async function saveCode({ store, member, form, website }: MemberVisit): Promise<string | undefined> {
  const all = form.get('keep-code') === 'true' ? readCode(form.get('code') ?? '') : [];
  if (all.length === 0) return undefined;
  const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  const { added, left } = await addFoundCode(store, member.user_id, all, addresses);
  const rest = left.files.length > 0 ? ` ${localize(leftMessage(left))}` : '';
  return `${words('code.kept', { count: added })}${rest}`;
}
