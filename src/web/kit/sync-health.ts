/** The health of a sync in words. */

import { leaseStartedAt } from '../../jobs/lease.ts';
import { syncLease } from '../../jobs/schedule.ts';
import type { Health } from '../../jobs/sync-health.ts';
import { judgeOf } from '../../judges/judges.ts';
import { type Html, html } from '../markup.ts';
import type { Visit } from '../request/visits.ts';
import { localizeText, richWords, words } from '../words/words.ts';
import { dateElement, duration, startTime, timeAgo, timeUntil } from './dates.ts';
import { type IconName, icon } from './icons.ts';

export const reloadSeconds = 3;

export interface HealthText {
  /** From best to worst. */
  level: 'ok' | 'off' | 'late' | 'bad';
  summary: Html | string;
  details: Html | string;
}

const icons: Readonly<Record<HealthText['level'], IconName>> = {
  ok: 'check',
  off: 'info',
  late: 'warn',
  bad: 'warn',
};

/** True also where another server on the same database syncs. */
export async function isSyncing({ website, store }: Visit): Promise<boolean> {
  return website.syncsJudges || (await leaseStartedAt(store.reader, syncLease)) !== undefined;
}

export function isWaiting({ state, nextAt }: Health, now = Date.now()): boolean {
  if (state === 'by hand' || state === 'demo') return false;
  return nextAt === null || nextAt.getTime() <= now;
}

export function healthText(health: Health, isOn: boolean, now = Date.now()): HealthText {
  const text = stateText(health, isOn, now);
  const { site: homeSite, api } = judgeOf(health.source) ?? {};
  const { site, allSince } = health;
  if (allSince === null || !api?.recentLimit) return text;
  const limitText =
    site === homeSite
      ? richWords('sync.newest', { site, most: api.recentLimit.submissionsAtMost, day: dateElement(allSince) })
      : richWords('sync.newestThere', { site, day: dateElement(allSince) });
  return { ...text, details: html`${text.details} ${limitText}` };
}

function stateText(health: Health, isOn: boolean, now: number): HealthText {
  const { source, site, state, goodAt, judgeDataAt, news } = health;
  const { name: judge = source, api } = judgeOf(source) ?? {};
  if (state === 'demo') return { level: 'off', summary: words('sync.demo'), details: words('sync.demoRest') };
  if (state === 'by hand')
    return api?.memberToken
      ? { level: 'off', summary: words('sync.confirmed'), details: words('sync.confirmedRest', { judge }) }
      : { level: 'off', summary: words('sync.byHand'), details: words('sync.byHandRest', { judge }) };
  // A timer of the system may run `garden sync` instead of this server.
  if (!isOn && (state === 'new' || state === 'late')) {
    const details = html`${richWords('sync.offRest')}${lastSuccessText(goodAt, now)}`;
    return { level: 'late', summary: words('sync.off', { site }), details };
  }
  if (isOn && isWaiting(health, now) && state !== 'late' && state !== 'failing')
    return { level: 'off', summary: words('sync.waiting', { site }), details: '' };
  const next = isOn ? timeUntil(health.nextAt ?? new Date(now), now) : richWords('sync.byTimer');
  const when = goodAt === null ? words('time.never') : timeAgo(goodAt, now);
  if (state === 'failing') return faultText(health, next, now);
  if (state === 'late')
    return {
      level: 'late',
      summary: richWords('sync.late', { when }),
      details: richWords('sync.lateRest', { next }),
    };
  if (state === 'behind' && judgeDataAt !== null) {
    const age = duration(now - Date.parse(judgeDataAt));
    const rest = richWords('sync.behindRest', { when, newest: startTime(judgeDataAt, now), next });
    return { level: 'late', summary: words('sync.behind', { site, age }), details: rest };
  }
  const changed = words('sync.changed', { count: news });
  return { level: 'ok', summary: words('sync.fine'), details: richWords('sync.fineRest', { when, next, changed }) };
}

function lastSuccessText(goodAt: string | null, now: number): Html | string {
  return goodAt === null ? '' : html` ${richWords('sync.lastGood', { when: timeAgo(goodAt, now) })}`;
}

function faultText(
  { source, site, fault, faultText, faultSince, goodAt }: Health,
  next: Html,
  now: number,
): HealthText {
  const startedAt = startTime(faultSince ?? new Date(now).toISOString(), now);
  const last = lastSuccessText(goodAt, now);
  const result = (level: HealthText['level'], summary: Html | string, rest: Html | string): HealthText => ({
    level,
    summary,
    details: html`${rest}${last}`,
  });
  switch (fault) {
    case 'busy':
      return result('late', richWords('sync.busy', { site, since: startedAt }), richWords('sync.busyRest', { next }));
    case 'refused':
      return result('bad', richWords('sync.refused', { site, since: startedAt }), refusedRest(source, next));
    case 'unknown handle':
      if (faultText?.localized?.key === 'judgeFailed.private')
        return result('bad', words('sync.private', { site }), words('sync.privateRest', { site }));
      return result('bad', words('sync.unknown', { site }), words('sync.unknownRest'));
    case 'own':
      return result('bad', richWords('sync.own', { site, since: startedAt }), richWords('sync.ownRest', { next }));
    case 'odd answer':
      return result('bad', richWords('sync.odd', { site, since: startedAt }), richWords('sync.oddRest', { next }));
    default:
      return result('late', richWords('sync.down', { site, since: startedAt }), richWords('sync.downRest', { next }));
  }
}

function refusedRest(source: string, next: Html): Html {
  if (!judgeOf(source)?.api?.solved) return richWords('sync.refusedRest', { next });
  return richWords('sync.refusedList', { next, page: words('frame.addHistory'), add: words('frame.add') });
}

export function healthLine({ level, summary, details }: HealthText): Html {
  return html`
    <p class="health" data-health="${level}">
      ${icon(icons[level])}<span><b>${summary}</b> ${details}</span>
    </p>`;
}

export function skippedLines({ skipped }: Health): Html | string {
  if (skipped.length === 0) return '';
  return html`
    <details class="skipped">
      <summary>${words('sync.skipped')}</summary>
      <ul class="plain">${skipped.map((text) => html`<li>${localizeText(text)}</li>`)}</ul>
    </details>`;
}
