/** The names of a member at judges: what came with each, and linking another. Unlinking has a page of its own. */
import { parseInt64 } from '../../../contract/common.ts';
import { askNow } from '../../../jobs/schedule.ts';
import { type HandleHealth, handleHealth } from '../../../jobs/sync-health.ts';
import { browserWayOf } from '../../../judges/browser-requests.ts';
import { handleFault, judgeName, judgeOf, judges } from '../../../judges/judges.ts';
import { addHandle, handlesAtMost } from '../../../practice/handles.ts';
import { type CountedHandle, findProof, type HandlesTable, listHandles, listRenames } from '../../../store/handles.ts';
import { problemCounter } from '../../../store/problem-lists.ts';
import { countReached, listUnmatchedKeys } from '../../../store/solves.ts';
import { listListedBy } from '../../../store/statuses.ts';
import type { Db } from '../../../store/tables.ts';
import { day, past } from '../../kit/dates.ts';
import type { Faults } from '../../kit/form.ts';
import { button } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { judgeMark, webLink } from '../../kit/marks.ts';
import { panel } from '../../kit/panel.ts';
import { addressOf, filterOf, readProblemQuery } from '../../kit/problem-query.ts';
import { healthLine, isSyncing, isWaiting, skippedLines, tellHealth, waitSeconds } from '../../kit/sync-health.ts';
import { type Html, html } from '../../markup.ts';
import { handlesPath, listPath, uploadPath } from '../../paths.ts';
import { faultOf, field, idIn } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { commaList, thousands } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { accountPage, roomAfter } from './frame.ts';
import { openIdOffers } from './openid.ts';

/* How the sync of a handle goes, on the page of handles: its state, what came, and the ways to bring more now. */

const longestId = 30;
const keysShown = 50;

/** A handle that is to be asked for now: the answer to the form with its id. */
async function takeAskNow({ store, member, form, path }: MemberVisit, to: string): Promise<Answer> {
  const id = idIn(field(form, 'sync', longestId), parseInt64);
  if (!(await askNow(store, member.user_id, id))) throw nothingHere(path);
  return { to: `${to}?waits=${id}#handle-${id}` };
}

/** The buttons that bring more: asked by this server, by the member's own browser, and after a confirmation. */
function syncButton(
  { site: { basePath }, antiForgery }: MemberVisit,
  health: HandleHealth,
  isOn: boolean,
  path: string,
): Html | string {
  const { state, handle: name, handleId: id } = health;
  return state === 'demo' || state === 'by hand' || !isOn
    ? ''
    : html`
      <form method="post" action="${basePath}${path}">
        ${antiForgery}
        <button class="button small" name="sync" value="${id}">
          ${icon('sync')}
          <span>${richWords('handles.syncNow', { name })}</span>
        </button>
      </form>`;
}

/** Other ways to sync it, as lines of a menu. */
function syncWays(basePath: string, { state, source, handle: name, handleId: id }: HandleHealth, path: string): Html {
  if (state === 'demo') return html``;
  const browser = browserWayOf(source)
    ? html`
      <li>
        <a href="${basePath}${path}${id}/browser/">
          ${icon('device')}
          <span>${richWords('handles.fromBrowser', { name })}</span>
        </a>
      </li>`
    : '';
  const confirm = judgeOf(source)?.api?.confirmed
    ? html`
      <li>
        <a href="${basePath}${path}${id}/confirm/">
          ${icon('sync')}
          <span>${richWords('handles.confirm', { name })}</span>
        </a>
      </li>`
    : '';
  return html`${browser}${confirm}`;
}

/** The state, with when something new came and what the last run left out. */
function syncState({ query }: MemberVisit, health: HandleHealth, isOn: boolean, broughtAt: string | null): Html {
  const brought = broughtAt === null ? '' : html` ${richWords('handles.brought', { when: past(broughtAt) })}`;
  const told = tellHealth(health, isOn);
  const again = isOn && query.has('waits') && isWaiting(health) ? ` ${words('sync.looksAgain')}` : '';
  return html`${healthLine({ ...told, rest: html`${told.rest}${again}${brought}` })}${skippedLines(health)}`;
}

/** The keys that no catalogue here has, each with its page at the judge. */
function unmatchedKeys(source: string, keys: readonly string[]): Html | string {
  if (keys.length === 0) return '';
  const judge = judgeOf(source);
  const shown = keys.toSorted().slice(0, keysShown);
  const why = (key: string) => words(judge?.isGym?.(key) ? 'handles.isGym' : 'handles.notListed');
  const line = (key: string) =>
    html`
      <li>
        ${webLink(judge?.problemPage?.(key, undefined) ?? null, key) ?? key} <span class="faint">${why(key)}</span>
      </li>`;
  const more = keys.length - shown.length;
  return html`
    <details class="skipped">
      <summary>${words('handles.whichUnmatched')}</summary>
      <ul class="plain">
        ${shown.map(line)}
        ${more > 0 ? html`<li class="faint">${words('uploads.more', { count: more })}</li>` : ''}
      </ul>
    </details>`;
}

