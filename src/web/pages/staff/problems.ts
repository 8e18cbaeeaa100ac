/** The page where staff merge or remove problems that members added, and undo that. */

import { parseInt64 } from '../../../contract/common.ts';
import { localizedError } from '../../../errors.ts';
import { longestAddress } from '../../../judges/addresses.ts';
import { judgeName, sourcesOfRenamedProblems } from '../../../judges/judges.ts';
import {
  listRenamedProblems,
  mergeProblem,
  removeProblem,
  restorableSince,
  restoreProblem,
} from '../../../practice/merging.ts';
import { asStaff } from '../../../practice/staff.ts';
import { findAddedProblem, listAddedProblems } from '../../../store/added-problems.ts';
import { findProblem, type ProblemRow } from '../../../store/problems.ts';
import { listRemovedProblems } from '../../../store/removed-problems.ts';
import { actions, button, checkbox, type Faults, form, formActions, hasFaults, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { judgeKey, problemLink } from '../../kit/marks.ts';
import { emptyPanel, faultNotice, panel, unheadedPanel } from '../../kit/panel.ts';
import { readLink } from '../../kit/problem-query.ts';
import { stackedTable } from '../../kit/table.ts';
import { type Html, html } from '../../markup.ts';
import { newProblemPath, staffMembersPath, staffProblemsPath } from '../../paths.ts';
import { fieldText, idIn, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { donePath, pageOfIds, rowsPerPage, staffPage, staffTime } from './frame.ts';

export const problemsPage: PageRoute<MemberVisit> = {
  path: staffProblemsPath,
  isUncached: true,
  get: (visit) => show(visit),
  post: submit,
};

async function show(visit: MemberVisit, faults: Faults = {}): Promise<PageResult> {
  const { query, form: values } = visit;
  const { reader } = visit.store;
  const selected = parseInt64(values.get('problem') ?? query.get('problem') ?? '');
  const before = await findAddedProblem(reader, parseInt64(query.get('before') ?? '') ?? 0n);
  const added = await listAddedProblems(
    reader,
    rowsPerPage + 1,
    before && { at: before.added_at, id: before.problem_id },
  );
  if (before && added.length === 0) return { to: staffProblemsPath };
  const content = html`
    ${faultNotice(faults['sure'])}
    ${selected !== undefined && (await changePanel(visit, selected, faults))}
    ${await renamedPanel(visit)}
    ${addedPanel(visit, added)}
    ${await recentPanel(visit)}`;
  const page = staffPage(visit, { section: 'problems/', sub: words('added.sub') }, content);
  return { ...page, ...(hasFaults(faults) && { status: 422 }) };
}

async function renamedPanel(visit: MemberVisit): Promise<Html | undefined> {
  const renamed = await listRenamedProblems(visit.store.reader, sourcesOfRenamedProblems);
  if (renamed.length === 0) return undefined;
  const cell = (problem: ProblemRow) => html`${judgeKey(problem)} ${problemLink(visit.site.basePath, problem)}`;
  const rows = renamed.map(({ before, after }) => ({
    about: html` data-renamed="${before.id}"`,
    cells: [
      cell(before),
      cell(after),
      form(visit, { to: staffProblemsPath }, button(words('added.merge'), 'small', ['renamed', before.id])),
    ],
  }));
  const heads = [words('added.problem'), words('added.newName'), ''];
  return panel(
    { id: 'renamed', heading: words('added.renamed') },
    html`
      <p class="soft">${words('added.renamedText')}</p>
      ${stackedTable(words('added.renamed'), heads, rows)}`,
  );
}

function addedPanel(visit: MemberVisit, problems: Awaited<ReturnType<typeof listAddedProblems>>): Html {
  const { basePath } = visit.site;
  if (problems.length === 0) {
    const add = linkButton(basePath + newProblemPath, words('add.title'), { symbol: 'plus' });
    return emptyPanel({ heading: words('added.none'), text: words('added.noneText'), actions: add });
  }
  const { shown, more } = pageOfIds(visit, problems, ['before', 'added.next']);
  const rows = shown.map(({ id, title, source, source_key, added_at, member_id, username }) => ({
    about: html` data-problem="${id}"`,
    cells: [
      html`${judgeKey({ source, source_key })} ${problemLink(basePath, { id, title })}`,
      judgeName(source),
      username === null
        ? words('added.gone')
        : html`<a href="${basePath}${staffMembersPath}${member_id}/">${username}</a>`,
      staffTime(added_at),
      linkButton(`${basePath}${staffProblemsPath}?problem=${id}`, richWords('added.change', { title }), {
        kind: 'small',
      }),
    ],
  }));
  const heads = [words('added.problem'), words('added.site'), words('added.by'), words('added.at'), ''];
  return html`
    ${unheadedPanel({}, stackedTable(words('added.table'), heads, rows))}
    ${more}`;
}

async function changePanel(visit: MemberVisit, id: bigint, faults: Faults): Promise<Html> {
  const { store, form: values } = visit;
  const problem = await findProblem(store.reader, id);
  if (!problem || !(await findAddedProblem(store.reader, id))) throw pageNotFound(visit.path);
  const hidden = { problem: id };
  const mergeFields = html`
    ${textField(words('added.into'), 'into', faults, {
      value: values.get('into') ?? '',
      longest: longestAddress,
      hint: words('added.intoHint'),
    })}
    ${formActions(words('added.merge'))}`;
  const removeFields = html`
    <p class="soft">${words('added.removeText')}</p>
    ${checkbox(words('added.sure'), 'sure', false, true)}
    ${actions(button(words('added.remove'), 'danger', ['do', 'remove']))}`;
  return panel(
    { id: 'change', heading: words('added.mergeTitle', { title: problem.title }) },
    html`
      ${form(visit, { to: staffProblemsPath, className: 'form', hidden }, mergeFields)}
      ${form(visit, { to: staffProblemsPath, className: 'form', hidden }, removeFields)}`,
  );
}

async function recentPanel(visit: MemberVisit): Promise<Html | undefined> {
  const { store, site } = visit;
  const recent = await listRemovedProblems(store.reader, restorableSince());
  if (recent.length === 0) return undefined;
  const rows = recent.map(({ id, source, source_key, title, merged_into, into_title, removed_at }) => ({
    about: html` data-removed="${id}"`,
    cells: [
      html`${judgeKey({ source, source_key })} ${title}`,
      merged_into !== null && into_title !== null
        ? richWords('added.mergedInto', { title: problemLink(site.basePath, { id: merged_into, title: into_title }) })
        : words('added.removed'),
      staffTime(removed_at),
      form(visit, { to: staffProblemsPath }, button(richWords('added.undo', { title }), 'small', ['undo', id])),
    ],
  }));
  const heads = [words('added.problem'), words('added.what'), words('added.when'), ''];
  return panel({ id: 'recent', heading: words('added.recent') }, stackedTable(words('added.recentTable'), heads, rows));
}

async function submit(visit: MemberVisit): Promise<PageResult> {
  const { form: values } = visit;
  if (values.has('undo')) {
    const id = idIn(fieldText(values, 'undo', 30), parseInt64);
    await asStaff(visit, (tx) => restoreProblem(tx, id), 'problem-restored');
    return { to: donePath(staffProblemsPath, 'problem-restored') };
  }
  if (values.has('renamed')) {
    const oldId = idIn(fieldText(values, 'renamed', 30), parseInt64);
    const renamed = await listRenamedProblems(visit.store.reader, sourcesOfRenamedProblems);
    const pair = renamed.find(({ before }) => before.id === oldId);
    if (!pair) throw pageNotFound(visit.path);
    await asStaff(visit, (tx) => mergeProblem(tx, oldId, pair.after.id), 'problem-merged');
    return { to: donePath(staffProblemsPath, 'problem-merged') };
  }
  const id = idIn(fieldText(values, 'problem', 30), parseInt64);
  if (!(await findAddedProblem(visit.store.reader, id))) throw pageNotFound(visit.path);
  if (values.get('do') === 'remove') {
    if (values.get('sure') !== 'true') return show(visit, { sure: words('lists.tickFirst') });
    await asStaff(visit, (tx) => removeProblem(tx, id), 'problem-removed');
    return { to: donePath(staffProblemsPath, 'problem-removed') };
  }
  try {
    const into = await problemAtLink(visit, (values.get('into') ?? '').trim());
    await asStaff(visit, (tx) => mergeProblem(tx, id, into), 'problem-merged');
  } catch (error) {
    return show(visit, { into: refusalText(error) });
  }
  return { to: donePath(staffProblemsPath, 'problem-merged') };
}

/** The problem of a link to its page on this site or at its judge. Throws invalidValue. */
async function problemAtLink(visit: MemberVisit, link: string): Promise<bigint> {
  const isHere = link.startsWith(`${visit.site.baseUrl}/`);
  const [, problemId] = isHere ? (/\/problem_list\/problem\/(-?\d+)\//.exec(link) ?? []) : [];
  if (problemId !== undefined) return parseInt64(problemId) ?? 0n;
  const { stored } = await readLink(visit, link);
  if (!stored) throw localizedError('invalidValue.notHere');
  return stored.id;
}
