/** Planting a goal: the member chooses a topic or a list, then a target that fits what they have solved of it. */

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
import { refusalText } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import {
  clean,
  dateFaults,
  dateField,
  dateIn,
  type GoalScope,
  listScope,
  nameFaults,
  partFields,
  readPlantName,
  scopeName,
  targetFaults,
  targetIn,
  topicScope,
} from './goal.ts';

export const plantingPage: PageRoute<MemberVisit> = {
  path: plantingPath,
  get: showPlanting,
  post: submitPlanting,
};

interface GoalInput {
  name: string;
  /** One of the suggestions, or empty for `ownTarget`. */
  target: string;
  ownTarget: string;
  byDate: string;
  /** The name that the page suggested. A name that differs from it was typed, and is not replaced. */
  suggestedName: string;
}

async function showPlanting(visit: MemberVisit): Promise<Answer> {
  const { store, member, query } = visit;
  const list = query.get('list');
  if (list !== null) {
    const ground = await listScope(store.reader, member.user_id, list);
    if (!ground) return choicePage(visit, { tag: words('planting.noList') });
    return goalPage(visit, ground, {}, suggestGoal(ground));
  }
  const tag = clean(query.get('tag') ?? '');
  if (tag === '' && query.get('any') !== 'true') return choicePage(visit, {});
  const ground = await topicScope(visit, tag || null, query);
  if (!ground) return choicePage(visit, { tag: words('planting.noTopic', { topic: shortened(tag) }) });
  return goalPage(visit, ground, ground.faults, suggestGoal(ground));
}

function suggestGoal({ tag, list, part, done, total }: GoalScope): GoalInput {
  const [near, farther] = sensibleTargets(done, total);
  const target = list ? total : (farther ?? near ?? Math.max(1, total));
  const topic = shortened(tag ?? '');
  const name = list
    ? list.name.slice(0, longestPlantName).trim().toWellFormed()
    : isNarrow(part)
      ? words('planting.nameOfPart', { target, what: scopeName({ ...part, tag: topic }) })
      : tag
        ? words('planting.nameOf', { topic, target })
        : words('planting.nameOfAny', { target });
  return { name, suggestedName: name, target: String(target), ownTarget: '', byDate: '' };
}

const shortened = (text: string) => Array.from(text).slice(0, 60).join('');

async function submitPlanting(visit: MemberVisit): Promise<Answer> {
  const { store, member, form: posted } = visit;
  const tag = clean(posted.get('tag') ?? '');
  const list = posted.get('list');
  const ground =
    list === null ? await topicScope(visit, tag || null, posted) : await listScope(store.reader, member.user_id, list);
  if (!ground) {
    const none = list === null ? words('planting.noTopic', { topic: shortened(tag) }) : words('planting.noList');
    return choicePage(visit, { tag: none }, 422);
  }
  const input: GoalInput = {
    name: readPlantName(posted.get('name')),
    target: posted.get('target') ?? '',
    ownTarget: (posted.get('own_target') ?? '').trim(),
    byDate: (posted.get('by_date') ?? '').trim().slice(0, 20),
    suggestedName: posted.get('given') ?? '',
  };
  if (posted.get('again') !== null) return recount(visit, ground, input);
  const targetText = input.target === '' ? input.ownTarget : input.target;
  const target = targetIn(targetText);
  const by_date = dateIn(input.byDate);
  const faults = {
    ...ground.faults,
    ...nameFaults(input.name),
    ...targetFaults('own_target', target),
    ...dateFaults(by_date, visit),
  };
  if (Object.keys(faults).length > 0) return goalPage(visit, ground, faults, input, { status: 422 });
  const { tag: topic, list: ofList, part } = ground;
  const goal = { ...part, name: input.name, tag: topic, list: ofList, target, by_date: by_date ?? null };
  try {
    return { to: plantPath(await plant(store, member.user_id, goal, new Date())) };
  } catch (error) {
    return goalPage(visit, ground, { name: refusalText(error) }, input, { status: 422 });
  }
}

/** Counts again for another judge or other ratings, and leaves what was typed. */
function recount(visit: MemberVisit, ground: GoalScope, input: GoalInput): Promise<Answer> {
  const suggestion = suggestGoal(ground);
  const name = input.name === input.suggestedName ? suggestion.name : input.name;
  const { target, suggestedName } = suggestion;
  return goalPage(visit, ground, ground.faults, { ...input, name, target, suggestedName }, { isAgain: true });
}

async function choicePage(visit: MemberVisit, faults: Faults, status = 200): Promise<Answer> {
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

function targetFields(
  { list, done, total }: GoalScope,
  suggestions: readonly number[],
  { target, ownTarget }: GoalInput,
  faults: Faults,
  isAgain: boolean,
): Html {
  // The whole list is always a choice, even where everything on it is solved.
  const targets = list && !suggestions.includes(total) ? [...suggestions, total] : suggestions;
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
  input: GoalInput,
  { status = 200, isAgain = false }: { status?: number; isAgain?: boolean } = {},
): Promise<Answer> {
  const { tag, list, done, total, part } = ground;
  const suggestions = sensibleTargets(done, total);
  const again = html`
    <button class="button no-script" name="again" value="true" formnovalidate>${words('goal.again')}</button>`;
  const other = linkButton(visit.site.basePath + plantingPath, words('planting.other'), { kind: 'quiet' });
  const hidden = { ...(list ? { list: list.id } : { tag: tag ?? '' }), given: input.suggestedName };
  const fields = html`
    ${!list && (await partFields(visit, { part, faults }))}
    ${textField(words('planting.name'), 'name', faults, { value: input.name, longest: longestPlantName })}
    ${targetFields(ground, suggestions, input, faults, isAgain)}
    ${dateField(input.byDate, faults)}
    ${formActions(words('planting.button'), html`${!list && again}${other}`)}`;
  const content = panel(
    {
      id: 'goal',
      heading: words('planting.goalFor', { topic: list?.name ?? scopeName({ ...part, tag }) }),
    },
    html`
      <p class="soft">
        ${words('planting.have', { done, total })}
        ${suggestions.length === 0 && total > 0 && html` ${words('planting.all')}`}
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
