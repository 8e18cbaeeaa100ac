/** The handles of a member: the state of each one's sync, its figures, and a form that links another. */

import { parseInt64 } from '../../../contract/common.ts';
import type { AppError } from '../../../errors.ts';
import { requestSync } from '../../../jobs/schedule.ts';
import { type HandleHealth, handleHealth } from '../../../jobs/sync-health.ts';
import { readHandle } from '../../../judges/addresses.ts';
import { judgeName, judgeOf } from '../../../judges/judges.ts';
import { dateOf } from '../../../practice/days.ts';
import { addHandle, handlesAtMost, renameByHand } from '../../../practice/handles.ts';
import { isUndated, markSolved } from '../../../practice/marks.ts';
import { type CountedHandle, findHandle, findProof, listHandles, listRenames } from '../../../store/handles.ts';
import { problemCounter } from '../../../store/problem-lists.ts';
import { countProblemsOfHandle, listUnmatchedKeys } from '../../../store/solves.ts';
import { listFromSolvedList } from '../../../store/statuses.ts';
import { changeBar, returnAddress } from '../../kit/changes.ts';
import { dateElement, timeAgo } from '../../kit/dates.ts';
import { actions, button, checkbox, type Faults, form, textField } from '../../kit/form.ts';
import { type HandleFields, handleForm } from '../../kit/handle-form.ts';
import { type IconName, icon } from '../../kit/icons.ts';
import { countLink } from '../../kit/links.ts';
import { judgeBadge, webLink } from '../../kit/marks.ts';
import { listPanel, panel } from '../../kit/panel.ts';
import { filterOf, queryString, readProblemQuery } from '../../kit/problem-query.ts';
import { healthLine, healthText, isSyncing, isWaiting, reloadSeconds, skippedLines } from '../../kit/sync-health.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { handlesPath, historyImportPath, problemsPath, uploadPath } from '../../paths.ts';
import { dayStart, fieldText, idIn, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { commaList, thousands } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';
import { openIdOffers } from './proof.ts';

/* The sync of a handle: its state, and links that import more now. */

const longestId = 30;
const longestInput = 200;
const unmatchedKeysShown = 50;

function syncButton(
  visit: MemberVisit,
  { state, handle: name, handleId }: HandleHealth,
  isSyncOn: boolean,
): Html | string {
  if (state === 'demo' || state === 'by hand' || !isSyncOn) return '';
  const label = richWords('handles.syncNow', { name });
  return form(visit, { to: handlesPath }, button(label, 'small', ['sync', handleId], 'sync'));
}

function importLinks(basePath: string, { state, source, handle: name, handleId: id }: HandleHealth): Html | string {
  if (state === 'demo') return '';
  const item = (pathEnd: string, symbol: IconName, text: Html) => html`
    <li>
      <a href="${basePath}${handlesPath}${id}/${pathEnd}">
        ${icon(symbol)}
        <span>${text}</span>
      </a>
    </li>`;
  return html`
    ${judgeOf(source)?.browserSync && item('browser/', 'device', richWords('handles.fromBrowser', { name }))}
    ${judgeOf(source)?.api?.memberToken && item('confirm/', 'sync', richWords('handles.confirm', { name }))}`;
}

function syncState({ query }: MemberVisit, health: HandleHealth, isSyncOn: boolean, importedAt: string | null): Html {
  const imported = importedAt === null ? '' : html` ${richWords('handles.brought', { when: timeAgo(importedAt) })}`;
  const text = healthText(health, isSyncOn);
  const reloadHint = isSyncOn && query.has('waits') && isWaiting(health) ? ` ${words('sync.looksAgain')}` : '';
  const details = html`${text.details}${reloadHint}${imported}`;
  return html`${healthLine({ ...text, details })}${skippedLines(health)}`;
}

/** Lists submitted keys of problems that are not in the catalogue. */
function unmatchedKeys(source: string, keys: readonly string[]): Html | string {
  if (keys.length === 0) return '';
  const judge = judgeOf(source);
  const shown = keys.toSorted().slice(0, unmatchedKeysShown);
  const reasonOf = (key: string) => words(judge?.isGym?.(key) ? 'handles.isGym' : 'handles.notListed');
  const item = (key: string) =>
    html`
      <li>
        ${webLink(judge?.problemPage?.(key, undefined) ?? null, key) ?? key} <span class="faint">${reasonOf(key)}</span>
      </li>`;
  const hiddenKeyCount = keys.length - shown.length;
  return html`
    <details class="skipped">
      <summary>${words('handles.whichUnmatched')}</summary>
      <ul class="plain">
        ${shown.map(item)}
        ${hiddenKeyCount > 0 && html`<li class="faint">${words('uploads.more', { count: hiddenKeyCount })}</li>`}
      </ul>
    </details>`;
}

/** The proof of a handle or the way to prove it, and its former names. */
async function proofLines({ store, site }: MemberVisit, { id, source, name }: CountedHandle): Promise<Html> {
  const proof = await findProof(store.reader, id);
  const judge = judgeOf(source);
  const pathEnd = judge?.proof ? 'proof/' : judge?.api?.memberToken && 'confirm/';
  const proofHint = pathEnd
    ? richWords('proof.unproved', { prove: linkTo(`${site.basePath}${handlesPath}${id}/${pathEnd}`), name })
    : words('proof.impossible', { judge: judgeName(source) });
  const proofLine = proof
    ? html`
      <p class="small" data-proof="${proof.method}">
        <span class="tag good">${icon('check')}${words('proof.proved')}</span> <span class="faint">
          ${richWords(`proof.by.${proof.method}`, { day: dateElement(proof.proved_at) })}
        </span>
      </p>`
    : html`<p class="faint small" data-proof="none">${proofHint}</p>`;
  const renameLines = (await listRenames(store.reader, id)).map(({ before, renamed_at }) => {
    const names = { before: bdi(before), name: bdi(name), day: dateElement(renamed_at) };
    return html`<p class="soft small" data-renamed>${richWords('proof.renamed', names)}</p>`;
  });
  return html`${proofLine}${renameLines}`;
}

export async function submitHandles(visit: MemberVisit): Promise<PageResult> {
  const { store, form: input, member, path } = visit;
  if (input.has('sync')) {
    const id = idIn(fieldText(input, 'sync', longestId), parseInt64);
    if (!(await requestSync(store, member.user_id, id))) throw pageNotFound(path);
    return { to: `${handlesPath}?waits=${id}#handle-${id}` };
  }
  if (input.has('rename')) return rename(visit, idIn(fieldText(input, 'rename', longestId), parseInt64));
  if (input.has('date')) return setSolvedDay(visit, idIn(fieldText(input, 'date', longestId), parseInt64));
  const fields = { judge: input.get('judge') ?? '', handle: (input.get('handle') ?? '').trim().slice(0, longestInput) };
  const withFaults = async (faults: Faults) => ({ ...(await showHandles(visit, faults, fields)), status: 422 });
  if (!judgeOf(fields.judge)) return withFaults({ judge: words('form.chooseOne') });
  try {
    await addHandle(store, member.user_id, fields.judge, readHandle(fields.judge, fields.handle));
    return { to: sectionAddress('handles/', 'linked') };
  } catch (error) {
    return withFaults({ handle: refusalText(error) });
  }
}

async function rename(visit: MemberVisit, id: bigint): Promise<PageResult> {
  const { store, form: input, member, path } = visit;
  const handle = await findHandle(store.reader, id);
  if (!handle) throw pageNotFound(path);
  try {
    const name = readHandle(handle.source, fieldText(input, `name-${id}`, longestInput).trim());
    const owned = { id, owner: member.user_id };
    if (!(await renameByHand(store, owned, name, input.has(`join-${id}`)))) throw pageNotFound(path);
    return { to: sectionAddress('handles/', 'renamed') };
  } catch (error) {
    const fault = refusalText(error);
    const isOther = (error as AppError).localized?.key === 'alreadyExists.handleToJoin';
    const faults = { [`name-${id}`]: fault, ...(isOther && { [`join-${id}`]: fault }) };
    return { ...(await showHandles(visit, faults)), status: 422 };
  }
}

/** Sets the day of all problems that the judge lists as solved without a day. */
async function setSolvedDay(visit: MemberVisit, id: bigint): Promise<PageResult> {
  const { store, form: input, member, days, path } = visit;
  const handle = await findHandle(store.reader, id);
  if (handle?.user_id !== member.user_id) throw pageNotFound(path);
  const at = dayStart(days, input.get(`day-${id}`) ?? '');
  if (at === undefined)
    return { ...(await showHandles(visit, { [`day-${id}`]: words('import.dayWrong') })), status: 422 };
  const entries = await listFromSolvedList(store.reader, member.user_id, handle.source);
  const solved = new Map(entries.filter(isUndated).map(({ problem_id }) => [problem_id, at]));
  const { batch } = await markSolved(store, member.user_id, solved);
  return { to: returnAddress(handlesPath, batch, `#handle-${id}`) };
}

export async function showHandles(visit: MemberVisit, faults: Faults = {}, input?: HandleFields): Promise<PageResult> {
  const { reader, longReader } = visit.store;
  // Read first: a page that says that a sync has ended shows what it imported.
  const healths = await handleHealth(reader, new Date(), visit.member.user_id);
  const handles = await listHandles(longReader, visit.member.user_id);
  const healthOf = new Map(healths.map((health) => [health.handleId, health]));
  const isSyncOn = await isSyncing(visit);
  const items = await Promise.all(
    handles
      .slice(0, handlesAtMost)
      .map((handle) => handleItem(visit, handle, { health: healthOf.get(handle.id), isOn: isSyncOn, faults })),
  );
  const offers = await openIdOffers(visit);
  const hiddenCount = handles.length - handlesAtMost;
  const page = accountPage(
    visit,
    { section: 'handles/', subtitle: words('handles.sub'), bar: await changeBar(visit, handlesPath) },
    html`
      ${handles.length > 0 && listPanel({ className: 'handles' }, items)}
      ${hiddenCount > 0 && html`<p class="soft">${words('bulk.more', { count: hiddenCount })}</p>`}
      ${panel(
        { id: 'add', heading: words(handles.length > 0 ? 'handles.another' : 'handles.first') },
        html`
          ${handleForm(visit, faults, input)}
          <p class="faint hint">${words('handles.hint')}</p>
          <p>${richWords('handles.import', { link: linkTo(visit.site.basePath + historyImportPath) })}</p>`,
      )}
      ${offers.map((offer) => panel({ id: 'openid', heading: words('openid.title') }, offer))}`,
  );
  // The page reloads only after a requested sync, because a reload loses what is typed in a form.
  const isWaitingForSync = visit.query.has('waits') && isSyncOn && healths.some(isWaiting);
  return { ...page, ...(isWaitingForSync && { refreshSeconds: reloadSeconds }) };
}

async function handleItem(
  visit: MemberVisit,
  handle: CountedHandle,
  { health, isOn: isSyncOn, faults }: { health: HandleHealth | undefined; isOn: boolean; faults: Faults },
): Promise<Html> {
  const { basePath } = visit.site;
  const { id, source, name } = handle;
  const judge = judgeOf(source);
  const title = bdi(name);
  const uploadKind = uploadKindOf(source);
  const upload =
    uploadKind &&
    html`
      <li>
        <a href="${basePath}${uploadPath}?what=${uploadKind}">
          ${icon('upload')}
          <span>${richWords('handles.bring', { name })}</span>
        </a>
      </li>`;
  const menu = html`
    <details class="menu end" name="menu">
      <summary class="button small" aria-label="${words('handles.more', { name })}">${icon('more')}</summary>
      <div class="menu-panel">
        <ul>
          ${health && importLinks(basePath, health)}
          ${upload}
          <li>
            <a class="danger" href="${basePath}${handlesPath}${id}/">
              <span>${richWords('handles.unlink', { name })}</span>
            </a>
          </li>
        </ul>
      </div>
    </details>`;
  return html`
    <li class="handle" id="handle-${id}" data-handle="${id}">
      <div class="handle-head">
        <h2>
          <span class="key">${judgeBadge(source)}</span> ${judgeName(source)} <span class="soft">
            ${webLink((health?.state !== 'demo' && judge?.handle?.pageOf?.(name)) || null, title) ?? title}
          </span>
        </h2>
        <div class="actions">${health && syncButton(visit, health, isSyncOn)}${menu}</div>
      </div>
      ${await proofLines(visit, handle)}
      ${
        health && health.state !== 'by hand'
          ? syncState(visit, health, isSyncOn, handle.imported_at)
          : submissionLine(handle)
      }
      ${handle.submissions > 0n && (await figureList(visit, handle))}
      ${judge?.api?.solved && health?.goodAt != null && (await solvedListPart(visit, handle, faults))}
      ${renameForm(visit, handle, faults, health?.fault === 'unknown handle')}
    </li>`;
}

function renameForm(visit: MemberVisit, { id, name }: CountedHandle, faults: Faults, isUnknown: boolean): Html {
  const field = `name-${id}`;
  const nameField = textField(words('handles.nameThere'), field, faults, {
    value: visit.form.get(field) ?? name,
    longest: longestInput,
    hint: words('handles.renameText'),
    more: { autocapitalize: 'off', spellcheck: 'false' },
  });
  const joinBox = faults[`join-${id}`] && checkbox(words('handles.join'), `join-${id}`, false);
  const renameButton = button(richWords('passkeys.rename', { name }), 'small', ['rename', id]);
  return html`
    <details class="skipped"${(isUnknown || faults[field]) && html` open`}>
      <summary>${words('handles.nameChanged')}</summary>
      ${form(visit, { to: handlesPath, className: 'form' }, html`${nameField}${joinBox}${actions(renameButton)}`)}
    </details>`;
}

/** The judge's list of solved problems, which has no days, and the form that sets one. */
async function solvedListPart(visit: MemberVisit, { id, source, name }: CountedHandle, faults: Faults): Promise<Html> {
  const { store, member, days } = visit;
  const entries = await listFromSolvedList(store.reader, member.user_id, source);
  const undated = entries.filter(isUndated).length;
  const day = textField(words('import.day'), `day-${id}`, faults, {
    type: 'date',
    hint: words('handles.dayText'),
    more: { max: dateOf(days.at(Date.now())) },
  });
  const setButton = button(richWords('handles.setDay', { name }), 'small', ['date', id]);
  return html`
    <p class="soft small" data-listed="${entries.length}">${words('handles.listed', { count: entries.length })}</p>
    ${
      undated > 0 &&
      html`
        <details class="skipped"${faults[`day-${id}`] && html` open`}>
          <summary>${words('handles.undated', { count: undated })}</summary>
          ${form(visit, { to: handlesPath, className: 'form' }, html`${day}${actions(setButton)}`)}
        </details>`
    }`;
}

/** The kind of upload with submissions to this judge, if there is one. */
function uploadKindOf(source: string): string | undefined {
  const files = Object.entries(judgeOf(source)?.files ?? {});
  const [end] = files.find(([, { kind: fileKind }]) => fileKind === 'submissions') ?? [];
  return end && `${source}-${end}`;
}

function submissionLine({ source, submissions, last_submitted_at, imported_at, created_at }: CountedHandle): Html {
  const { name = source, api } = judgeOf(source) ?? {};
  if (submissions > 0n && last_submitted_at)
    return html`
      <p class="health" data-health="ok">
        ${icon('check')}
        <span>
          ${richWords('handles.newest', { day: dateElement(last_submitted_at) })} ${
            imported_at ? richWords('handles.brought', { when: timeAgo(imported_at) }) : ''
          }
        </span>
      </p>`;
  const when = timeAgo(created_at);
  const why = api?.memberToken
    ? richWords('handles.nothingConfirmed', { judge: name, when })
    : richWords(uploadKindOf(source) ? 'handles.nothingCame' : 'handles.nothingReads', { judge: name, when });
  return html`<p class="health" data-health="off">${icon('info')}<span>${why}</span></p>`;
}

async function figureList(visit: MemberVisit, { id, source, submissions }: CountedHandle): Promise<Html> {
  const { longReader } = visit.store;
  const { solved, tried } = await countProblemsOfHandle(longReader, id);
  const unmatched = await listUnmatchedKeys(longReader, id);
  const gym = unmatched.filter((key) => judgeOf(source)?.isGym?.(key)).length;
  const others = unmatched.length - gym;
  const why = [
    gym > 0 && words('handles.gym', { count: gym }),
    others > 0 && words('handles.uncatalogued', { count: others }),
  ];
  const figure = (name: string, label: string, value: Html) =>
    html`<div><dt>${label}</dt><dd data-figure="${name}">${value}</dd></div>`;
  const isMixed = gym > 0 && others > 0;
  const count = isMixed ? `${thousands.format(unmatched.length)} ` : '';
  const unmatchedFigure = html`${count}<span class="faint">${commaList(why)}</span>`;
  return html`
    <dl class="facts-line">
      ${figure('submissions', words('data.submissions'), html`${thousands.format(submissions)}`)}
      ${figure('solved', words('state.complete'), await figureLink(visit, source, 'complete', solved))}
      ${figure('tried', words('state.tried'), await figureLink(visit, source, 'tried', tried))}
      ${unmatched.length > 0 && figure('unmatched', words('handles.unmatched'), unmatchedFigure)}
    </dl>
    ${unmatchedKeys(source, unmatched)}`;
}

/** Links the figure if the problem list shows as many. Other handles and the member's own marks count only there. */
async function figureLink(
  visit: MemberVisit,
  source: string,
  status: 'complete' | 'tried',
  figure: bigint,
): Promise<Html> {
  const query = readProblemQuery(new URLSearchParams({ source, status }));
  const { store, member, site } = visit;
  const count = await problemCounter(store, member.user_id).countFound(await filterOf(visit, query));
  return figure > 0n && BigInt(count) === figure
    ? countLink(figure, `${site.basePath}${problemsPath}${queryString(query)}`)
    : html`${thousands.format(figure)}`;
}
