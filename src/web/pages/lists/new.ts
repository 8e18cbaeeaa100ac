/**
 * The page where a list is made: empty, or from any text with links of problems, after a look at what became of each
 * link.
 */

import { parseInt64 } from '../../../contract/common.ts';
import { linksAtMost, readListBeside } from '../../../importing/list-text.ts';
import { type FoundItem, type ReadList, resolveLinks } from '../../../importing/lists.ts';
import { problemAt } from '../../../judges/addresses.ts';
import { judgeName } from '../../../judges/judges.ts';
import {
  type ChosenItem,
  leftToAdd,
  longestTitle,
  makeListAdding,
  plainLine,
  titleFrom,
} from '../../../practice/added-problems.ts';
import { type JudgePlaces, judgePlaces } from '../../../practice/judge-places.ts';
import { limits, makeList, tidyLine } from '../../../practice/lists.ts';
import { findProblemsByIds } from '../../../store/problems.ts';
import {
  actions,
  button,
  type Faults,
  fileField,
  form,
  formActions,
  hasFaults,
  textArea,
  textField,
  tick,
} from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { crumbsOf, listStyles } from '../../kit/list-parts.ts';
import { judgeKey, webLink } from '../../kit/marks.ts';
import { notice, panel } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import { editPathOf, listPath, newListPath, pathOfList } from '../../paths.ts';
import { faultOf, type SentFile, textOfFile } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

const textBytesAtMost = 1024 * 1024;
/** The look carries up to 1,000 memos, in which a sign may take nine bytes. */
const formBytesAtMost = 3 * 1024 * 1024;
const rowsAtMost = 200;

export const newListPages: readonly PageRoute<MemberVisit>[] = [
  { path: newListPath, show: (visit) => showNew(visit), change: takeNew, takesFile: true, formBytesAtMost },
];

async function takeNew(visit: MemberVisit, file?: SentFile): Promise<Answer> {
  const { form } = visit;
  if (form.get('do') === 'save') return save(visit);
  const given = file ? await textOfFile(file, textBytesAtMost) : (form.get('text') ?? '');
  if (given === undefined) return showNew(visit, { file: words('lists.fileTooLarge') });
  const text = given.replaceAll('\0', '').toWellFormed();
  if (file && text.trim() === '') return showNew(visit, { file: words('lists.noText') });
  const name = tidyLine(form.get('name') ?? '') || nameOf(file);
  if (text.trim() === '') {
    if (name === '') return showNew(visit, { name: words('lists.nameIt') });
    return make(visit, name);
  }
  return preview(visit, tidyLine(form.get('name') ?? ''), nameOf(file), text);
}

/** A file's name without the end that says its form. */
const nameOf = (file: SentFile | undefined) =>
  tidyLine((file?.name ?? '').replace(/(?:\.problems)?\.[a-z]{1,5}$/i, '').replaceAll('_', ' '));

async function preview(visit: MemberVisit, typed: string, ofFile: string, text: string): Promise<Answer> {
  const { store, website } = visit;
  const places = await judgePlaces(store.reader, website.judgeUrls);
  const found = await readListBeside(text);
  if (!found) return showNew(visit, { text: words('lists.tooManyLinks', { most: linksAtMost }) });
  const read = await resolveLinks(store.reader, found.sections, places);
  if (read.sections.length === 0) return showNew(visit, { text: words('lists.noLinks') }, lostPanel(read.lost));
  return previewPage(visit, typed || found.title || ofFile, read);
}

/* The content that the form of the look carries: the sections, with the ids of their problems and the links to add. */

const carried = (sections: ReadList['sections']) =>
  JSON.stringify(
    sections.map(({ name, items }) => [
      name,
      ...items.map((one) => {
        if (!('problem' in one)) return one;
        const { problem, memo } = one;
        return memo === undefined ? String(problem.id) : { id: String(problem.id), memo };
      }),
    ]),
  );

type CarriedItem = { memo: string | undefined } & ({ id: bigint } | Omit<Addable, 'memo'>);

