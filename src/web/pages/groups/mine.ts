/** The groups that a member is in, and the form that makes one. */

import { canonicalZone, isZone } from '../../../practice/days.ts';
import { makeGroup } from '../../../practice/groups.ts';
import { listJoinedGroups } from '../../../store/groups.ts';
import { daySettingNames, listMemberSettings } from '../../../store/settings.ts';
import { isLanguage, languageNames, languageTags } from '../../../words/languages.ts';
import { type Faults, form, formActions, selectField, textField } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { emptyPanel, listPanel, panel } from '../../kit/panel.ts';
import { zoneField } from '../../kit/time-zone.ts';
import { type Html, html } from '../../markup.ts';
import { groupPath, groupsPath } from '../../paths.ts';
import { fieldText, lineTextFault, refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { currentViewer } from '../../words/viewer.ts';
import { words } from '../../words/words.ts';
import { addressWithNotice, groupNotice } from './frame.ts';

const longestName = 80;

export async function showGroups(visit: MemberVisit): Promise<PageResult> {
  // Without a zone in the member's settings, a script fills in that of the browser.
  const settings = await listMemberSettings(visit.store.reader, visit.member.user_id);
  return { html: await groupsPage(visit, {}, { name: '', zone: settings.get(daySettingNames.zone), language: null }) };
}

export async function submitGroup(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form } = visit;
  const { values, faults } = readGroup(form);
  if (Object.keys(faults).length === 0) {
    try {
      const id = await makeGroup(store, member.user_id, values);
      return { to: addressWithNotice(groupPath(id), 'made') };
    } catch (error) {
      faults['name'] = refusalText(error);
    }
  }
  return { html: await groupsPage(visit, faults, values), status: 422 };
}

export function readGroup(form: URLSearchParams) {
  const zone = fieldText(form, 'zone', 1000).trim();
  const languageTag = form.get('language') ?? '';
  const language = isLanguage(languageTag) ? languageTag : null;
  const values = { name: fieldText(form, 'name', 1000).trim(), zone: canonicalZone(zone) ?? zone, language };
  const faults = { ...lineTextFault(values.name, 'name', longestName, 'groups.nameIt') };
  if (!isZone(values.zone)) faults['zone'] = words('groups.unknownZone');
  return { values, faults };
}

interface GroupInput {
  name: string;
  zone: string | undefined;
  language: string | null;
}

export function groupFields({ name, zone, language }: GroupInput, faults: Faults): Html {
  const languages = languageTags.map((tag) => [tag, languageNames[tag]] as const);
  return html`
    ${textField(words('groups.name'), 'name', faults, {
      value: name,
      longest: longestName,
      hint: words('groups.nameHint'),
    })}
    ${zoneField({ name: 'zone', label: words('groups.zone'), hint: words('groups.zoneHint'), value: zone }, faults)}
    ${selectField(words('groups.language'), 'language', languages, language ?? currentViewer().language.tag, {
      faults,
      hint: words('groups.languageHint'),
    })}`;
}

async function groupsPage(visit: MemberVisit, faults: Faults, values: GroupInput): Promise<Html> {
  const { store, site, member } = visit;
  const groups = await listJoinedGroups(store.reader, member.user_id);
  const list =
    groups.length === 0
      ? emptyPanel({ heading: words('groups.none'), text: words('groups.noneText') })
      : listPanel(
          { className: 'group-list', total: groups.length },
          groups.map(
            ({ id, name, role, people, archived_at }) =>
              html`
                <li data-group="${id}">
                  <a href="${site.basePath}${groupPath(id)}"><bdi>${name}</bdi></a>
                  <span class="soft">${words('groups.count', { count: people })}</span>
                  <span class="tag">${words(archived_at === null ? `groups.role.${role}` : 'groups.archived')}</span>
                </li>`,
          ),
        );
  const fields = html`${groupFields(values, faults)}${formActions(words('groups.make'))}`;
  const newGroupForm = form(visit, { to: groupsPath, className: 'form' }, fields);
  return frame(
    visit,
    {
      title: words('frame.groups'),
      current: groupsPath,
      kind: 'p-group',
      styles: ['groups.css'],
      scripts: ['zone.js'],
    },
    html`
      ${pageHead(words('frame.groups'), { sub: words('groups.sub') })}
      <div class="stack">
        ${groupNotice(visit)}${list}${panel({ id: 'new', heading: words('groups.new') }, newGroupForm)}
      </div>`,
  );
}