/* The line of a handle about its proof and its former names. */

type Named = Pick<HandlesTable, 'id' | 'source' | 'name'>;

/** The mark of a proved handle, or the way to prove it; and the names that it had. */
async function proofLines(visit: MemberVisit, path: string, handle: Named): Promise<Html> {
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

/** The texts that were typed into the form. */
interface Asked {
  judge: string;
  handle: string;
}

export async function showHandles(visit: MemberVisit): Promise<Answer> {
  const { store, member, query } = visit;
  // Only once somebody asked: what is being typed would be lost.
  const healths = query.has('waits') ? await handleHealth(store.reader, new Date(), member.user_id) : [];
  const waits = healths.some((health) => isWaiting(health)) && (await isSyncing(visit));
  return { html: await handlesPage(visit), ...(waits && { refreshSeconds: waitSeconds }) };
}

export async function takeHandles(visit: MemberVisit): Promise<Answer> {
  const { store, form, member } = visit;
  if (form.has('sync')) return takeAskNow(visit, handlesPath);
  const asked = { judge: form.get('judge') ?? '', handle: (form.get('handle') ?? '').trim().slice(0, 200) };
  const fault = handleFaults(asked) ?? (await link());
  if (!fault) return { to: roomAfter('handles/', 'linked') };
  return { html: await handlesPage(visit, fault, asked), status: 422 };

  async function link(): Promise<Faults | undefined> {
    try {
      await addHandle(store, member.user_id, asked.judge, asked.handle);
      return undefined;
    } catch (error) {
      return { handle: faultOf(error) };
    }
  }
}

function handleFaults({ judge: source, handle }: Asked): Faults | undefined {
  const judge = judgeOf(source);
  if (!judge) return { judge: words('form.chooseOne') };
  const fault = handleFault(judge, handle);
  return fault && { handle: faultOf(fault) };
}

async function handlesPage(
  visit: MemberVisit,
  faults: Faults = {},
  asked: Asked = { judge: '', handle: '' },
): Promise<Html> {
  const own = await listHandles(visit.store.reader, visit.member.user_id);
  const healths = await handleHealth(visit.store.reader, new Date(), visit.member.user_id);
  const healthOf = new Map(healths.map((health) => [health.handleId, health]));
  const isOn = await isSyncing(visit);
  const lines = await Promise.all(
    own.slice(0, handlesAtMost).map((handle) => handleLine(visit, handle, healthOf.get(handle.id), isOn)),
  );
  const offers = await openIdOffers(visit);
  return accountPage(
    visit,
    {
      room: 'handles/',
      sub: words('handles.sub'),
    },
    html`
      ${own.length > 0 ? html`<ul class="panel handles">${lines}</ul>` : ''}
      ${
        own.length > handlesAtMost
          ? html`<p class="soft">${words('bulk.more', { count: own.length - handlesAtMost })}</p>`
          : ''
      }
      ${panel(
        { id: 'add', heading: words(own.length > 0 ? 'handles.another' : 'handles.first') },
        addForm(visit, faults, asked),
      )}
      ${offers.map((offer) => panel({ id: 'openid', heading: words('openid.title') }, offer))}`,
  );
}

function addForm({ site, antiForgery }: MemberVisit, faults: Faults, asked: Asked): Html {
  const choices = Object.entries(judges).map(
    ([source, { name }]) =>
      html`<option value="${source}"${source === asked.judge ? html` selected` : ''}>${name}</option>`,
  );
  const wrong = (name: string) =>
    faults[name] ? html` aria-invalid="true" aria-describedby="${name}-fault" autofocus` : '';
  const why = (name: string) =>
    faults[name] ? html`<p class="fault" id="${name}-fault" role="alert">${faults[name]}</p>` : '';
  return html`
    <form class="inline-form" method="post" action="${site.basePath}${handlesPath}">
      ${antiForgery}
      <label>${words('filters.judge')}<select name="judge"${wrong('judge')}>${choices}</select></label>
      ${' '}
      <label class="grow">
        ${words('handles.nameThere')}
        <input
          type="text" name="handle" value="${asked.handle}" autocomplete="off" spellcheck="false" autocapitalize="off"
          maxlength="100" required${wrong('handle')}
        >
      </label>
      ${' '}
      ${button(words('handles.add'), 'primary')}
    </form>
    ${why('judge')}
    ${why('handle')}
    <p class="faint hint">${words('handles.hint')}</p>`;
}

async function handleLine(
  visit: MemberVisit,
  handle: CountedHandle,
  health: HandleHealth | undefined,
  isOn: boolean,
): Promise<Html> {
  const { basePath } = visit.site;
  const { id, source, name } = handle;
  const judge = judgeOf(source);
  const title = html`<bdi>${name}</bdi>`;
  const what = importOf(source);
  const upload = what
    ? html`
      <li>
        <a href="${basePath}${uploadPath}?what=${what}">
          ${icon('upload')}
          <span>${richWords('handles.bring', { name })}</span>
        </a>
      </li>`
    : '';
  const ways = health ? syncWays(basePath, health, handlesPath) : '';
  const more = html`
    <details class="menu end" name="menu">
      <summary class="button small" aria-label="${words('handles.more', { name })}">${icon('more')}</summary>
      <div class="menu-panel">
        <ul>
          ${ways}
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
          <span class="key">${judgeMark(source)}</span> ${judgeName(source)} <span class="soft">
            ${webLink((health?.state !== 'demo' && judge?.handle?.pageOf?.(name)) || null, title) ?? title}
          </span>
        </h2>
        <div class="actions">${health ? syncButton(visit, health, isOn, handlesPath) : ''}${more}</div>
      </div>
      ${await proofLines(visit, handlesPath, handle)}
      ${health && health.state !== 'by hand' ? syncState(visit, health, isOn, handle.brought_at) : stateLine(handle)}
      ${handle.submissions > 0n ? await figures(visit, handle) : ''}
      ${judge?.api?.solved && health?.goodAt != null && (await listedLine(visit, source))}
    </li>`;
}

/** How much is known from a judge's list of solved problems, which has no days. */
async function listedLine({ store, member }: MemberVisit, source: string): Promise<Html> {
  const { length: count } = await listListedBy(store.reader, member.user_id, source);
  return html`<p class="soft small" data-listed="${count}">${words('handles.listed', { count })}</p>`;
}

/** The import of files with submissions to this judge; undefined where none are read. */
function importOf(source: string): string | undefined {
  const files = Object.entries(judgeOf(source)?.files ?? {});
  const [end] = files.find(([, { holds }]) => holds === 'submissions') ?? [];
  return end && `${source}-${end}`;
}

/** How fresh it is, in a sentence. */
function stateLine({ source, submissions, last_submitted_at, brought_at, created_at }: CountedHandle): Html {
  const { name = source, api } = judgeOf(source) ?? {};
  if (submissions > 0n && last_submitted_at)
    return html`
      <p class="health" data-health="ok">
        ${icon('check')}
        <span>
          ${richWords('handles.newest', { day: day(last_submitted_at) })} ${
            brought_at ? richWords('handles.brought', { when: past(brought_at) }) : ''
          }
        </span>
      </p>`;
  const when = past(created_at);
  const why = api?.confirmed
    ? richWords('handles.nothingConfirmed', { judge: name, when })
    : richWords(importOf(source) ? 'handles.nothingCame' : 'handles.nothingReads', { judge: name, when });
  return html`<p class="health" data-health="off">${icon('info')}<span>${why}</span></p>`;
}

async function figures(visit: MemberVisit, { id, source, submissions }: CountedHandle): Promise<Html> {
  const { reader } = visit.store;
  const { solved, tried } = await countReached(reader, id);
  const unmatched = await listUnmatchedKeys(reader, id);
  const gym = unmatched.filter((key) => judgeOf(source)?.isGym?.(key)).length;
  const others = unmatched.length - gym;
  const why = [
    gym > 0 && words('handles.gym', { count: gym }),
    others > 0 && words('handles.uncatalogued', { count: others }),
  ].filter(Boolean);
  return html`
    <dl class="facts-line">
      <div>
        <dt>${words('data.submissions')}</dt>
        <dd data-figure="submissions">${thousands.format(submissions)}</dd>
      </div>
      <div>
        <dt>${words('state.complete')}</dt>
        <dd data-figure="solved">${await listed(visit, source, 'complete', solved)}</dd>
      </div>
      <div>
        <dt>${words('state.tried')}</dt>
        <dd data-figure="tried">${await listed(visit, source, 'tried', tried)}</dd>
      </div>
      ${
        unmatched.length > 0
          ? html`
            <div>
              <dt>${words('handles.unmatched')}</dt>
              <dd data-figure="unmatched">
                ${thousands.format(unmatched.length)} <span class="faint">${commaList(why)}</span>
              </dd>
            </div>`
          : ''
      }
    </dl>
    ${unmatchedKeys(source, unmatched)}`;
}

/**
 * The figure as a link where the list shows as many: other handles and the member's own words change the list alone.
 */
async function listed(visit: MemberVisit, source: string, status: 'complete' | 'tried', figure: bigint): Promise<Html> {
  const query = readProblemQuery(new URLSearchParams({ source, status }));
  const { store, member, site } = visit;
  const found = await problemCounter(store, member.user_id).found(await filterOf(visit, query));
  const text = thousands.format(figure);
  return figure > 0n && BigInt(found) === figure
    ? html`<a href="${site.basePath}${listPath}${addressOf(query)}" data-count="${figure}">${text}</a>`
    : html`${text}`;
}