interface Carried {
  name: string;
  items: CarriedItem[];
}

/** Reads that again; what no page of ours has is left out. */
function readCarried(text: string, places: JudgePlaces): Carried[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(value)) return [];
  return value.slice(0, limits.sections).flatMap((section) => {
    if (!Array.isArray(section)) return [];
    const [name, ...items] = section as unknown[];
    return [
      { name: String(name ?? ''), items: items.map((one) => readItem(one, places)).filter((one) => one !== undefined) },
    ];
  });
}

/** A link is read from its address again, so that nobody gives it another name. */
function readItem(item: unknown, places: JudgePlaces): CarriedItem | undefined {
  if (typeof item === 'string') return readItem({ id: item }, places);
  const { id: digits, wanted, line, title, memo: noted } = Object(item) as Record<string, unknown>;
  const memo = typeof noted === 'string' ? noted.replaceAll('\0', '') : undefined;
  const id = typeof digits === 'string' ? parseInt64(digits) : undefined;
  if (id !== undefined) return { id, memo };
  const { url } = Object(wanted) as { url?: unknown };
  const named = typeof url === 'string' ? problemAt(url, places) : undefined;
  return named && { wanted: named, line: Number(line) || 0, memo, ...(typeof title === 'string' && { title }) };
}

async function save(visit: MemberVisit): Promise<Answer> {
  const { store, member, form, website } = visit;
  const given = readCarried(form.get('content') ?? '', await judgePlaces(store.reader, website.judgeUrls));
  let row = 0;
  const isAdding = form.get('add') === 'true';
  const sections = given.map(({ name, items }) => ({
    name,
    items: items.flatMap((one): ChosenItem[] => {
      const { memo } = one;
      if ('id' in one) return [{ problem: one.id, memo }];
      const at = row++;
      if (!isAdding || form.get(`add-${at}`) !== 'true') return [];
      return [{ problem: { ...one.wanted, title: form.get(`title-${at}`) ?? undefined }, memo }];
    }),
  }));
  const whole = sections.filter(({ items }) => items.length > 0);
  const name = tidyLine(form.get('name') ?? '') || words('lists.untitled');
  try {
    if (given.length > 0 && whole.length === 0)
      return await previewAgain(visit, given, { add: words('lists.nothingTicked') });
    const id = await makeListAdding(store, member.user_id, name, whole, website.addLimits);
    return { to: pathOfList(id) };
  } catch (error) {
    return previewAgain(visit, given, { form: faultOf(error) });
  }
}

