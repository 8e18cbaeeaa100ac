/**
 * Planting: a topic or a list is chosen first, and its page offers targets that fit what the member has solved of it.
 */

import { isNarrow } from '../../../practice/garden.ts';
import { longestPlantName, sensibleTargets } from '../../../practice/goals.ts';
import { type ListToPlant, listListsToPlant, listTopicsToPlant, plant } from '../../../practice/planting.ts';
import { type Faults, form, formActions, textField } from '../../kit/form.ts';
import { crumbsToGarden, frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { notice, panel } from '../../kit/panel.ts';
import { plantingFor, plantingForList } from '../../kit/plant-links.ts';
import { attr, type Html, html } from '../../markup.ts';
import { listsPath, plantingPath, plantPath, progressPath } from '../../paths.ts';
import { faultOf } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import {
  clean,
  dateFaults,
  dateField,
  dateIn,
  type GoalScope,
  groundName,
  groundOf,
  listGround,
  nameFaults,
  partFields,
  readPlantName,
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

/** The targets that the page offers: the whole list, or a target a bit farther off. */
function usualGoal({ tag, list, part, done, total }: GoalScope): Asked {
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
  const { store, member, form: sent } = visit;
  const tag = clean(sent.get('tag') ?? '');
  const list = sent.get('list');
  const ground =
    list === null ? await groundOf(visit, tag || null, sent) : await listGround(store.reader, member.user_id, list);
  if (!ground) {
    const none = list === null ? words('planting.noTopic', { topic: shortened(tag) }) : words('planting.noList');
    return choosing(visit, { tag: none }, 422);
  }
  const asked: Asked = {
    name: readPlantName(sent.get('name')),
    target: sent.get('target') ?? '',
    ownTarget: (sent.get('own_target') ?? '').trim(),
    byDate: (sent.get('by_date') ?? '').trim().slice(0, 20),
    given: sent.get('given') ?? '',
  };
  if (sent.get('again') !== null) return countedAgain(visit, ground, asked);
  const wanted = asked.target === '' ? asked.ownTarget : asked.target;
  const target = targetIn(wanted);
  const by_date = dateIn(asked.byDate);
  const faults = {
    ...ground.faults,
    ...nameFaults(asked.name),
    ...targetFaults('own_target', target),
    ...dateFaults(by_date, visit),
  };
  if (Object.keys(faults).length > 0) return goalPage(visit, ground, faults, asked, { status: 422 });
  const { tag: topic, list: ofList, part } = ground;
  const goal = { ...part, name: asked.name, tag: topic, list: ofList, target, by_date: by_date ?? null };
  try {
    return { to: plantPath(await plant(store, member.user_id, goal, new Date())) };
  } catch (error) {
    return goalPage(visit, ground, { name: faultOf(error) }, asked, { status: 422 });
  }
}

/** The same form with the figures of another judge or other ratings; what was typed stays. */
function countedAgain(visit: MemberVisit, ground: GoalScope, asked: Asked): Promise<Answer> {
  const usual = usualGoal(ground);
  const name = asked.name === asked.given ? usual.name : asked.name;
  const { target, given } = usual;
  return goalPage(visit, ground, ground.faults, { ...asked, name, target, given }, { isAgain: true });
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
        <b>${name}</b> ${isPlanted && html`<span class="chip">${words('planting.isPlanted')}</span> `}
        <span class="faint num">${words('planting.topicLine', { done, total })}</span>
        ${icon('right')}
      </a>`;
  const list = (items: readonly Html[]) => html`<ul class="topics-to-plant">${items}</ul>`;
  const topicLine = (one: (typeof topics)[number]) =>
    html`<li data-topic="${one.tag}">${line(plantingFor(one.tag), one.tag, one)}</li>`;
  const listLine = (one: ListToPlant) =>
    html`<li data-list="${one.id}">${line(plantingForList(one.id), html`<bdi>${one.name}</bdi>`, one)}</li>`;
  const any = linkButton(basePath + plantingFor(null), words('planting.any'));
  const allLists = html`<p><a href="${basePath}${listsPath}">${words('planting.allLists')}</a></p>`;
  const content = html`
    ${faults['tag'] && notice('bad', faults['tag'])}
    ${panel(
      { id: 'topics', heading: words('planting.topics'), beside: any },
      html`
        <p class="soft">${words('planting.topicsText')}</p>
        ${topics.length > 0 ? list(topics.map(topicLine)) : html`<p class="soft">${words('planting.noTopics')}</p>`}`,
    )}
    ${
      lists.length > 0 &&
      panel(
        { id: 'lists', heading: words('planting.lists'), beside: allLists },
        html`<p class="soft">${words('planting.listsText')}</p>${list(lists.map(listLine))}`,
      )
    }`;
  return { status, html: plantingFrame(visit, content) };
}

/** The choice of a target: sensible ones and, if there are any, a number of one's own. */
function targetFields(
  { list, done, total }: GoalScope,
  near: readonly number[],
  { target, ownTarget }: Asked,
  faults: Faults,
  isAgain: boolean,
): Html {
  // The whole list is the usual goal of a list, also where nothing is left of it.
  const targets = list && !near.includes(total) ? [...near, total] : near;
  const hasAny = targets.length > 0;
  const radio = (value: string, isChosen: boolean, text: Html | string) =>
    html`
      <label class="choice">
        <input
          type="radio" name="target" value="${value}"${attr('checked', isChosen)}${attr(
            'autofocus',
            isChosen && isAgain && value !== '',
          )}
        >
        <span>${text}</span>
      </label>`;
  const suggestion = (one: number) => {
    const text = richWords(
      one !== total ? 'planting.suggested' : list ? 'planting.suggestedList' : 'planting.suggestedAll',
      { target: one, more: one - done },
    );
    return radio(String(one), String(one) === target, text);
  };
  const own = { value: ownTarget || (hasAny ? '' : target), longest: 7, isOptional: true };
  return html`
    <fieldset class="field targets">
      <legend>${words('planting.target')}</legend>
      <p class="faint">${words('planting.targetHint')}</p>
      ${targets.map(suggestion)}
      ${hasAny && radio('', !targets.includes(Number(target)), words('planting.ownTarget'))}
    </fieldset>
    ${textField(words('planting.ownNumber'), 'own_target', faults, own)}`;
}

async function goalPage(
  visit: MemberVisit,
  ground: GoalScope,
  faults: Faults,
  asked: Asked,
  { status = 200, isAgain = false }: { status?: number; isAgain?: boolean } = {},
): Promise<Answer> {
  const { tag, list, done, total, part } = ground;
  const near = sensibleTargets(done, total);
  const again = html`
    <button class="button no-script" name="again" value="true" formnovalidate>${words('goal.again')}</button>`;
  const other = linkButton(visit.site.basePath + plantingPath, words('planting.other'), { kind: 'quiet' });
  const hidden = { ...(list ? { list: list.id } : { tag: tag ?? '' }), given: asked.given };
  const fields = html`
    ${!list && (await partFields(visit, { part, faults }))}
    ${textField(words('planting.name'), 'name', faults, { value: asked.name, longest: longestPlantName })}
    ${targetFields(ground, near, asked, faults, isAgain)}
    ${dateField(asked.byDate, faults)}
    ${formActions(words('planting.button'), html`${!list && again}${other}`)}`;
  const content = panel(
    {
      id: 'goal',
      heading: words('planting.goalFor', { topic: list?.name ?? groundName({ ...part, tag }) }),
    },
    html`
      <p class="soft">
        ${words('planting.have', { done, total })}
        ${near.length === 0 && total > 0 && html` ${words('planting.all')}`}
      </p>
      ${form(visit, { to: plantingPath, className: 'form', hidden }, fields)}`,
  );
  return { status, html: plantingFrame(visit, content) };
}

function plantingFrame(visit: MemberVisit, content: Html): Html {
  const title = words('planting.title');
  return frame(
    visit,
    { title, current: progressPath, kind: 'p-garden p-planting', styles: ['garden.css'] },
    html`${pageHead(title, { sub: words('planting.sub'), crumbs: crumbsToGarden(visit.site.basePath) })}${content}`,
  );
}
