/** The page where a member adds a problem by its link, or learns that it is here already. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError } from '../../../errors.ts';
import { type AddressedProblem, longestAddress } from '../../../judges/addresses.ts';
import { judgeName, judgeOf } from '../../../judges/judges.ts';
import { limitMessage, longestTitle, parseTopics, readAllowance, titleFrom } from '../../../practice/added-problems.ts';
import { addProblem } from '../../../practice/lists.ts';
import { findOwnList, listOwnLists } from '../../../store/lists.ts';
import type { ProblemRow } from '../../../store/problems.ts';
import type { State } from '../../../store/statuses.ts';
import {
  actions,
  button,
  type Faults,
  fieldGroup,
  form,
  hasFaults,
  radioButton,
  selectField,
  textField,
} from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { linkButton } from '../../kit/links.ts';
import { listStyles } from '../../kit/list-parts.ts';
import {
  judgeKey,
  memberStateIcon,
  problemLink,
  shownState,
  stateIcon,
  stateLabel,
  stateWithHint,
} from '../../kit/marks.ts';
import { notice, noticeOf, slimPanel, successNotice, unheadedPanel } from '../../kit/panel.ts';
import { readLink } from '../../kit/problem-query.ts';
import { findMarks } from '../../kit/problem-table.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { newListPath, newProblemPath, problemPath, problemsPath } from '../../paths.ts';
import { refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { localize, localizeText, richWords, words } from '../../words/words.ts';

export const newProblemPages: readonly PageRoute<MemberVisit>[] = [
  { path: newProblemPath, get: (visit) => showNew(visit), post: submitNew, dropsEmptyFields: true },
];

/** Nobody adds a problem to skip or ignore it, so these two statuses are not offered. */
const initialStates: readonly State[] = ['not_started', 'reading', 'practicing', 'complete'];

async function submitNew(visit: MemberVisit): Promise<PageResult> {
  const { store, member, website, form } = visit;
  const { user_id } = member;
  const listId = parseInt64(form.get('list') ?? '');
  const list = listId === undefined ? undefined : await findOwnList(store.reader, listId, user_id);
  if (listId !== undefined && !list) throw pageNotFound(visit.path);
  const status = initialStates.find((state) => state === form.get('status'));
  try {
    const { address } = await readLink(visit, form.get('url') ?? '');
    const problem = { ...address, title: form.get('title') ?? '', topics: parseTopics(form.get('topics') ?? '') };
    const options = { list, status };
    const { id, isNew, isMarked } = await addProblem(store, user_id, problem, options, website.addLimits);
    const result = isNew ? 'new' : `here${list ? '-list' : ''}${isMarked ? '-marked' : ''}`;
    return { to: `${problemPath(id)}?added=${result}` };
  } catch (error) {
    const fieldName =
      error instanceof AppError && error.localized?.key.startsWith('invalidValue.address') ? 'url' : 'form';
    return showNew(visit, { [fieldName]: refusalText(error) });
  }
}

async function showNew(visit: MemberVisit, faults: Faults = {}): Promise<PageResult> {
  const { site, query, form: values } = visit;
  const { basePath } = site;
  const link = (values.get('url') ?? (query.get('url') || sharedLink(query.get('text') ?? ''))).trim();
  const [match, fault] = link === '' || faults['url'] ? [undefined, faults['url']] : await tryReadLink(visit, link);
  const allFaults = fault ? { ...faults, url: fault } : faults;
  const body = match?.stored
    ? await existingPanel(visit, link, match.stored)
    : match
      ? await newProblemForm(visit, link, match.address, allFaults)
      : linkPanel(basePath + newProblemPath, link, allFaults);
  const content = html`
    ${pageHead(words('add.title'), { crumbs: [[basePath + problemsPath, words('frame.problems')]] })}
    <div class="with-side">
      <div class="stack">
        ${successNotice(visit, { removed: 'add.removed' })}
        ${allFaults['form'] && notice('warn', allFaults['form'])}
        ${body}
      </div>
      <aside class="stack" aria-label="${words('add.about')}">
        ${slimPanel(words('add.who'), html`<p>${words('add.whoText')}</p>`)}
        ${slimPanel(words('add.many'), html`<p><a href="${basePath}${newListPath}">${words('add.manyLink')}</a></p>`)}
      </aside>
    </div>`;
  const options = { title: words('add.title'), current: problemsPath, kind: 'p-list-new', styles: listStyles };
  return { html: frame(visit, options, content), ...(hasFaults(allFaults) && { status: 422 }) };
}

