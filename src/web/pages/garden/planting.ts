/**
 * Planting: a topic or a list is chosen first, and its page offers targets that fit what the member has solved of it.
 */

import { isNarrow, longestPlantName } from '../../../practice/garden.ts';
import {
  type ListToPlant,
  listListsToPlant,
  listTopicsToPlant,
  plant,
  sensibleTargets,
} from '../../../practice/planting.ts';
import { type Faults, textField } from '../../kit/form.ts';
import { crumbsToGarden, frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { plantingFor, plantingForList } from '../../kit/plant-links.ts';
import { type Html, html } from '../../markup.ts';
import { listsPath, plantingPath, plantPath, progressPath } from '../../paths.ts';
import { faultOf } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import {
  clean,
  dateFaults,
  dateIn,
  type Ground,
  groundName,
  groundOf,
  listGround,
  nameFaults,
  nameIn,
  partFields,
  targetFaults,
  targetIn,
} from './goal.ts';

export const plantingPage: PageRoute<MemberVisit> = {
  path: plantingPath,
  show: showPlanting,
  change: takePlanting,
};

interface Asked {
  name: string;
  /** One of the suggestions, or empty for a number of one's own. */
  target: string;
  ownTarget: string;
  byDate: string;
  /** The name that the page gave, which changes with the judge and the ratings. */
  given: string;
}

async function showPlanting(visit: MemberVisit): Promise<Answer> {
  const { store, member, query } = visit;
  const list = query.get('list');
  if (list !== null) {
    const ground = await listGround(store.reader, member.user_id, list);
    if (!ground) return choosing(visit, { tag: words('planting.noList') });
    return goalPage(visit, ground, {}, usualGoal(ground));
  }
  const tag = clean(query.get('tag') ?? '');
  if (tag === '' && query.get('any') !== 'true') return choosing(visit, {});
  const ground = await groundOf(visit, tag || null, query);
  if (!ground) return choosing(visit, { tag: words('planting.noTopic', { topic: shortened(tag) }) });
  return goalPage(visit, ground, ground.faults, usualGoal(ground));
}

/** What the page offers: the whole list, or a target a bit farther off. */
function usualGoal({ tag, list, part, done, total }: Ground): Asked {
  const [near, farther] = sensibleTargets(done, total);
  const target = list ? total : (farther ?? near ?? Math.max(1, total));
  const topic = shortened(tag ?? '');
  const name = list
    ? list.name.slice(0, longestPlantName).trim().toWellFormed()
    : isNarrow(part)
      ? words('planting.nameOfPart', { target, what: groundName({ ...part, tag: topic }) })
      : tag
        ? words('planting.nameOf', { topic, target })
        : words('planting.nameOfAny', { target });
  return { name, given: name, target: String(target), ownTarget: '', byDate: '' };
}

const shortened = (text: string) => Array.from(text).slice(0, 60).join('');

async function takePlanting(visit: MemberVisit): Promise<Answer> {
  const { store, member, form } = visit;
  const tag = clean(form.get('tag') ?? '');
  const list = form.get('list');
  const ground =
    list === null ? await groundOf(visit, tag || null, form) : await listGround(store.reader, member.user_id, list);
  if (!ground) {
    const none = list === null ? words('planting.noTopic', { topic: shortened(tag) }) : words('planting.noList');
    return choosing(visit, { tag: none }, 422);
  }
  const asked: Asked = {
    name: nameIn(form.get('name')),
    target: form.get('target') ?? '',
    ownTarget: (form.get('own_target') ?? '').trim(),
    byDate: (form.get('by_date') ?? '').trim().slice(0, 20),
    given: form.get('given') ?? '',
  };
  if (form.get('again') !== null) return countedAgain(visit, ground, asked);
  const wanted = asked.target === '' ? asked.ownTarget : asked.target;
  const target = targetIn(wanted);
  const by_date = dateIn(asked.byDate);
  const faults = {
    ...{ ...ground.faults, ...nameFaults(asked.name), ...targetFaults('own_target', target) },
    ...dateFaults(by_date, visit),
  };
  if (Object.keys(faults).length > 0) return goalPage(visit, ground, faults, asked, 422);
  const { tag: topic, list: ofList, part } = ground;
  const goal = { ...part, name: asked.name, tag: topic, list: ofList, target, by_date: by_date ?? null };
  try {
    return { to: plantPath(await plant(store, member.user_id, goal, new Date())) };
  } catch (error) {
    return goalPage(visit, ground, { name: faultOf(error) }, asked, 422);
  }
}

/** The same form with the figures of another judge or other ratings; what was typed stays. */
function countedAgain(visit: MemberVisit, ground: Ground, asked: Asked): Promise<Answer> {
  const usual = usualGoal(ground);
  const name = asked.name === asked.given ? usual.name : asked.name;
  const { target, given } = usual;
  return goalPage(visit, ground, ground.faults, { ...asked, name, target, given }, 200, true);
}

async function choosing(visit: MemberVisit, faults: Faults, status = 200): Promise<Answer> {
  const { store, member, site } = visit;
  const { basePath } = site;
  const topics = await listTopicsToPlant(store.reader, member.user_id);
  const lists = await listListsToPlant(store.reader, member.user_id);
  const line = (
    to: string,
    name: Html | string,
    { done, total, isPlanted }: Pick<ListToPlant, 'done' | 'total' | 'isPlanted'>,
  ) =>
    html`
      <a href="${basePath}${to}">
        <b>${name}</b> ${isPlanted ? html`<span class="chip">${words('planting.isPlanted')}</span> ` : ''}
        <span class="faint num">${words('planting.topicLine', { done, total })}</span>
        ${icon('right')}
      </a>`;
  const list =
    topics.length === 0
      ? html`<p class="soft">${words('planting.noTopics')}</p>`
      : html`
        <ul class="topics-to-plant">
          ${topics.map(
            (topic) => html`<li data-topic="${topic.tag}">${line(plantingFor(topic.tag), topic.tag, topic)}</li>`,
          )}
        </ul>`;
  const listPanel =
    lists.length === 0
      ? ''
      : html`
        <section class="panel" aria-labelledby="lists">
          <div class="panel-head">
            <h2 id="lists">${words('planting.lists')}</h2>
            <p><a href="${basePath}${listsPath}">${words('planting.allLists')}</a></p>
          </div>
          <p class="soft">${words('planting.listsText')}</p>
          <ul class="topics-to-plant">
            ${lists.map(
              (one) =>
                html`
                  <li data-list="${one.id}">${line(plantingForList(one.id), html`<bdi>${one.name}</bdi>`, one)}</li>`,
            )}
          </ul>
        </section>`;
  const any = html`<a class="button" href="${basePath}${plantingFor(null)}">${words('planting.any')}</a>`;
  return {
    status,
    html: plantingFrame(
      visit,
      html`
        ${
          faults['tag']
            ? html`<div class="notice" data-kind="bad" role="alert">${icon('warn')}<p>${faults['tag']}</p></div>`
            : ''
        }
        <section class="panel" aria-labelledby="topics">
          <div class="panel-head"><h2 id="topics">${words('planting.topics')}</h2>${any}</div>
          <p class="soft">${words('planting.topicsText')}</p>
          ${list}
        </section>
        ${listPanel}`,
    ),
  };
}

async function goalPage(
  visit: MemberVisit,
  ground: Ground,
  faults: Faults,
  asked: Asked,
  status = 200,
  isAgain = false,
): Promise<Answer> {
  const { tag, list, done, total, part } = ground;
  const { site, antiForgery } = visit;
  const near = sensibleTargets(done, total);
  // The whole list is the usual goal of a list, also where nothing is left of it.
  const targets = list && !near.includes(total) ? [...near, total] : near;
  const isOwn = !targets.includes(Number(asked.target));
  const radio = (target: number) =>
    html`
      <label class="choice">
        <input
          type="radio" name="target"
          value="${target}"${String(target) === asked.target ? html` checked` : ''}${
            isAgain && String(target) === asked.target ? html` autofocus` : ''
          }
        >
        <span>
          ${richWords(
            target !== total ? 'planting.suggested' : list ? 'planting.suggestedList' : 'planting.suggestedAll',
            { target, more: target - done },
          )}
        </span>
      </label>`;
  const own =
    targets.length > 0
      ? html`
        <label class="choice">
          <input type="radio" name="target" value=""${isOwn ? html` checked` : ''}>
          <span>${words('planting.ownTarget')}</span>
        </label>`
      : '';
  const ownValue = asked.ownTarget || (targets.length === 0 ? asked.target : '');
  return {
    status,
    html: plantingFrame(
      visit,
      html`
        <section class="panel" aria-labelledby="goal">
          <div class="panel-head">
            <h2 id="goal">${words('planting.goalFor', { topic: list?.name ?? groundName({ ...part, tag }) })}</h2>
          </div>
          <p class="soft">
            ${words('planting.have', { done, total })}
            ${near.length === 0 && total > 0 ? html` ${words('planting.all')}` : ''}
          </p>
          <form class="form" method="post" action="${site.basePath}${plantingPath}">
            ${antiForgery}
            ${
              list
                ? html`<input type="hidden" name="list" value="${list.id}">`
                : html`
                  <input type="hidden" name="tag" value="${tag ?? ''}">
                  ${await partFields(visit, { part, faults })}`
            }
            <input type="hidden" name="given" value="${asked.given}">
            ${textField(words('planting.name'), 'name', faults, { value: asked.name, longest: longestPlantName })}
            <fieldset class="field targets">
              <legend>${words('planting.target')}</legend>
              <p class="faint">${words('planting.targetHint')}</p>
              ${targets.map(radio)}
              ${own}
            </fieldset>
            ${textField(words('planting.ownNumber'), 'own_target', faults, {
              value: ownValue,
              longest: 7,
              isOptional: true,
            })}
            ${textField(words('goal.date'), 'by_date', faults, {
              type: 'date',
              value: asked.byDate,
              isOptional: true,
              hint: words('goal.dateHint'),
            })}
            <div class="actions">
              <button class="button primary">${words('planting.button')}</button>
              ${
                list
                  ? ''
                  : html`
                    <button class="button no-script" name="again" value="true" formnovalidate>
                      ${words('goal.again')}
                    </button>`
              }
              <a class="button quiet" href="${site.basePath}${plantingPath}">${words('planting.other')}</a>
            </div>
          </form>
        </section>`,
    ),
  };
}

function plantingFrame(visit: MemberVisit, content: Html): Html {
  const title = words('planting.title');
  return frame(
    visit,
    { title, current: progressPath, kind: 'p-garden p-planting', styles: ['garden.css'] },
    html`${pageHead(title, { sub: words('planting.sub'), crumbs: crumbsToGarden(visit.site.basePath) })}${content}`,
  );
}
