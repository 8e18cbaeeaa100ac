/** The plants of all members, which staff may remove. */

import { parseInt64 } from '../../../contract/common.ts';
import { removeAnyPlant } from '../../../practice/planting.ts';
import { asStaff } from '../../../practice/staff.ts';
import { listPlants, type PlantRow, plantIdField } from '../../../store/plants.ts';
import { form } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { barePanel, emptyPanel } from '../../kit/panel.ts';
import { blockTable, type TableRow } from '../../kit/table.ts';
import { html } from '../../markup.ts';
import { plantingPath, staffPath } from '../../paths.ts';
import { field, idIn } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { donePath, pageOfIds, rowsOfPage, staffPage, time } from './frame.ts';

const path = `${staffPath}plants/`;

export const plantsPage: PageRoute<MemberVisit> = { path, isSecret: true, show, change: take };

async function show(visit: MemberVisit): Promise<Answer> {
  const { store, site, query } = visit;
  const after = parseInt64(query.get('after') ?? '');
  const found = await listPlants(store.reader, undefined, {
    keys: [{ field: plantIdField, isDescending: false }],
    after: after === undefined ? undefined : [after],
    limit: rowsOfPage + 1,
  });
  if (after !== undefined && found.length === 0) return { to: path };
  const { shown, more } = pageOfIds(visit, found, ['after', 'plants.next']);
  const row = ({ id, name, tag, list, target, planted_at, user, username }: PlantRow): TableRow => ({
    about: html` data-plant="${id}"`,
    cells: [
      name,
      tag ?? html`<span class="faint">${words(list === null ? 'plants.anyTopic' : 'plants.aList')}</span>`,
      html`<span class="num">${target}</span>`,
      html`<a href="${site.basePath}${staffPath}members/${user}/">${username}</a>`,
      time(planted_at),
      form(
        visit,
        { to: path },
        html`
          <button class="button small danger" name="remove" value="${id}">
            ${richWords('plants.remove', { name, username })}
          </button>`,
      ),
    ],
  });
  const heads = [
    words('plants.plant'),
    words('plants.topic'),
    words('plants.goal'),
    words('staff.member'),
    words('plants.planted'),
    '',
  ];
  const content =
    shown.length === 0
      ? emptyPanel({
          heading: words('plants.none'),
          text: words('plants.noneText'),
          actions: linkButton(visit.site.basePath + plantingPath, words('garden.plantGoal'), { symbol: 'plus' }),
        })
      : html`
        ${barePanel({ label: words('staff.plants') }, blockTable(words('plants.table'), heads, shown.map(row)))}
        ${more}`;
  return staffPage(visit, { room: 'plants/', sub: words('plants.sub') }, content);
}

async function take(visit: MemberVisit): Promise<Answer> {
  const id = idIn(field(visit.form, 'remove', 30), parseInt64);
  await asStaff(
    visit,
    async (tx) => {
      const owner = await removeAnyPlant(tx, id);
      if (owner === undefined) throw nothingHere(visit.path);
      return owner;
    },
    (owner) => ['plant-removed', owner],
  );
  return { to: donePath(path, 'plant-removed') };
}
