/** The webhook of a group or a member. */

import { isWebhookAddress } from '../../jobs/webhooks.ts';
import { dateOf } from '../../practice/days.ts';
import { parseOccasion } from '../../practice/reminders.ts';
import {
  answerOfOff,
  removeWebhook,
  renewSecret,
  saveWebhook,
  sendTest,
  versionOfWebhook,
  type WebhookSettings,
} from '../../practice/webhooks.ts';
import {
  findWebhookOf,
  listDeliveries,
  type WebhookDeliveriesTable,
  type WebhookOwner,
  type WebhooksTable,
} from '../../store/webhooks.ts';
import { type Html, html } from '../markup.ts';
import { fieldText, refusalText } from '../request/fields.ts';
import { type MemberVisit, pageNotFound } from '../request/visits.ts';
import { linkTo, type MessageKey, richWords, words } from '../words/words.ts';
import { dateElement, timeAgo, timeUntil } from './dates.ts';
import { dayRangeText } from './day-links.ts';
import { actions, button, checkbox, type Faults, fieldGroup, form, hasFaults, textField } from './form.ts';
import { saveShownLanguage } from './language.ts';
import { notice, panel, secretNotice, successNotice } from './panel.ts';

/** In characters. */
const longestUrl = 1000;
const shownAtMost = 20;
const doneMessages = {
  saved: 'webhooks.done.saved',
  test: 'webhooks.done.test',
  removed: 'webhooks.done.removed',
} as const;
export type WebhookDone = keyof typeof doneMessages | 'secret';

const failureMessages = {
  timeout: 'webhooks.why.timeout',
  redirect: 'webhooks.why.redirect',
  private: 'webhooks.why.private',
  'not-https': 'webhooks.why.not-https',
  'unknown-host': 'webhooks.why.unknown-host',
  unreachable: 'webhooks.why.unreachable',
  interrupted: 'webhooks.why.interrupted',
} as const satisfies Record<string, MessageKey>;

export interface WebhookRefusal {
  faults: Faults;
  settings?: WebhookSettings;
}

export async function webhookPanel(
  visit: MemberVisit,
  owner: WebhookOwner,
  page: string,
  refused?: WebhookRefusal,
): Promise<Html> {
  const { store, site } = visit;
  const hook = await findWebhookOf(store.reader, owner);
  const secret = visit.readFlash();
  const text = words('group_id' in owner ? 'webhooks.ofGroup' : 'webhooks.ofMember');
  const howTo = richWords('webhooks.howTo', { a: linkTo(`${site.basePath}/docs/reminders/`) });
  const fault = refused?.faults['form'];
  return html`
    ${hook && secret === hook.secret && secretNotice(words('webhooks.secret'), words('webhooks.copyNow'), secret)}
    ${panel(
      { id: 'webhook', heading: words('webhooks.title') },
      html`
        ${hook?.is_off === 1n && notice('warn', words('webhooks.off'))}
        ${hook?.is_left === 1n && notice('warn', words('webhooks.left'))}
        ${successNotice(visit, doneMessages, 'webhook')}
        ${fault && notice('bad', fault)}
        <p class="soft">${text} ${howTo}</p>
        ${settingsForm(visit, page, { hook, isGroup: 'group_id' in owner }, refused)}
        ${hook && html`${actionForm(visit, page)}${await deliveryLog(visit, hook)}`}`,
    )}`;
}

function settingsForm(
  visit: MemberVisit,
  to: string,
  { hook, isGroup }: { hook: WebhooksTable | undefined; isGroup: boolean },
  { faults = {}, settings }: Partial<WebhookRefusal> = {},
): Html {
  // Coaches of a group do not see the address that another one entered.
  const { url: savedUrl } = hook ?? {};
  const isHidden = isGroup && savedUrl !== undefined;
  const {
    url = isHidden ? '' : (savedUrl ?? ''),
    sendsWeeks = hook?.sends_weeks !== 0n,
    sendsDues = hook?.sends_dues !== 0n,
    sendsContests = hook?.sends_contests === 1n,
  } = settings ?? {};
  const fields = html`
    ${textField(words('webhooks.url'), 'url', faults, {
      value: url.slice(0, longestUrl),
      longest: longestUrl,
      isOptional: isHidden,
      hint: isHidden
        ? richWords('webhooks.urlSaved', { host: html`<bdi>${new URL(savedUrl).origin}</bdi>` })
        : words('webhooks.urlHint'),
    })}
    ${fieldGroup(
      words('webhooks.what'),
      'what',
      faults,
      html`
        ${checkbox(words('webhooks.weeks'), 'weeks', sendsWeeks)}
        ${checkbox(words('webhooks.dues'), 'dues', sendsDues)}
        ${isGroup && checkbox(words('webhooks.contests'), 'contests', sendsContests)}`,
    )}
    ${actions(button(words(hook ? 'webhooks.save' : 'webhooks.make'), 'primary', ['webhook', 'save']))}`;
  return form(visit, { to, className: 'form', hidden: { version: versionOfWebhook(hook) } }, fields);
}

function actionForm(visit: MemberVisit, to: string): Html {
  const buttons = actions(
    button(words('webhooks.test'), '', ['webhook', 'test'], 'share'),
    button(words('webhooks.renew'), '', ['webhook', 'renew']),
    button(words('webhooks.remove'), 'danger', ['webhook', 'remove']),
  );
  return form(
    visit,
    { to, className: 'hook-acts' },
    html`
      ${buttons}
      <p class="faint">${words('webhooks.removeText')}</p>`,
  );
}

