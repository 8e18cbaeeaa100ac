/** Planting a goal: the member chooses a topic or a list, then a target that fits what they have solved of it. */

import { longestPlantName, sensibleTargets } from '../../../practice/goals.ts';
import { type ListToPlant, listListsToPlant, listTopicsToPlant, plant } from '../../../practice/planting.ts';
import { type Faults, form, formActions, textField } from '../../kit/form.ts';
import { crumbsToGarden, frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { notice, panel } from '../../kit/panel.ts';
import { newPlantAddress, newPlantAddressForList } from '../../kit/plant-links.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { listsPath, newPlantPath, plantPath, progressPath } from '../../paths.ts';
import { refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import {
  dateFaults,
  dateField,
  dateIn,
  filterFields,
  type GoalScope,
  listScope,
  nameFaults,
  nameOfGoal,
  readPlantName,
  removeNul,
  scopeName,
  shortenTopic,
  targetFaults,
  targetIn,
  topicScope,
} from './goal.ts';

export const plantingPage: PageRoute<MemberVisit> = {
  path: newPlantPath,
  get: showPlanting,
  post: submitPlanting,
};

interface PlantingInput {
  name: string;
  /** One of the suggestions, or empty for `ownTarget`. */
  target: string;
  ownTarget: string;
  byDate: string;
  /** The name that the page suggested. A name that differs from it was typed, and is not replaced. */
  suggestedName: string;
}

async function showPlanting(visit: MemberVisit): Promise<PageResult> {
  const { store, member, query } = visit;
  const list = query.get('list');
  if (list !== null) {
    const scope = await listScope(store.reader, member.user_id, list);
    if (!scope) return scopeChoicePage(visit, { tag: words('planting.noList') });
    return goalPage(visit, scope, {}, suggestGoal(scope));
  }
  const tag = removeNul(query.get('tag') ?? '');
  if (tag === '' && query.get('any') !== 'true') return scopeChoicePage(visit, {});
  const scope = await topicScope(visit, tag || null, query);
  if (!scope) return scopeChoicePage(visit, { tag: words('planting.noTopic', { topic: shortenTopic(tag) }) });
  return goalPage(visit, scope, scope.faults, suggestGoal(scope));
}

function suggestGoal({ tag, list, filter, done, total }: GoalScope): PlantingInput {
  const [near, farther] = sensibleTargets(done, total);
  const target = list ? total : (farther ?? near ?? Math.max(1, total));
  const name = list
    ? list.name.slice(0, longestPlantName).trim().toWellFormed()
    : nameOfGoal({ ...filter, tag }, target);
  return { name, suggestedName: name, target: String(target), ownTarget: '', byDate: '' };
}

async function submitPlanting(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: posted } = visit;
  const tag = removeNul(posted.get('tag') ?? '');
  const list = posted.get('list');
  const scope =
    list === null ? await topicScope(visit, tag || null, posted) : await listScope(store.reader, member.user_id, list);
  if (!scope) {
    const none = list === null ? words('planting.noTopic', { topic: shortenTopic(tag) }) : words('planting.noList');
    return scopeChoicePage(visit, { tag: none }, 422);
  }
  const input: PlantingInput = {
    name: readPlantName(posted.get('name')),
    target: posted.get('target') ?? '',
    ownTarget: (posted.get('own_target') ?? '').trim(),
    byDate: (posted.get('by_date') ?? '').trim().slice(0, 20),
    suggestedName: posted.get('given') ?? '',
  };
  if (posted.get('again') !== null) return recount(visit, scope, input);
  const targetText = input.target === '' ? input.ownTarget : input.target;
  const target = targetIn(targetText);
  const by_date = dateIn(input.byDate);
  const faults = {
    ...scope.faults,
    ...nameFaults(input.name),
    ...targetFaults('own_target', target),
    ...dateFaults(by_date, visit),
  };
  if (Object.keys(faults).length > 0) return goalPage(visit, scope, faults, input, { status: 422 });
  const { tag: topic, list: scopeList, filter } = scope;
  const isSuggested = !scopeList && input.name === input.suggestedName;
  const name = isSuggested ? nameOfGoal({ ...filter, tag: topic }, target) : input.name;
  const goal = { ...filter, name, tag: topic, list: scopeList, target, by_date: by_date ?? null };
  try {
    return { to: plantPath(await plant(store, member.user_id, goal, new Date())) };
  } catch (error) {
    return goalPage(visit, scope, { name: refusalText(error) }, input, { status: 422 });
  }
}

/** Counts again for another judge or other ratings, and leaves what was typed. */
function recount(visit: MemberVisit, scope: GoalScope, input: PlantingInput): Promise<PageResult> {
  const suggestion = suggestGoal(scope);
  const name = input.name === input.suggestedName ? suggestion.name : input.name;
  const { target, suggestedName } = suggestion;
  return goalPage(visit, scope, scope.faults, { ...input, name, target, suggestedName }, { isAgain: true });
}

async function scopeChoicePage(visit: MemberVisit, faults: Faults, status = 200): Promise<PageResult> {
  const { store, member, site } = visit;
  const { basePath } = site;
  const topics = await listTopicsToPlant(store.reader, member.user_id);
  const lists = await listListsToPlant(store.reader, member.user_id);
  const scopeLink = (
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
    html`<li data-topic="${one.tag}">${scopeLink(newPlantAddress(one.tag), one.tag, one)}</li>`;
  const listLine = (one: ListToPlant) =>
    html`<li data-list="${one.id}">${scopeLink(newPlantAddressForList(one.id), bdi(one.name), one)}</li>`;
  const anyTopicButton = linkButton(basePath + newPlantAddress(null), words('planting.any'));
  const allLists = html`<p><a href="${basePath}${listsPath}">${words('planting.allLists')}</a></p>`;
  const content = html`
    ${faults['tag'] && notice('bad', faults['tag'])}
    ${panel(
      { id: 'topics', heading: words('planting.topics'), beside: anyTopicButton },
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
  { target, ownTarget }: PlantingInput,
  faults: Faults,
  isRecounted: boolean,
): Html {
  // The whole list is always a choice, even where everything on it is solved.
  const targets = list && !suggestions.includes(total) ? [...suggestions, total] : suggestions;
  const hasChoices = targets.length > 0;
  const radio = (value: string, isChosen: boolean, text: Html | string) =>
    html`
      <label class="choice">
        <input
          type="radio" name="target" value="${value}"${attr('checked', isChosen)}${attr(
            'autofocus',
            isChosen && isRecounted && value !== '',
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
  const ownTargetOptions = { value: ownTarget || (hasChoices ? '' : target), longest: 7, isOptional: true };
  return html`
    <fieldset class="field targets">
      <legend>${words('planting.target')}</legend>
      <p class="faint">${words('planting.targetHint')}</p>
      ${targets.map(suggestion)}
      ${hasChoices && radio('', !targets.includes(Number(target)), words('planting.ownTarget'))}
    </fieldset>
    ${textField(words('planting.ownNumber'), 'own_target', faults, ownTargetOptions)}`;
}

async function goalPage(
  visit: MemberVisit,
  scope: GoalScope,
  faults: Faults,
  input: PlantingInput,
  { status = 200, isAgain: isRecounted = false }: { status?: number; isAgain?: boolean } = {},
): Promise<PageResult> {
  const { tag, list, done, total, filter } = scope;
  const suggestions = sensibleTargets(done, total);
  const recountButton = html`
    <button class="button no-script" name="again" value="true" formnovalidate>${words('goal.again')}</button>`;
  const otherScopeButton = linkButton(visit.site.basePath + newPlantPath, words('planting.other'), { kind: 'quiet' });
  const hidden = { ...(list ? { list: list.id } : { tag: tag ?? '' }), given: input.suggestedName };
  const fields = html`
    ${!list && (await filterFields(visit, { filter, faults }))}
    ${textField(words('planting.name'), 'name', faults, { value: input.name, longest: longestPlantName })}
    ${targetFields(scope, suggestions, input, faults, isRecounted)}
    ${dateField(input.byDate, faults)}
    ${formActions(words('planting.button'), html`${!list && recountButton}${otherScopeButton}`)}`;
  const content = panel(
    {
      id: 'goal',
      heading: words('planting.goalFor', { topic: list?.name ?? scopeName({ ...filter, tag }) }),
    },
    html`
      <p class="soft">
        ${words('planting.have', { done, total })}
        ${suggestions.length === 0 && total > 0 && html` ${words('planting.all')}`}
      </p>
      ${form(visit, { to: newPlantPath, className: 'form', hidden }, fields)}`,
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
