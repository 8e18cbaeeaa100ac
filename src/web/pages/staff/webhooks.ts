/** The webhooks of all groups and members, with a switch. Staff see the origin only: a path may be a secret. */

import { parseInt64 } from '../../../contract/common.ts';
import { asStaff } from '../../../practice/staff.ts';
import { switchWebhook } from '../../../practice/webhooks.ts';
import {
  findDeliveries,
  type ListedWebhook,
  listWebhooks,
  type WebhookDeliveriesTable,
} from '../../../store/webhooks.ts';
import { form } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { emptyPanel, unheadedPanel } from '../../kit/panel.ts';
import { stackedTable, type TableRow } from '../../kit/table.ts';
import { deliveryResult } from '../../kit/webhooks.ts';
import { html } from '../../markup.ts';
import { groupsPath, remindersPath, staffPath } from '../../paths.ts';
import { fieldText, idIn } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { sentence } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { donePath, pageOfIds, rowsPerPage, staffPage, staffTime } from './frame.ts';

const path = `${staffPath}webhooks/`;

export const webhooksPage: PageRoute<MemberVisit> = { path, isUncached: true, get: show, post: submit };

async function show(visit: MemberVisit): Promise<PageResult> {
  const { store, site, query } = visit;
  const after = parseInt64(query.get('after') ?? '');
  const hooks = await listWebhooks(store.reader, rowsPerPage + 1, after);
  if (after !== undefined && hooks.length === 0) return { to: path };
  const { shown, more } = pageOfIds(visit, hooks, ['after', 'pages.next']);
  const latestDeliveries = await findDeliveries(
    store.reader,
    shown.flatMap(({ delivery_id }) => delivery_id ?? []),
  );
  const deliveries = new Map(latestDeliveries.map((one) => [one.webhook_id, one]));
  const heads = [words('staff.who'), words('staffHooks.where'), words('staffHooks.last'), ''];
  const rows = shown.map((hook) => webhookRow(visit, hook, deliveries.get(hook.id)));
  const content =
    shown.length === 0
      ? emptyPanel({
          heading: words('staffHooks.none'),
          text: words('staffHooks.noneText'),
          actions: html`
            ${linkButton(site.basePath + groupsPath, words('frame.groups'))}
            ${linkButton(site.basePath + remindersPath, words('reminders.title'))}`,
        })
      : html`
        ${unheadedPanel({ label: words('staff.webhooks') }, stackedTable(words('staffHooks.table'), heads, rows))}
        ${more}`;
  return staffPage(visit, { section: 'webhooks/', sub: words('staffHooks.sub') }, content);
}

function webhookRow(
  visit: MemberVisit,
  { id, group_name, user_id, username, url, is_off, is_left }: ListedWebhook,
  latestDelivery: WebhookDeliveriesTable | undefined,
): TableRow {
  const { basePath } = visit.site;
  const isOff = is_off === 1n;
  const ownerName = username ?? words('staffHooks.group', { name: group_name ?? '' });
  const owner =
    user_id === null
      ? html`<bdi>${ownerName}</bdi>`
      : html`<a href="${basePath}${staffPath}members/${user_id}/">${ownerName}</a>`;
  const resultText = latestDelivery
    ? html`
      ${deliveryResult(latestDelivery)}${' '}
      <span class="faint">${staffTime(latestDelivery.tried_at ?? latestDelivery.made_at)}</span>`
    : html`<span class="faint">${words('webhooks.nothing')}</span>`;
  const button = html`
    <button class="button small${isOff ? '' : ' danger'}" name="${isOff ? 'on' : 'off'}" value="${id}">
      ${richWords(isOff ? 'staffHooks.turnOn' : 'staffHooks.turnOff', { who: ownerName })}
    </button>`;
  const offText = isOff ? words('staffHooks.isOff') : is_left === 1n ? words('staffHooks.isLeft') : '';
  const state = offText === '' ? resultText : html`<b>${sentence(offText)}</b> ${resultText}`;
  return {
    about: html` data-webhook="${id}"`,
    cells: [owner, new URL(url).origin, state, form(visit, { to: path }, button)],
  };
}

async function submit(visit: MemberVisit): Promise<PageResult> {
  const isOff = visit.form.has('off');
  const deed = isOff ? 'webhook-off' : 'webhook-on';
  const id = idIn(fieldText(visit.form, isOff ? 'off' : 'on', 30), parseInt64);
  await asStaff(
    visit,
    async (tx) => {
      const hook = await switchWebhook(tx, id, isOff);
      if (!hook) throw pageNotFound(visit.path);
      return hook;
    },
    ({ user_id }) => (user_id === null ? [deed] : [deed, user_id]),
  );
  return { to: donePath(path, deed) };
}