async function deliveryLog({ store }: MemberVisit, hook: WebhooksTable): Promise<Html> {
  const deliveries = await listDeliveries(store.reader, hook.id, shownAtMost);
  const lines = deliveries.map(
    (delivery) =>
      html`
        <li data-delivery="${delivery.state}">
          <p>${occasionText(delivery)} <span class="faint">${timeAgo(delivery.made_at)}</span></p>
          <p class="soft">${deliveryResult(delivery)}</p>
        </li>`,
  );
  return html`
    <h3>${words('webhooks.log')}</h3>
    ${
      deliveries.length === 0
        ? html`<p class="soft">${words('webhooks.nothing')}</p>`
        : html`<ul class="hook-log" data-total="${deliveries.length}">${lines}</ul>`
    }`;
}

function occasionText({ occasion }: WebhookDeliveriesTable): Html | string {
  const about = parseOccasion(occasion);
  if (about.kind === 'test') return words('webhooks.of.test');
  if (about.kind === 'due') return richWords('webhooks.of.due', { date: dateElement(about.dueAt) });
  if (about.kind === 'contests') {
    const date = dateOf(about.day);
    return words('webhooks.of.contests', { date: dayRangeText(date, date) });
  }
  const first = dateOf(about.first);
  const date = dayRangeText(first, first);
  return about.kind === 'season' ? words('webhooks.of.season', { date }) : words('webhooks.of.week', { date });
}

export function deliveryResult({ state, tries, answer, next_at }: WebhookDeliveriesTable): Html | string {
  if (state === 'sent') return words('webhooks.state.sent');
  if (state === 'spared') return words(answer === answerOfOff ? 'webhooks.state.off' : 'webhooks.state.spared');
  if (state === 'failed') return words('webhooks.state.failed', { why: failureReason(answer), tries: Number(tries) });
  if (tries === 0n) return words('webhooks.state.new');
  const when = timeUntil(new Date(Number(next_at)));
  return richWords('webhooks.state.waiting', { why: failureReason(answer), tries: Number(tries), when });
}

/** A try without an answer is under way, or was interrupted. */
function failureReason(answer: string | null): string {
  if (answer === null) return words('webhooks.why.interrupted');
  if (Object.hasOwn(failureMessages, answer)) return words(failureMessages[answer as keyof typeof failureMessages]);
  return words('webhooks.why.status', { status: answer });
}

type WebhookOutcome = { to: string; flash?: string } | WebhookRefusal;

export async function handleWebhookForm(
  visit: MemberVisit,
  owner: WebhookOwner,
  page: string,
): Promise<WebhookOutcome> {
  const { store, form, path } = visit;
  const { user_id } = visit.member;
  const what = form.get('webhook');
  if (what === 'remove')
    return withRefusal(async () => {
      await removeWebhook(store, owner, user_id);
      return { to: resultAddress(page, 'removed') };
    });
  if (what === 'renew') {
    const secret = await renewSecret(store, owner, user_id);
    if (secret === undefined) throw pageNotFound(path);
    return { to: resultAddress(page, 'secret'), flash: secret };
  }
  if (what !== 'test') return save(visit, owner, page);
  return withRefusal(async () => {
    if (!(await sendTest(store, owner, user_id))) throw pageNotFound(path);
    return { to: resultAddress(page, 'test') };
  });
}

async function save(
  { store, form, website, member }: MemberVisit,
  owner: WebhookOwner,
  page: string,
): Promise<WebhookOutcome> {
  const input = fieldText(form, 'url', 20_000).trim();
  const settings = {
    // Line breaks are removed, and characters such as NUL encoded, as by a browser.
    url: URL.parse(input)?.href ?? input,
    sendsWeeks: form.get('weeks') === 'true',
    sendsDues: form.get('dues') === 'true',
    sendsContests: 'group_id' in owner && form.get('contests') === 'true',
  };
  const faults: Record<string, string> = {};
  const keepsUrl = settings.url === '' && 'group_id' in owner && form.get('version') !== '';
  if (settings.url.length > longestUrl) faults['url'] = words('form.atMost', { longest: longestUrl });
  else if (!keepsUrl && !isWebhookAddress(settings.url, website.privateOrigins))
    faults['url'] = words('webhooks.badUrl');
  if (!settings.sendsWeeks && !settings.sendsDues && !settings.sendsContests)
    faults['what'] = words('webhooks.chooseOne');
  if (hasFaults(faults)) return { faults, settings };
  const version = fieldText(form, 'version', 20_000);
  return withRefusal(async () => {
    if ('user_id' in owner) await saveShownLanguage(store, owner.user_id);
    const result = await saveWebhook(store, owner, member.user_id, settings, version);
    if (result === 'conflict') return { faults: { form: words('webhooks.conflict') } };
    if (result.secret === undefined) return { to: resultAddress(page, 'saved') };
    return { to: resultAddress(page, 'secret'), flash: result.secret };
  }, settings);
}

const resultAddress = (page: string, done: WebhookDone) =>
  `${page}?webhook=${done}#${done === 'secret' ? 'made' : 'webhook'}`;

async function withRefusal(work: () => Promise<WebhookOutcome>, settings?: WebhookSettings): Promise<WebhookOutcome> {
  try {
    return await work();
  } catch (error) {
    return { faults: { form: refusalText(error) }, ...(settings && { settings }) };
  }
}

/** While a test waits, the page is loaded again to show its result. */
export async function refreshAfterTest(
  { query, store }: MemberVisit,
  owner: WebhookOwner,
): Promise<{ refreshSeconds?: number }> {
  if (query.get('webhook') !== 'test') return {};
  const hook = await findWebhookOf(store.reader, owner);
  const [newest] = hook ? await listDeliveries(store.reader, hook.id, 1) : [];
  return newest?.state === 'waiting' && newest.tries === 0n ? { refreshSeconds: 4 } : {};
}