/** A phone shares a link as text, often after its title. */
const sharedLink = (text: string) => /https?:\/\/[^\s<>"]+/i.exec(text)?.[0] ?? text;

async function tryReadLink(visit: MemberVisit, link: string) {
  try {
    return [await readLink(visit, link), undefined] as const;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalidValue') return [undefined, localizeText(error)] as const;
    throw error;
  }
}

const linkField = (link: string, faults: Faults, hasFocus: boolean) =>
  textField(words('add.link'), 'url', faults, {
    type: 'url',
    value: link,
    longest: longestAddress,
    hasFocus,
    hint: words('add.linkHint'),
  });

function linkPanel(action: string, link: string, faults: Faults): Html {
  return unheadedPanel(
    {},
    html`
      <form class="form wide" action="${action}">
        ${linkField(link, faults, true)}
        ${actions(button(words('add.continue'), 'primary'))}
      </form>`,
  );
}

async function existingPanel(visit: MemberVisit, link: string, problem: ProblemRow): Promise<Html> {
  const { store, member, site } = visit;
  const marks = (await findMarks(store.reader, member.user_id, [problem.id]))(problem.id);
  return unheadedPanel(
    { more: { 'data-known': problem.id } },
    html`
      <form class="form wide" action="${site.basePath}${newProblemPath}">
        ${linkField(link, {}, false)}
        ${notice(
          'good',
          html`
            ${words('add.known')}<br>
            ${memberStateIcon(marks)} ${judgeKey(problem)} ${problemLink(site.basePath, problem)} <span class="soft">
              ${stateLabel(shownState(marks))}
            </span>`,
        )}
        ${actions(
          linkButton(site.basePath + problemPath(problem.id), words('add.open'), { kind: 'primary' }),
          linkButton(site.basePath + newProblemPath, words('add.another'), { kind: 'quiet' }),
        )}
      </form>`,
  );
}

function siteNotice({ source, key, matchedBy }: AddressedProblem): Html {
  const judge = judgeName(source);
  const { files, api } = judgeOf(source) ?? {};
  const isListed = matchedBy === 'judge' || files?.['problems'] !== undefined;
  const text = () => {
    if (isListed) return words('add.byJudge', { judge, key });
    if (api) return words('add.bySolves', { judge, key });
    if (matchedBy === 'book') return words('add.byBook', { judge });
    return richWords('add.byHost', { host: html`<b>${bdi(judge)}</b>` });
  };
  const isSaved = !isListed && !api;
  const lines = html`
    <p>${text()}</p>
    ${isSaved && html`<p class="soft">${words('add.savedAs')} <code><bdi>${source} ${key}</bdi></code></p>`}`;
  return noticeOf('plain', lines, { symbol: 'out' });
}

async function newProblemForm(
  visit: MemberVisit,
  link: string,
  problem: AddressedProblem,
  faults: Faults,
): Promise<Html> {
  const { store, member, website, query, form: values, site } = visit;
  const { user_id } = member;
  const lists = await listOwnLists(store.reader, user_id);
  const allowance = await readAllowance(store.reader, user_id, website.addLimits);
  const { left, limit } = allowance;
  const title = values.get('title') || titleFrom({ ...problem, title: query.get('title') ?? '' });
  const selected = initialStates.find((state) => state === values.get('status')) ?? 'not_started';
  const choices = lists.map(({ id, name }) => [String(id), name] as const);
  const statuses = initialStates.map((state) =>
    radioButton('status', state, html`${stateIcon(state)} ${stateWithHint(state)}`, state === selected),
  );
  const fields = html`
    ${linkField(link, faults, false)}
    ${siteNotice(problem)}
    ${textField(words('add.problemTitle'), 'title', faults, {
      value: title,
      longest: longestTitle,
      hasFocus: true,
    })}
    ${textField(words('add.topics'), 'topics', faults, {
      value: values.get('topics') ?? '',
      longest: 500,
      isOptional: true,
      hint: words('add.topicsHint'),
    })}
    ${
      lists.length > 0 &&
      selectField(words('add.list'), 'list', [['', words('add.noList')], ...choices], values.get('list') ?? '')
    }
    ${fieldGroup(words('marks.yourStatus'), 'status', faults, html`<div class="choices">${statuses}</div>`)}
    <div class="actions">
      <button class="button primary"${attr('disabled', left === 0)}>${words('add.now')}</button>
      ${linkButton(site.basePath + problemsPath, words('add.cancel'), { kind: 'quiet' })}
      <span class="faint">${words('add.left', { left, limit })}</span>
    </div>
    ${left === 0 && html`<p class="soft">${localize(limitMessage(allowance))}</p>`}`;
  return unheadedPanel({}, form(visit, { to: newProblemPath, className: 'form wide' }, fields));
}
