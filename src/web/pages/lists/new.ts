/**
 * The page where a list is made: empty, or from any text with links of problems, after a look at what became of each
 * link.
 */

import { parseInt64 } from '../../../contract/common.ts';
import { linksAtMost, readListBeside } from '../../../importing/list-text.ts';
import { type LostLink, type ReadList, resolveLinks } from '../../../importing/lists.ts';
import { judgePlaces } from '../../../practice/judge-places.ts';
import { limits, makeListOf, tidyLine } from '../../../practice/lists.ts';
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
} from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { crumbsOf, listStyles } from '../../kit/list-parts.ts';
import { judgeKey, webLink } from '../../kit/marks.ts';
import { notice, panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { editPathOf, listPath, newListPath, pathOfList } from '../../paths.ts';
import { faultOf, type SentFile, textOfFile } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

const textBytesAtMost = 1024 * 1024;
const lostShownAtMost = 200;

export const newListPages: readonly PageRoute<MemberVisit>[] = [
  { path: newListPath, show: (visit) => showNew(visit), change: takeNew, takesFile: true },
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
  return preview(visit, name, text);
}

/** A file's name without the end that says its form. */
const nameOf = (file: SentFile | undefined) =>
  tidyLine((file?.name ?? '').replace(/(?:\.problems)?\.[a-z]{1,5}$/i, '').replaceAll('_', ' '));

async function preview(visit: MemberVisit, name: string, text: string): Promise<Answer> {
  const { store, website } = visit;
  const places = await judgePlaces(store.reader, website.judgeUrls);
  const found = await readListBeside(text);
  if (!found) return showNew(visit, { text: words('lists.tooManyLinks', { most: linksAtMost }) });
  const read = await resolveLinks(store.reader, found, places);
  if (read.sections.length === 0) {
    const fault = read.lost.length === 0 ? words('lists.noLinks') : words('lists.noneKnown');
    return showNew(visit, { text: fault }, lostPanel(read.lost));
  }
  return { html: previewPage(visit, name, read) };
}

/** The content that the form of the look carries: the sections, and the ids of their problems. */
const carried = ({ sections }: ReadList) =>
  JSON.stringify(sections.map(({ name, problems }) => [name, ...problems.map(({ id }) => String(id))]));

/** Reads that again; texts that no page of ours has are left out. */
function readCarried(text: string): { name: string; ids: bigint[] }[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(value)) return [];
  return value.slice(0, limits.sections).flatMap((section) => {
    if (!Array.isArray(section)) return [];
    const [name, ...ids] = section.map(String);
    return [{ name: name ?? '', ids: ids.map(parseInt64).filter((id) => id !== undefined) }];
  });
}

async function save(visit: MemberVisit): Promise<Answer> {
  const { form } = visit;
  return make(visit, form.get('name') ?? '', readCarried(form.get('content') ?? ''));
}

/** A list without content goes on to the page where it gets some. */
async function make(
  visit: MemberVisit,
  given: string,
  content: readonly { name: string; ids: readonly bigint[] }[] = [],
): Promise<Answer> {
  const name = tidyLine(given) || words('lists.untitled');
  try {
    const id = await makeListOf(visit.store, visit.member.user_id, name, content);
    return { to: content.length > 0 ? pathOfList(id) : editPathOf(id) };
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

function previewPage(visit: MemberVisit, name: string, read: ReadList): Html {
  const { basePath } = visit.site;
  const { sections, lost, repeated, beyond } = read;
  const count = sections.reduce((sum, { problems }) => sum + problems.length, 0);
  const said = [
    repeated > 0 ? words('lists.repeated', { count: repeated }) : '',
    beyond > 0 ? words('lists.beyond', { count: beyond, most: limits.problems }) : '',
  ].filter(Boolean);
  const content = html`
    ${pageHead(words('lists.preview'), {
      crumbs: crumbsOf(basePath, [basePath + newListPath, words('lists.new')]),
      sub: words('lists.nothingSaved'),
    })}
    <div class="stack">
      ${panel(
        { id: 'found', heading: words('lists.found', { count, sections: sections.length }), total: count },
        html`
        ${said.length > 0 && html`<p class="soft">${said.join(' ')}</p>`}
        ${form(
          visit,
          { to: newListPath, className: 'form wide', hidden: { content: carried(read) } },
          html`
          ${textField(words('lists.name'), 'name', {}, { value: name, longest: limits.name, hasFocus: name === '' })}
          <div class="actions">
            <button class="button primary" name="do" value="save">${words('lists.save', { count })}</button>
            <a class="button quiet" href="${basePath}${newListPath}">${words('lists.startOver')}</a>
          </div>`,
        )}`,
      )}
      ${lostPanel(lost)}
      ${sections.map(
        ({ name, problems }) =>
          html`
            <section class="panel">
              <div class="panel-head">
                <h2>${name === '' ? words('lists.unnamed') : html`<bdi>${name}</bdi>`}</h2>
                <p class="num">${words('problem.count', { count: problems.length })}</p>
              </div>
              <ol class="found-problems">
                ${problems.map((problem) => html`<li>${judgeKey(problem)} <span>${problem.title}</span></li>`)}
              </ol>
            </section>`,
      )}
    </div>`;
  const options = {
    title: words('lists.preview'),
    current: listPath,
    kind: 'p-list-new',
    styles: listStyles,
  };
  return frame(visit, options, content);
}

/** The links that became no problem, each with its line and the reason. */
function lostPanel(lost: readonly LostLink[]): Html | '' {
  if (lost.length === 0) return '';
  const rest = lost.length - lostShownAtMost;
  const line = ({ line, address, wanted }: LostLink) =>
    html`
      <tr data-lost>
        <td class="num">${line}</td>
        <td>
          <span class="lost-address">
            ${webLink(address, html`<bdi>${address}</bdi>`) ?? html`<bdi>${address}</bdi>`}
          </span> <span class="soft">
            ${wanted ? words('lists.notHere', { key: wanted.key, judge: wanted.judge }) : words('lists.noProblem')}
          </span>
        </td>
      </tr>`;
  return panel(
    { id: 'lost', heading: html`${icon('warn')} ${words('lists.lost', { count: lost.length })}` },
    html`
      <table class="lost">
        <thead><tr><th scope="col">${words('lists.line')}</th><th scope="col">${words('lists.why')}</th></tr></thead>
        <tbody>${lost.slice(0, lostShownAtMost).map(line)}</tbody>
      </table>
      ${rest > 0 && html`<p class="soft">${words('bulk.more', { count: rest })}</p>`}`,
  );
}
