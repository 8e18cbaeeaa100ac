/** The settings of a group, for its coaches: links to join, name and zone, leaderboard, webhook, API key, deletion. */

import { parseUses, usesAtMost } from '../../../auth/entry.ts';
import { parseInt64 } from '../../../contract/common.ts';
import {
  archiveGroup,
  changeGroup,
  groupLinkDays,
  makeGroupLink,
  removeGroup,
  revokeGroupLink,
  setLeaderboard,
  versionOfGroup,
} from '../../../practice/groups.ts';
import { removeGymKey, saveGymKey } from '../../../practice/gym-keys.ts';
import { canCreateAccounts } from '../../../practice/joining.ts';
import { isOver, phaseOf } from '../../../practice/rounds.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { listGroupLinks, type OpenGroupLink } from '../../../store/groups.ts';
import { findGymKey } from '../../../store/gym-keys.ts';
import { listVisibleRounds } from '../../../store/rounds.ts';
import { dateElement, futureDate } from '../../kit/dates.ts';
import { actions, button, type Faults, form, formActions, textField } from '../../kit/form.ts';
import { lifetimeField, lifetimeMsIn } from '../../kit/lifetimes.ts';
import { localLinksNotice, panel, secretNotice } from '../../kit/panel.ts';
import { qrCode } from '../../kit/qr-code.ts';
import { handleWebhookForm, refreshAfterTest, type WebhookRefusal, webhookPanel } from '../../kit/webhooks.ts';
import { type Html, html } from '../../markup.ts';
import { groupPath, groupsPath } from '../../paths.ts';
import { fieldText, idIn, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { addressWithNotice, coachedGroupOf, coachOfGroup, groupFrame, sessionOf } from './frame.ts';
import { groupFields, readGroup } from './mine.ts';

const defaultUses = 30;

const settingsPath = (id: bigint) => `${groupPath(id)}settings/`;

interface PageState {
  faults?: Faults;
  values?: Pick<GroupWithLists, 'name' | 'zone' | 'language'>;
  linkNotice?: Html;
  fault?: string;
  webhook?: WebhookRefusal;
}

export async function showSettings(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  return { html: await settingsPage(visit, group), ...(await refreshAfterTest(visit, { group_id: group.id })) };
}

export async function submitSettings(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const { form } = visit;
  if (form.has('archived')) return changeArchived(visit, group);
  if (form.has('webhook')) return changeWebhook(visit, group);
  if (form.has('revoke')) return revoke(visit, group);
  if (form.has('uses')) return makeLink(visit, group);
  if (form.has('api_key')) return saveKey(visit, group);
  if (form.has('no_key')) return removeKey(visit, group);
  if (form.has('board')) return changeBoard(visit, group);
  if (form.has('confirm')) return deleteGroup(visit, group);
  return changeSettings(visit, group);
}

async function makeLink(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  const { form, site } = visit;
  const text = fieldText(form, 'uses', 1000).trim();
  const lifetimeMs = lifetimeMsIn(form, groupLinkDays);
  const uses = parseUses(text);
  if (uses === undefined) {
    const faults = { uses: words('invitations.giveNumber', { most: usesAtMost }) };
    return { html: await settingsPage(visit, group, { faults }), status: 422 };
  }
  try {
    const options = { uses, lifetimeMs, madeBy: visit.member.user_id };
    const secret = await makeGroupLink(visit.store, coachOfGroup(visit, group), options);
    const address = `${site.baseUrl}/authentication/join/${secret}/`;
    const explanation = words('groups.linkMadeText', { count: uses });
    return {
      html: await settingsPage(visit, group, {
        linkNotice: html`
          ${secretNotice(words('groups.linkMade'), explanation, address, qrCode(address))}
          ${localLinksNotice(address, visit.member)}`,
      }),
    };
  } catch (error) {
    return { html: await settingsPage(visit, group, { faults: { uses: refusalText(error) } }), status: 422 };
  }
}

async function revoke(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  const link = idIn(fieldText(visit.form, 'revoke', 30), parseInt64);
  if (!(await revokeGroupLink(visit.store, coachOfGroup(visit, group), link))) throw pageNotFound(visit.path);
  return { to: addressWithNotice(settingsPath(group.id), 'revoked') };
}

async function changeBoard(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  const isOn = visit.form.get('board') === 'true';
  await setLeaderboard(visit.store, coachOfGroup(visit, group), isOn);
  return { to: addressWithNotice(settingsPath(group.id), isOn ? 'board' : 'noBoard') };
}

async function changeArchived(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  const isArchived = visit.form.get('archived') === 'true';
  await archiveGroup(visit.store, coachOfGroup(visit, group), isArchived);
  return { to: addressWithNotice(groupPath(group.id), isArchived ? 'archived' : 'unarchived') };
}

async function saveKey(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  const { form, store } = visit;
  const [key, secret] = ['api_key', 'api_secret'].map((name) => fieldText(form, name, 1000).trim()) as [string, string];
  try {
    await saveGymKey(store, coachOfGroup(visit, group), sessionOf(visit), { key, secret });
    return { to: addressWithNotice(settingsPath(group.id), 'key') };
  } catch (error) {
    return { html: await settingsPage(visit, group, { faults: { api_key: refusalText(error) } }), status: 422 };
  }
}

async function removeKey(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  await removeGymKey(visit.store, coachOfGroup(visit, group));
  return { to: addressWithNotice(settingsPath(group.id), 'noKey') };
}

/** The coach's API key for private contests. No page shows what was typed, not even after an error. */
async function keyPanel(visit: MemberVisit, { id }: GroupWithLists, faults: Faults): Promise<Html> {
  const row = await findGymKey(visit.store.reader, { group_id: id, user_id: visit.member.user_id });
  const formOptions = { to: settingsPath(id), className: 'form' };
  const key = { longest: 128, more: { spellcheck: 'false' } };
  const fields = html`
    ${textField(words('groups.apiKey'), 'api_key', faults, key)}
    ${textField(words('groups.apiSecret'), 'api_secret', faults, {
      ...key,
      type: 'password',
      autocomplete: 'new-password',
    })}
    ${formActions(words('groups.saveKey'))}`;
  const isOfThisSession = row?.session_id === visit.member.id;
  const storedKey =
    row &&
    form(
      visit,
      formOptions,
      html`
        <p data-key="${isOfThisSession ? 'here' : 'elsewhere'}">
          ${richWords(isOfThisSession ? 'groups.keyHere' : 'groups.keyElsewhere', { day: dateElement(row.made_at) })}
        </p>
        ${actions(button(words('groups.removeKey'), 'danger', ['no_key', 'yes']))}`,
    );
  const content = html`
    <div class="stack">
      <p class="soft">${richWords('groups.keyText', { judge: linkTo(keysPage) })}</p>
      <p class="soft">${words('groups.keyUse')}</p>
      ${storedKey}
      ${!isOfThisSession && form(visit, formOptions, fields)}
    </div>`;
  return panel({ id: 'key', heading: words('groups.key') }, content);
}

/** The page on which Codeforces makes keys (codeforces.com/apiHelp). */
const keysPage = 'https://codeforces.com/settings/api';

async function changeSettings(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  const { values, faults } = readGroup(visit.form);
  if (Object.keys(faults).length > 0)
    return { html: await settingsPage(visit, group, { values, faults }), status: 422 };
  const newer = await changeGroup(visit.store, coachOfGroup(visit, group), values, visit.form.get('version') ?? '');
  if (newer === undefined) return { to: addressWithNotice(settingsPath(group.id), 'saved') };
  const fault = words('groups.conflict', { name: newer.name, zone: newer.zone });
  return { html: await settingsPage(visit, { ...group, ...newer }, { values, fault }), status: 422 };
}

async function changeWebhook(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  const { id } = group;
  const outcome = await handleWebhookForm(visit, { group_id: id }, settingsPath(id));
  if ('to' in outcome) return outcome;
  return { html: await settingsPage(visit, group, { webhook: outcome }), status: 422 };
}

async function deleteGroup(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  if (fieldText(visit.form, 'confirm', 1000).trim() !== group.name.trim()) {
    const faults = { confirm: words('groups.wrongName') };
    return { html: await settingsPage(visit, group, { faults }), status: 422 };
  }
  await removeGroup(visit.store, coachOfGroup(visit, group));
  return { to: addressWithNotice(groupsPath, 'deleted') };
}

async function archivePanel(visit: MemberVisit, { id, lists }: GroupWithLists): Promise<Html> {
  const now = Date.now();
  const all = await listVisibleRounds(visit.store.reader, visit.member.user_id, { groupId: id, limit: 300 });
  const open = {
    rounds: all.filter((one) => !isOver(phaseOf(one, now))).length,
    lists: lists.filter(({ due_at }) => due_at !== null && Date.parse(due_at) > now).length,
  };
  const archive = actions(button(words('groups.archive'), '', ['archived', 'true']));
  return panel(
    { id: 'archive', heading: words('groups.archiveTitle') },
    html`
      <p class="soft">${words('groups.archiveText')}</p>
      ${open.rounds + open.lists > 0 && html`<p>${words('groups.archiveOpen', open)}</p>`}
      ${form(visit, { to: settingsPath(id) }, archive)}`,
  );
}

const linkOrigin = (who: string | null, at: string) =>
  who === null
    ? richWords('groups.linkOf', { day: dateElement(at) })
    : richWords('groups.linkBy', { day: dateElement(at), who: html`<bdi>${who}</bdi>` });

async function settingsPage(visit: MemberVisit, group: GroupWithLists, state: PageState = {}): Promise<Html> {
  const { store, form: input } = visit;
  const { faults = {}, values = group, linkNotice: above = '', fault } = state;
  const links = await listGroupLinks(store.reader, group.id, new Date().toISOString());
  const settingsForm = (content: Html, hidden = {}) =>
    form(visit, { to: settingsPath(group.id), className: 'form', hidden }, content);
  const givesAccounts = await canCreateAccounts(store.reader, { made_by: visit.member.user_id });
  const row = ({ id, maker, uses_left, created_at, expires_at }: OpenGroupLink) =>
    html`
      <li data-link="${id}">
        <p>${linkOrigin(maker, created_at)}</p>
        <span class="soft">${words('groups.usesLeft', { count: uses_left })}</span>
        <span class="soft">${richWords('groups.endsAt', { when: futureDate(expires_at) })}</span>
        ${form(
          visit,
          { to: settingsPath(group.id) },
          html`
            <button class="button small danger" name="revoke" value="${id}">
              ${richWords('groups.revoke', { id: String(id) })}
            </button>`,
        )}
      </li>`;
  const linkList =
    links.length === 0
      ? html`<p class="soft">${words('groups.noLinks')}</p>`
      : html`<ul class="people" data-total="${links.length}">${links.map(row)}</ul>`;
  const linkForm = settingsForm(html`
    ${lifetimeField(input, groupLinkDays)}
    ${textField(words('invitations.howMany'), 'uses', faults, {
      value: faults['uses'] ? (input.get('uses') ?? '') : String(defaultUses),
      hint: words('groups.usesHint', { most: usesAtMost }),
    })}
    <p class="faint hint">${words(givesAccounts ? 'groups.linkGivesAccounts' : 'groups.linkNoAccounts')}</p>
    ${formActions(words('groups.makeLink'))}`);
  const nameForm = settingsForm(html`${groupFields(values, faults)}${formActions(words('groups.save'))}`, {
    version: versionOfGroup(group),
  });
  const hasBoard = group.has_board === 1n;
  const board = html`
    <p class="soft">${words(hasBoard ? 'groups.boardOn' : 'groups.boardOff')}</p>
    ${form(
      visit,
      { to: settingsPath(group.id) },
      html`
        <div class="actions">
          <button class="button" name="board" value="${String(!hasBoard)}">
            ${words(hasBoard ? 'groups.boardEnd' : 'groups.boardBegin')}
          </button>
        </div>`,
    )}`;
  const deletion = html`
    <p class="soft">${words('groups.deleteText')}</p>
    ${settingsForm(html`
      ${textField(words('groups.confirm'), 'confirm', faults, {
        hint: richWords('groups.typeName', { name: html`<bdi>${group.name}</bdi>` }),
      })}
      ${actions(button(words('groups.delete'), 'danger'))}`)}`;
  const deletionPanel = panel({ id: 'delete', heading: words('groups.deleteTitle') }, deletion);
  if (group.archived_at !== null) return groupFrame(visit, group, { tab: 'settings/', fault }, deletionPanel);
  const webhook = await webhookPanel(visit, { group_id: group.id }, settingsPath(group.id), state.webhook);
  return groupFrame(
    visit,
    group,
    { tab: 'settings/', fault, styles: ['reminders.css'], scripts: ['zone.js'] },
    html`
      ${above}
      ${panel(
        { id: 'links', heading: words('groups.links') },
        html`${linkList}<p class="soft">${words('groups.linkRule')}</p>${linkForm}`,
      )}
      ${panel({ id: 'name', heading: words('groups.nameAndZone') }, nameForm)}
      ${await keyPanel(visit, group, faults)}
      ${panel({ id: 'board', heading: words('board.title') }, board)}
      ${webhook}
      ${await archivePanel(visit, group)}
      ${deletionPanel}`,
  );
}
