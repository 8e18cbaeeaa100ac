/** The page of judges: their sync, how much is stored of each, and when its files were imported last. */
import { minuteMs } from '../../../durations.ts';
import { localizedError } from '../../../errors.ts';
import { needsMember } from '../../../importing/resources.ts';
import { delayAt, isAsleep, isRefused, sweepMs } from '../../../jobs/live-rules.ts';
import { resolvesToPrivateHost } from '../../../jobs/public-hosts.ts';
import { requestCatalogueSync } from '../../../jobs/schedule.ts';
import { type JudgeHealth, judgeHealth } from '../../../jobs/sync-health.ts';
import type { Judge, JudgeFile } from '../../../judges/judge.ts';
import { type JudgeImport, judgeOf, judges } from '../../../judges/judges.ts';
import {
  deleteJudgeAddress,
  type JudgeAddress,
  listJudgeAddresses,
  parseJudgeAddress,
  saveJudgeAddress,
} from '../../../practice/judge-addresses.ts';
import { listJudgesWithoutLive, switchLive } from '../../../practice/live-settings.ts';
import { asStaff } from '../../../practice/staff.ts';
import { type LiveFeed, listLiveFeeds } from '../../../store/live-feeds.ts';
import { countBySource, listImports } from '../../../store/uploads.ts';
import { startTime, timeAgo } from '../../kit/dates.ts';
import { actions, button, form, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { notice, panel } from '../../kit/panel.ts';
import { healthLine, healthText, isSyncing, isWaiting, reloadSeconds, skippedLines } from '../../kit/sync-health.ts';
import { importTitle } from '../../kit/uploads/section.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { importsPath, staffPath } from '../../paths.ts';
import { fieldText, refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { localizeText, richWords, words } from '../../words/words.ts';
import { donePath, staffPage, staffTime } from './frame.ts';

/* The address of a judge whose software other sites run too, such as a school's own DMOJ. */

const longestAddress = 300;

/** Staff cannot change an address that the operator has set. */
function addressForms(
  visit: MemberVisit,
  [source, { api, isSelfHostable }]: readonly [string, Judge],
  address: JudgeAddress | undefined,
  fault: string | undefined,
): Html | string {
  if (!api || !isSelfHostable) return '';
  const defaultUrl = html`<code>${api.baseUrl}</code>`;
  const url = html`<code>${address?.url}</code>`;
  if (address?.mayBePrivate)
    return html`<p class="soft small" data-place="${source}">${richWords('places.byOperator', { url })}</p>`;
  const state = address
    ? richWords('places.other', { url, own: defaultUrl })
    : richWords('places.own', { own: defaultUrl });
  const isWrong = fault !== undefined;
  const typed = isWrong ? visit.form.get('address') : address?.url;
  const addressForm = (content: Html) => form(visit, { to: visit.path, className: 'form' }, content);
  const submitButton = (name: string, text: string) => actions(button(text, '', [name, source]));
  return html`
    <div class="judge-sync" data-place="${source}">
      <p class="soft small">${state}</p>
      <details class="skipped"${attr('open', isWrong)}>
        <summary>${words('places.change')}</summary>
        <div class="stack">
          <p class="soft">${words('places.text')}</p>
          ${addressForm(html`
            ${textField(words('places.address'), 'address', isWrong ? { address: fault } : {}, {
              value: typed ?? '',
              longest: longestAddress,
              hint: words('places.hint'),
            })}
            ${submitButton('place', words('places.save'))}`)}
          ${address && addressForm(submitButton('own_place', words('places.back')))}
        </div>
      </details>
    </div>`;
}

async function saveAddress(visit: MemberVisit, source: string): Promise<PageResult> {
  try {
    const url = parseJudgeAddress((visit.form.get('address') ?? '').trim());
    // A host without DNS records now may get some later. Every request refuses a host that leads to a private network.
    if (await resolvesToPrivateHost(new URL(url))) throw localizedError('invalidValue.placePrivate');
    await asStaff(visit, (tx) => saveJudgeAddress(tx, source, url), `judge-place-set ${source}`);
    return { to: donePath(judgesPath, (await isSyncing(visit)) ? 'place-saved' : 'saved') };
  } catch (error) {
    return { ...(await show(visit, { source, address: refusalText(error) })), status: 422 };
  }
}

/* The sync with a judge. */

/** A judge at which nobody has a handle is never synced. */
function judgeSync(
  visit: MemberVisit,
  [source, { name, api }]: readonly [string, Judge],
  health: JudgeHealth | undefined,
  isOn: boolean,
): Html {
  if (!api) return noSyncLine(words('sync.byHandRest', { judge: name }));
  if (!health || health.handles === 0) return noSyncLine(words('judges.nobody', { judge: name }));
  const { handles, failing, faultText, judgeDataAt } = health;
  const counts = words('judges.handles', { count: handles, failing });
  const age = judgeDataAt === null ? '' : html` ${richWords('judges.newest', { when: timeAgo(judgeDataAt) })}`;
  const fault = faultText === null ? '' : html`<p class="soft small" data-fault>${localizeText(faultText)}</p>`;
  const button = html`
    <button class="button small" name="source" value="${source}">
      ${icon('sync')}
      <span>${richWords('judges.askNow', { name })}</span>
    </button>`;
  return html`
    <div class="judge-sync" data-sync="${source}" data-failing="${failing}">
      ${healthLine(healthText(health, isOn))}
      ${fault}
      ${skippedLines(health)}
      <p class="faint small">${counts}${age}</p>
      ${isOn && form(visit, { to: visit.path }, button)}
    </div>`;
}

/** What is live, and the switch of the judge's feed. */
function liveLine(visit: MemberVisit, [source, { name: judge, api }]: readonly [string, Judge], live: Live) {
  if (!api?.feed || (!live.state && !live.isOff)) return '';
  return html`
    <div class="judge-sync" data-live="${source}">
      <p class="soft small">${liveText(judge, api.intervalMs, live)}</p>
      ${form(
        visit,
        { to: visit.path },
        html`
          <button class="button small" name="live" value="${source}">
            ${richWords('live.switch', { judge, isOff: String(live.isOff) })}
          </button>`,
      )}
    </div>`;
}

interface Live {
  state: LiveFeed | undefined;
  isOff: boolean;
}

function liveText(judge: string, intervalMs: number, { state, isOff }: Live): Html | string {
  const now = Date.now();
  if (!state || isOff) return words('live.off', { judge });
  const { failedAt, gapFrom, missed, bytes, limit, delays, newestAt, gaps } = state;
  const minutes = Math.max(sweepMs, missed * intervalMs) / minuteMs;
  if (isRefused(state))
    return richWords('live.refused', { judge, since: startTime(momentOf(failedAt), now), minutes: Math.ceil(minutes) });
  if (gapFrom !== null)
    return richWords('live.gap', { judge, since: startTime(momentOf(gapFrom), now), count: missed });
  if (state.isSlowed)
    return words('live.slowed', { judge, used: Math.round(bytes / 1e6), most: Math.round(limit / 1e6) });
  if (isAsleep(state, now)) return words('live.resting', { judge });
  if (newestAt === 0) return words('live.none', { judge });
  const [half, most] = [delayAt(delays, 0.5), delayAt(delays, 0.95)];
  const when = timeAgo(momentOf(newestAt), now);
  return richWords('live.good', {
    judge,
    when,
    half: half ?? 0,
    most: most ?? 0,
    has: String(half !== undefined),
    gaps,
  });
}

const momentOf = (ms: number) => new Date(ms).toISOString();

function noSyncLine(text: string): Html {
  return html`
    <div class="judge-sync"><p class="health" data-health="off">${icon('info')}<span>${text}</span></p></div>`;
}

const judgesPath = `${staffPath}judges/`;

export const judgesPage: PageRoute<MemberVisit> = {
  path: judgesPath,
  isUncached: true,
  get: (visit) => show(visit),
  post: submit,
};

type Import = Awaited<ReturnType<typeof listImports>>[number];

/** `addressFault` is the error of the address that was posted for a judge. */
async function show(visit: MemberVisit, addressFault?: { source: string; address: string }) {
  const { store, website } = visit;
  const { reader } = store;
  const problems = await countBySource(reader, 'problems');
  const contests = await countBySource(reader, 'contests');
  const imports = new Map((await listImports(reader)).map((one) => [one.what, one]));
  const upload = visit.site.basePath + importsPath;
  const fact = (name: string, count: bigint | undefined) =>
    html`<div><dt>${name}</dt><dd>${thousands.format(count ?? 0n)}</dd></div>`;
  const healths = new Map((await judgeHealth(reader, new Date())).map((one) => [one.source, one]));
  const isOn = await isSyncing(visit);
  const [feeds, off] = [await listLiveFeeds(reader), await listJudgesWithoutLive(reader)];
  const addresses = await listJudgeAddresses(reader, website.judgeUrls);
  const judgePanel = (entry: [string, Judge]) => {
    const [source, { name, site, files, api }] = entry;
    const address = addresses.get(source);
    const sourceOf = ({ sourceUrl }: JudgeFile) =>
      sourceLink(sourceUrl?.replace(api?.baseUrl ?? '', (own) => address?.url ?? own));
    const rows = Object.entries(files).map(([fileKind, file]) => {
      const what = `${source}-${fileKind}` as JudgeImport;
      const title = importTitle(what);
      return html`
        <li class="file" data-file="${what}">
          <div>
            <h3>${title}</h3>
            <p class="soft small">${needsMember(what) ? words('judges.ownFiles') : lastImport(imports.get(what))}</p>
            ${
              (file.sourceUrl !== undefined || !needsMember(what)) &&
              html`<p class="faint small">${richWords('judges.from', { place: sourceOf(file) })}</p>`
            }
          </div>
          <div class="actions">
            <a class="button small" href="${upload}?what=${what}">
              ${words('judges.upload')}
              <span class="sr"> ${title}</span>
            </a>
          </div>
        </li>`;
    });
    return panel(
      { id: source, heading: site === name ? name : `${name} (${site})` },
      html`
        ${judgeSync(visit, entry, healths.get(source), isOn)}
        ${isOn && liveLine(visit, entry, { state: feeds.get(source), isOff: off.has(source) })}
        <dl class="facts-line" data-judge="${source}">
          ${fact(words('judges.problems'), problems.get(source))}
          ${fact(words('judges.contests'), contests.get(source))}
        </dl>
        ${addressForms(visit, entry, address, addressFault?.source === source ? addressFault.address : undefined)}
        <ul class="files">${rows}</ul>`,
    );
  };
  const health = healths.get(visit.query.get('waits') ?? '');
  const isPending = isOn && health !== undefined && isWaiting(health);
  return {
    ...(isPending && { refreshSeconds: reloadSeconds }),
    ...staffPage(
      visit,
      { section: 'judges/', sub: words('judges.sub') },
      html`
        ${isPending && notice('good', `${words('judges.asked')} ${words('sync.looksAgain')}`, { symbol: 'clock' })}
        ${Object.entries<Judge>(judges).map(judgePanel)}`,
    ),
  };
}

/** Requests a sync of a judge's catalogue, or changes the judge's address. */
async function submit(visit: MemberVisit): Promise<PageResult> {
  const fieldOf = (name: string) => fieldText(visit.form, name, 100);
  const [toChange, toReset, toSync] = [fieldOf('place'), fieldOf('own_place'), fieldOf('source')];
  const toSwitch = fieldOf('live');
  if (judgeOf(toSwitch)?.api?.feed) {
    await asStaff(visit, (tx) => switchLive(tx, toSwitch), `judge-live ${toSwitch}`);
    return { to: judgesPath };
  }
  if (judgeOf(toReset)?.isSelfHostable) {
    await asStaff(visit, (tx) => deleteJudgeAddress(tx, toReset), `judge-place-own ${toReset}`);
    return { to: donePath(judgesPath, 'place-own') };
  }
  if (judgeOf(toChange)?.isSelfHostable) return saveAddress(visit, toChange);
  if (judgeOf(toSync)?.api) await asStaff(visit, (tx) => requestCatalogueSync(tx, toSync), `judge-asked ${toSync}`);
  return { to: `${judgesPath}?waits=${encodeURIComponent(toSync)}` };
}

function lastImport(latest: Import | undefined): Html | string {
  if (!latest) return words('judges.never');
  const { made_at, user_id, username, added, changed } = latest;
  const at = staffTime(made_at);
  if (user_id === null) return richWords('judges.byCommand', { time: at, added, changed });
  const member = bdi(username ?? words('judges.gone'));
  return richWords('judges.by', { time: at, added, changed, member });
}

/** An address with a placeholder such as NAME is no link. */
function sourceLink(from: string | undefined): Html {
  if (from === undefined) return html`${words('judges.ownFile')}`;
  return /[A-Z]{3,}/.test(from) ? html`<code>${from}</code>` : html`<a href="${from}" rel="noreferrer">${from}</a>`;
}
