/** The page where problems are put into a list: one, the ticked ones, or all that the filters find. */

import { parseInt64 } from '../../../contract/common.ts';
import { addToList, limits, tidyLine } from '../../../practice/lists.ts';
import { findOwnList, listOwnLists } from '../../../store/lists.ts';
import { problemCounter } from '../../../store/problem-pages.ts';
import { findProblemsByIds } from '../../../store/problems.ts';
import { type Faults, textField } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { crumbsOf, listStyles, warning } from '../../kit/list-parts.ts';
import { judgeKey } from '../../kit/marks.ts';
import { addressOf, filterOf, readProblemQuery } from '../../kit/problem-query.ts';
import { readPicks } from '../../kit/problem-table.ts';
import { type Html, html } from '../../markup.ts';
import { addToListPath, listPath, pathOfList, problemPath } from '../../paths.ts';
import { faultOf, ownPath } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

const shownAtMost = 20;

export const listAddPages: readonly PageRoute<MemberVisit>[] = [
  { path: addToListPath, show: (visit) => chooseList(visit), change: takeProblems },
];

/** What is to be added: problems by their ids, or all that the filters of the address find. */
interface Wanted {
  ids: readonly bigint[] | undefined;
  from: string;
}

function wantedIn({ form, query, site }: MemberVisit): Wanted {
  const one = parseInt64(query.get('problem') ?? '');
  const picks = readPicks(form).ids;
  const ids = picks.length > 0 ? picks : one === undefined ? undefined : [one];
  const usual = one === undefined ? listPath + addressOf(readProblemQuery(query)) : problemPath(one);
  return { ids, from: form.has('from') ? ownPath(site, form.get('from')) : usual };
}

async function takeProblems(visit: MemberVisit): Promise<Answer> {
  const { store, member, form } = visit;
  const ownerId = member.user_id;
  const { ids } = wantedIn(visit);
  const to = form.get('list') ?? '';
  const name = tidyLine(form.get('name') ?? '');
  if (to === '') return chooseList(visit, { list: words('lists.chooseList') });
  if (to === 'new' && name === '') return chooseList(visit, { name: words('lists.nameIt') });
  const known = to === 'new' ? undefined : await findOwnList(store.reader, parseInt64(to) ?? 0n, ownerId);
  if (to !== 'new' && !known) throw nothingHere(visit.path);
  const chosen = ids
    ? { ids }
    : { filter: await filterOf(visit, readProblemQuery(visit.query)), expected: form.get('expected') };
  try {
    const id = await addToList(store, ownerId, known ?? { name }, chosen);
    if (id !== undefined) return { to: pathOfList(id) };
    return chooseList(visit, { form: words('bulk.otherNumber') }, 409);
  } catch (error) {
    return chooseList(visit, { form: faultOf(error) });
  }
}

/** Asks into which list; a form that was refused, or that only says which problems, comes here too. */
export async function chooseList(visit: MemberVisit, faults: Faults = {}, status = 422): Promise<Answer> {
  const { store, member, site, antiForgery, form, query } = visit;
  const { reader } = store;
  const { basePath } = site;
  const { ids, from } = wantedIn(visit);
  const asked = readProblemQuery(query);
  let total: number;
  let which: Html;
  if (ids) {
    const problems = [...new Map((await findProblemsByIds(reader, ids)).map((row) => [row.id, row])).values()];
    if (problems.length === 0) throw nothingHere(visit.path);
    total = problems.length;
    const rest = total - shownAtMost;
    which = html`
      <ul class="plain">
        ${problems
          .slice(0, shownAtMost)
          .map((row) => html`<li>${judgeKey(row)} <a href="${basePath}${problemPath(row.id)}">${row.title}</a></li>`)}
      </ul>
      ${rest > 0 ? html`<p class="soft">${words('bulk.more', { count: rest })}</p>` : ''}
      ${problems.map(({ id }) => html`<input type="hidden" name="pick" value="${id}">`)}`;
  } else {
    total = await problemCounter(store, member.user_id).found(await filterOf(visit, asked));
    which = html`<input type="hidden" name="expected" value="${total}">`;
  }
  const title = words('lists.addTitle', { count: total });
  const tooMany = total > limits.problems ? warning(words('lists.tooMany', { most: limits.problems })) : '';
  const lists = await listOwnLists(reader, member.user_id);
  const chosen = form.get('list') ?? (lists.length === 0 ? 'new' : '');
  const choice = (value: string, text: Html) =>
    html`
      <label class="choice">
        <input type="radio" name="list" value="${value}" required${value === chosen ? html` checked` : ''}>
        <span>${text}</span>
      </label>`;
  const address = addToListPath + (ids ? '' : addressOf(asked));
  const content = html`
    ${pageHead(title, { crumbs: crumbsOf(basePath) })}
    <div class="stack">
      ${tooMany}
      ${faults['form'] ? warning(faults['form']) : ''}
      <section class="panel">
        <form class="form wide" method="post" action="${basePath}${address}" data-total="${total}">
          ${antiForgery}
          <input type="hidden" name="from" value="${from}">
          <fieldset>
            <legend><h2>${words('lists.which')}</h2></legend>
            <div class="choices">
              ${lists.map(({ id, name, problems }) =>
                choice(
                  String(id),
                  html`
                    <b><bdi>${name}</bdi></b>
                    <span class="faint num">${words('problem.count', { count: problems })}</span>`,
                ),
              )}
              ${choice('new', html`<b>${words('lists.new')}</b>`)}
            </div>
            ${faults['list'] ? html`<span class="fault">${faults['list']}</span>` : ''}
          </fieldset>
          ${textField(words('lists.nameOfNew'), 'name', faults, {
            value: form.get('name') ?? '',
            longest: limits.name,
            isOptional: true,
          })}
          <div class="actions">
            <button class="button primary"${total === 0 || total > limits.problems ? html` disabled` : ''}>
              ${words('lists.addNow')}
            </button>
            <a class="button quiet" href="${basePath}${from}">${words('views.back')}</a>
          </div>
          ${which}
        </form>
      </section>
    </div>`;
  const isRefused = Object.keys(faults).length > 0;
  const options = { title, current: listPath, kind: 'p-list-add', styles: listStyles };
  return { html: frame(visit, options, content), ...(isRefused && { status }) };
}