/** The look at what was carried, with what is wrong. */
async function previewAgain(visit: MemberVisit, given: readonly Carried[], faults: Faults): Promise<Answer> {
  const ids = given.flatMap(({ items }) => items.flatMap((one) => ('id' in one ? one.id : [])));
  const rows = await findProblemsByIds(visit.store.reader, [...new Set(ids)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const sections = given.map(({ name, items }) => ({
    name,
    items: items.flatMap((one): FoundItem[] => {
      if (!('id' in one)) return [one];
      const problem = byId.get(one.id);
      return problem ? [{ problem, memo: one.memo }] : [];
    }),
  }));
  const read = { sections, lost: [], repeated: 0, beyond: 0 };
  return previewPage(visit, visit.form.get('name') ?? '', read, faults);
}

/** A list without content goes on to the page where it gets some. */
async function make(visit: MemberVisit, name: string): Promise<Answer> {
  try {
    return { to: editPathOf(await makeList(visit.store, { ownerId: visit.member.user_id, name })) };
  } catch (error) {
    return showNew(visit, { form: faultOf(error) });
  }
}

async function showNew(visit: MemberVisit, faults: Faults = {}, below: Html | '' = ''): Promise<Answer> {
  const { basePath } = visit.site;
  const { form: sent } = visit;
  const content = html`
    ${pageHead(words('lists.new'), { crumbs: crumbsOf(basePath), sub: words('lists.newSub') })}
    <div class="stack">
      ${faults['form'] && notice('warn', faults['form'])}
      ${panel(
        { id: 'paste', heading: words('lists.paste') },
        form(
          visit,
          { to: newListPath, className: 'form wide' },
          html`
          ${textField(words('lists.name'), 'name', faults, {
            value: sent.get('name') ?? '',
            longest: limits.name,
            isOptional: true,
            hasFocus: !faults['text'] && !faults['file'],
            hint: words('lists.nameHint'),
          })}
          ${textArea(words('lists.text'), 'text', {
            value: sent.get('text') ?? '',
            rows: 10,
            isOptional: true,
            hint: words('lists.textHint'),
            faults,
          })}
          ${formActions(words('lists.look'))}`,
        ),
      )}
      ${below}
      ${panel(
        { id: 'file', heading: words('lists.upload') },
        form(
          visit,
          { to: newListPath, className: 'form', hasFile: true },
          html`
          ${fileField(words('uploads.file'), { hint: words('lists.fileHint'), faults })}
          ${actions(button(words('uploads.send')))}`,
        ),
      )}
    </div>`;
  const options = { title: words('lists.new'), current: listPath, kind: 'p-list-new', styles: listStyles };
  return { html: frame(visit, options, content), ...(hasFaults(faults) && { status: 422 }) };
}

async function previewPage(visit: MemberVisit, name: string, read: ReadList, faults: Faults = {}): Promise<Answer> {
  const { store, member, website, site } = visit;
  const { basePath } = site;
  const { lost, repeated, beyond } = read;
  const left = await leftToAdd(store.reader, member.user_id, website.addLimits);
  const { sections, wanted, rest } = addable(read, Math.min(left, rowsAtMost));
  const all = sections.map(({ name, items }) => ({
    name,
    problems: items.filter((one) => 'problem' in one),
  }));
  const known = all.filter(({ problems }) => problems.length > 0);
  const count = known.reduce((sum, { problems }) => sum + problems.length, 0);
  const said = [
    repeated > 0 ? words('lists.repeated', { count: repeated }) : '',
    beyond > 0 ? words('lists.beyond', { count: beyond, most: limits.problems }) : '',
  ].filter(Boolean);
  const about = { count, sections: known.length };
  const fields = html`
    ${textField(words('lists.name'), 'name', {}, { value: name, longest: limits.name, hasFocus: name === '' })}
    ${wanted.length + rest > 0 && addableTable(visit, wanted, { left, rest, isOnly: count === 0, faults })}
    ${actions(
      button(words('lists.save'), 'primary', ['do', 'save']),
      linkButton(basePath + newListPath, words('lists.startOver'), { kind: 'quiet' }),
    )}`;
  const content = html`
    ${pageHead(words('lists.preview'), {
      crumbs: crumbsOf(basePath, [basePath + newListPath, words('lists.new')]),
      sub: words('lists.nothingSaved'),
    })}
    <div class="stack">
      ${faults['form'] && notice('warn', faults['form'])}
      ${panel(
        { id: 'found', heading: words('lists.found', about), total: count },
        html`
        ${said.length > 0 && html`<p class="soft">${said.join(' ')}</p>`}
        ${form(visit, { to: newListPath, className: 'form wide', hidden: { content: carried(sections) } }, fields)}`,
      )}
      ${lostPanel(lost)}
      ${known.map(({ name, problems }, at) =>
        panel(
          {
            id: `section-${at}`,
            heading: name === '' ? words('lists.unnamed') : html`<bdi>${name}</bdi>`,
            beside: html`<p class="num">${words('problem.count', { count: problems.length })}</p>`,
          },
          html`
          <ol class="found-problems">
            ${problems.map(
              ({ problem, memo }) =>
                html`
                  <li>
                    ${judgeKey(problem)} <span>${problem.title}</span>
                    ${memo && html`<span class="memo"><bdi>${memo}</bdi></span>`}
                  </li>`,
            )}
          </ol>`,
        ),
      )}
    </div>`;
  const options = {
    title: words('lists.preview'),
    current: listPath,
    kind: 'p-list-new',
    styles: listStyles,
  };
  return { html: frame(visit, options, content), ...(hasFaults(faults) && { status: 422 }) };
}

type Addable = Extract<FoundItem, { wanted: unknown }>;

/** The sections with as many links to add as may be added, these links, and how many are left out. */
function addable({ sections }: ReadList, most: number) {
  const wanted: Addable[] = [];
  let rest = 0;
  const kept = sections.map(({ name, items }) => ({
    name,
    items: items.filter((one) => {
      if ('problem' in one) return true;
      const isKept = wanted.length < most;
      if (isKept) wanted.push(one);
      else rest++;
      return isKept;
    }),
  }));
  return { sections: kept, wanted, rest };
}

/** The links whose problems are not here: one tick adds all, and each has a tick and a title of its own. */
function addableTable(
  { form: sent }: MemberVisit,
  rows: readonly Addable[],
  { left, rest, isOnly, faults }: { left: number; rest: number; isOnly: boolean; faults: Faults },
): Html {
  const isSent = sent.get('do') === 'save';
  const isOn = (name: string, usual: boolean) => (isSent ? sent.get(name) === 'true' : usual);
  const row = ({ wanted, line, title: named = '' }: Addable, at: number) => {
    const title = sent.get(`title-${at}`) ?? (plainLine(named, longestTitle) || titleFrom(wanted));
    return html`
      <tr data-addable>
        <td>
          <label class="pick">
            <input
              type="checkbox" name="add-${at}" value="true" autocomplete="off"
              aria-label="${words('lists.addRow', { title })}"${attr('checked', isOn(`add-${at}`, true))}
            >
          </label>
        </td>
        <td>
          <input
            type="text" name="title-${at}" value="${title}" maxlength="${longestTitle}"
            aria-label="${words('lists.titleOfLine', { line })}"
          >
        </td>
        <td>
          <span class="soft">${judgeName(wanted.source)}</span>
          <span class="lost-address">${webLink(wanted.url, html`<bdi>${wanted.url}</bdi>`)}</span>
        </td>
      </tr>`;
  };
  const most = html`<p class="soft">${words('lists.canAdd', { left, rest })}</p>`;
  if (rows.length === 0) return most;
  return html`
    <fieldset class="addable">
      <legend class="sr">${words('lists.notHere', { count: rows.length + rest })}</legend>
      ${tick(html`<b>${words('lists.addThese', { count: rows.length })}</b>`, 'add', isOn('add', isOnly))}
      <p class="soft">${words('lists.addTheseText')}</p>
      ${faults['add'] && html`<span class="fault">${faults['add']}</span>`}
      <table class="plain-table lost">
        <thead>
          <tr>
            <th scope="col"><span class="sr">${words('lists.addNow')}</span></th>
            <th scope="col">${words('add.problemTitle')}</th>
            <th scope="col">${words('add.link')}</th>
          </tr>
        </thead>
        <tbody>${rows.map(row)}</tbody>
      </table>
      ${most}
    </fieldset>`;
}

/** The links that name no problem, each with its line. */
function lostPanel(lost: ReadList['lost']): Html | '' {
  if (lost.length === 0) return '';
  const rest = lost.length - rowsAtMost;
  const row = ({ line, address }: ReadList['lost'][number]) =>
    html`
      <tr data-lost>
        <td class="num">${line}</td>
        <td>
          <span class="lost-address">
            ${webLink(address, html`<bdi>${address}</bdi>`) ?? html`<bdi>${address}</bdi>`}
          </span>
        </td>
      </tr>`;
  return panel(
    { id: 'lost', heading: html`${icon('warn')} ${words('lists.lost', { count: lost.length })}` },
    html`
      <p class="soft">${words('lists.lostText')}</p>
      <table class="plain-table lost">
        <thead>
          <tr><th scope="col">${words('lists.line')}</th><th scope="col">${words('add.link')}</th></tr>
        </thead>
        <tbody>${lost.slice(0, rowsAtMost).map(row)}</tbody>
      </table>
      ${rest > 0 && html`<p class="soft">${words('bulk.more', { count: rest })}</p>`}`,
  );
}
