/**
 * The webhook of a group or a member as their page shows it: its form, its secret once, and what became of each
 * message.
 */

import { dateOf } from '../../practice/days.ts';
import { readOccasion } from '../../practice/occasions.ts';
import { versionOfWebhook, type WebhookWishes } from '../../practice/webhooks.ts';
import { listDeliveries } from '../../store/webhook-deliveries.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from '../../store/webhook-tables.ts';
import { findWebhookOf, type WebhookOwner } from '../../store/webhooks.ts';
import { type Html, html } from '../markup.ts';
import type { MemberVisit } from '../road/visits.ts';
import { linkTo, richWords, type WordKey, words } from '../words/words.ts';
import { ahead, day, past } from './dates.ts';
import { daysText } from './day-links.ts';
import { type Faults, textField } from './form.ts';
import { icon } from './icons.ts';
import { notice, shownOnce } from './notice.ts';
import { panel } from './panel.ts';

/** Characters of an address. */
export const longestUrl = 1000;
const shownAtMost = 20;
/** The result of a form, as the address of the next page names it. */
const doneKeys = {
  saved: 'webhooks.done.saved',
  test: 'webhooks.done.test',
  removed: 'webhooks.done.removed',
} as const;
export type Done = keyof typeof doneKeys | 'secret';

/** Beside a status, what may stand between this garden and a receiver. */
const reasons = {
  timeout: 'webhooks.why.timeout',
  redirect: 'webhooks.why.redirect',
  private: 'webhooks.why.private',
  'not-https': 'webhooks.why.not-https',
  'unknown-host': 'webhooks.why.unknown-host',
  unreachable: 'webhooks.why.unreachable',
  interrupted: 'webhooks.why.interrupted',
} as const satisfies Record<string, WordKey>;

/** Why a form changed nothing, with what it asked for. */
export interface Refused {
  faults: Faults;
  wishes?: WebhookWishes;
}

export async function webhookPanel(
  visit: MemberVisit,
  owner: WebhookOwner,
  page: string,
  refused?: Refused,
): Promise<Html> {
  const { store, site, query, form } = visit;
  const hook = await findWebhookOf(store.reader, owner);
  const action = site.basePath + page;
  const done = query.get('webhook') ?? '';
  const said = form.size === 0 && Object.hasOwn(doneKeys, done) ? doneKeys[done as keyof typeof doneKeys] : undefined;
  const secret = visit.shownOnce();
  const text = words('group_id' in owner ? 'webhooks.ofGroup' : 'webhooks.ofMember');
  const howTo = richWords('webhooks.howTo', { a: linkTo(`${site.basePath}/docs/reminders/`) });
  const fault = refused?.faults['form'];
  return html`
    ${hook && secret === hook.secret ? shownOnce(words('webhooks.secret'), words('webhooks.copyNow'), secret) : ''}
    ${panel(
      'webhook',
      words('webhooks.title'),
      html`
        ${hook?.is_off === 1n ? notice('warn', words('webhooks.off')) : ''}
        ${hook?.is_left === 1n ? notice('warn', words('webhooks.left')) : ''}
        ${said ? notice('good', words(said)) : ''}
        ${fault ? notice('bad', fault) : ''}
        <p class="soft">${text} ${howTo}</p>
        ${wishesForm(visit, action, hook, refused)}
        ${hook ? html`${acts(visit, action)}${await log(visit, hook)}` : ''}`,
    )}`;
}

function wishesForm(
  { antiForgery }: MemberVisit,
  action: string,
  hook: WebhooksTable | undefined,
  { faults = {}, wishes }: Partial<Refused> = {},
): Html {
  const {
    url = hook?.url ?? '',
    sendsWeeks = hook?.sends_weeks !== 0n,
    sendsDues = hook?.sends_dues !== 0n,
  } = wishes ?? {};
  const tick = (name: string, label: string, isOn: boolean) =>
    html`
      <label class="tick">
        <input type="checkbox" name="${name}" value="true"${isOn ? html` checked` : ''}>
        <span>${label}</span>
      </label>`;
  const fault = faults['what'];
  return html`
    <form class="form" method="post" action="${action}">
      ${antiForgery}
      <input type="hidden" name="version" value="${versionOfWebhook(hook)}">
      ${textField(words('webhooks.url'), 'url', faults, {
        value: url.slice(0, longestUrl),
        longest: longestUrl,
        hint: words('webhooks.urlHint'),
      })}
      <fieldset class="field"${fault ? html` aria-describedby="what-fault"` : ''}>
        <legend>${words('webhooks.what')}</legend>
        ${tick('weeks', words('webhooks.weeks'), sendsWeeks)}
        ${tick('dues', words('webhooks.dues'), sendsDues)}
        ${fault ? html`<span class="fault" id="what-fault">${fault}</span>` : ''}
      </fieldset>
      <div class="actions">
        <button class="button primary" name="webhook" value="save">
          ${words(hook ? 'webhooks.save' : 'webhooks.make')}
        </button>
      </div>
    </form>`;
}

function acts({ antiForgery }: MemberVisit, action: string): Html {
  return html`
    <form class="hook-acts" method="post" action="${action}">
      ${antiForgery}
      <div class="actions">
        <button class="button" name="webhook" value="test">
          ${icon('share')}
          <span>${words('webhooks.test')}</span>
        </button>
        <button class="button" name="webhook" value="renew">${words('webhooks.renew')}</button>
        <button class="button danger" name="webhook" value="remove">${words('webhooks.remove')}</button>
      </div>
      <p class="faint">${words('webhooks.removeText')}</p>
    </form>`;
}

async function log({ store }: MemberVisit, hook: WebhooksTable): Promise<Html> {
  const sent = await listDeliveries(store.reader, hook.id, shownAtMost);
  const lines = sent.map(
    (one) =>
      html`
        <li data-delivery="${one.state}">
          <p>${aboutWhat(one)} <span class="faint">${past(one.made_at)}</span></p>
          <p class="soft">${becameOf(one)}</p>
        </li>`,
  );
  return html`
    <h3>${words('webhooks.log')}</h3>
    ${
      sent.length === 0
        ? html`<p class="soft">${words('webhooks.nothing')}</p>`
        : html`<ul class="hook-log" data-total="${sent.length}">${lines}</ul>`
    }`;
}

function aboutWhat({ occasion }: WebhookDeliveriesTable): Html | string {
  const about = readOccasion(occasion);
  if (about.kind === 'test') return words('webhooks.of.test');
  if (about.kind === 'due') return richWords('webhooks.of.due', { date: day(about.dueAt) });
  const first = dateOf(about.first);
  return words('webhooks.of.week', { date: daysText(first, first) });
}

/** The state of a message, in a sentence. */
export function becameOf({ state, tries, answer, next_at }: WebhookDeliveriesTable): Html | string {
  if (state === 'sent') return words('webhooks.state.sent');
  if (state === 'spared') return words('webhooks.state.spared');
  if (state === 'failed') return words('webhooks.state.failed', { why: whyOf(answer), tries: Number(tries) });
  if (tries === 0n) return words('webhooks.state.new');
  const when = ahead(new Date(Number(next_at)));
  return richWords('webhooks.state.waiting', { why: whyOf(answer), tries: Number(tries), when });
}

/** A try without an answer is under way, or was interrupted. */
function whyOf(answer: string | null): string {
  if (answer === null) return words('webhooks.why.interrupted');
  if (Object.hasOwn(reasons, answer)) return words(reasons[answer as keyof typeof reasons]);
  return words('webhooks.why.status', { status: answer });
}
