/** Planting: a topic or a list is chosen first, and its page offers targets that fit what the member has solved of it. */
import { html } from 'hono/html';
import { parseInt64 } from '../../contract/common.ts';
import {
  type ListToPlant,
  listListsToPlant,
  listTopicsToPlant,
  longestPlantName,
  plant,
  sensibleTargets,
  type TopicToPlant,
  targetAtMost,
} from '../../practice/planting.ts';
import { countByTopic } from '../../store/completions.ts';
import { findVisibleList } from '../../store/lists.ts';
import { countAll, countOf } from '../../store/problem-counts.ts';
import type { Db } from '../../store/tables.ts';
import { type Faults, textField } from '../forms.ts';
import { frame, pageHead } from '../frame.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import { listsPath } from '../lists/paths.ts';
import { byDay, plantsAndMarks } from '../page-versions.ts';
import { crumbsToGarden } from '../progress/tabs.ts';
import { progressPath } from '../progress/view.ts';
import type { Answer, MemberVisit, PageRoute } from '../visits.ts';
import { richWords, words } from '../words.ts';
import { plantingFor, plantingForList, plantingPath, plantPath } from './paths.ts';

export const plantingPage: PageRoute<MemberVisit> = {
  path: plantingPath,
  show: showPlanting,
  shows: plantsAndMarks,
  changesWith: byDay,
  change: takePlanting,
};

/** For what one plants: a list, or a topic, of which null is any. */
interface Ground {
  tag: string | null;
  list?: { id: bigint; name: string } | undefined;
  done: number;
  total: number;
}

interface Asked {
  name: string;
  /** One of the suggestions, or empty for a number of one's own. */
  target: string;
  ownTarget: string;
}

async function showPlanting(visit: MemberVisit): Promise<Answer> {
  const { store, member, query } = visit;
  const list = query.get('list');
  if (list !== null) {
    const ground = await listGround(store.reader, member.user_id, list);
    if (!ground) return choosing(visit, { tag: words('planting.noList') });
    const name = ground.list.name.slice(0, longestPlantName).trim().toWellFormed();
    return goalPage(visit, ground, {}, { name, target: String(ground.total), ownTarget: '' });
  }
  const tag = clean(query.get('tag') ?? '');
  if (tag === '' && query.get('any') !== 'true') return choosing(visit, {});
  const ground = await groundOf(store.reader, member.user_id, tag || null);
  if (!ground) return choosing(visit, { tag: words('planting.noTopic', { topic: shortened(tag) }) });
  const [near, farther] = sensibleTargets(ground.done, ground.total);
  const target = farther ?? near ?? Math.max(1, ground.total);
  const name = tag
    ? words('planting.nameOf', { topic: shortened(tag), target })
    : words('planting.nameOfAny', { target });
  return goalPage(visit, ground, {}, { name, target: String(target), ownTarget: '' });
}

const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();
const shortened = (text: string) => Array.from(text).slice(0, 60).join('');

/** Undefined for a list that the member does not see, and for one without problems. */
async function listGround(
  db: Db,
  memberId: bigint,
  given: string,
): Promise<(Ground & { list: { name: string } }) | undefined> {
  const id = parseInt64(given);
  const list = id === undefined ? undefined : await findVisibleList(db, id, memberId);
  if (!list || list.problems === 0n) return undefined;
  return { tag: null, list, done: Number(list.solved), total: Number(list.problems) };
}

/** Undefined for a topic that no problem has. */
async function groundOf(db: Db, memberId: bigint, tag: string | null): Promise<Ground | undefined> {
  const total = tag === null ? await countAll(db) : await countOf(db, 'tag', tag);
  if (tag !== null && total === 0n) return undefined;
  const done = await countByTopic(db, memberId, [tag ?? '']);
  return { tag, done: Number(done.get(tag ?? '') ?? 0n), total: Number(total) };
}

async function takePlanting(visit: MemberVisit): Promise<Answer> {
  const { store, member, form } = visit;
  const tag = clean(form.get('tag') ?? '');
  const list = form.get('list');
  const ground =
    list === null
      ? await groundOf(store.reader, member.user_id, tag || null)
      : await listGround(store.reader, member.user_id, list);
  if (!ground) {
    const none =
      list === null ? words('planting.noTopic', { topic: shortened(tag) }) : words('planting.noList');
    return choosing(visit, { tag: none }, 422);
  }
  const asked: Asked = {
    name: nameIn(form.get('name')),
    target: form.get('target') ?? '',
    ownTarget: (form.get('own_target') ?? '').trim(),
  };
  const wanted = asked.target === '' ? asked.ownTarget : asked.target;
  const target = targetIn(wanted);
  const faults = { ...nameFaults(asked.name), ...targetFaults('own_target', target) };
  if (Object.keys(faults).length > 0) return goalPage(visit, ground, faults, asked, 422);
  const goal = { name: asked.name, tag: ground.tag, list: ground.list, target };
  const id = await store.write((tx) => plant(tx, member.user_id, goal, new Date()));
  return { to: plantPath(id) };
}

export const nameIn = (text: string | null) => clean(text ?? '').trim();
/** 0 for a text that is no target. */
export const targetIn = (text: string) => (/^[1-9][0-9]{0,6}$/.test(text) ? BigInt(text) : 0n);

export function nameFaults(name: string): Faults {
  if (name === '') return { name: words('planting.noName') };
  if (name.length > longestPlantName) return { name: words('form.atMost', { longest: longestPlantName }) };
  return /\p{Cc}/u.test(name) ? { name: words('form.unshowable') } : {};
}

export function targetFaults(field: string, target: bigint): Faults {
  return target >= 1n && target <= targetAtMost
    ? {}
    : { [field]: words('planting.badTarget', { most: targetAtMost }) };
}

async function choosing(visit: MemberVisit, faults: Faults, status = 200): Promise<Answer> {
  const { store, member, site } = visit;
  const { basePath } = site;
  const topics = await listTopicsToPlant(store.reader, member.user_id);
  const line = ({ tag, done, total, isPlanted }: TopicToPlant) =>
    html`<li data-topic="${tag}"><a href="${basePath}${plantingFor(tag)}"><b>${tag}</b> <span class="faint num">${words('planting.topicLine', { done, total })}</span>${isPlanted ? html` <span class="chip">${words('planting.isPlanted')}</span>` : ''}</a></li>`;
  const list =
    topics.length === 0
      ? html`<p class="soft">${words('planting.noTopics')}</p>`
      : html`<ul class="topics-to-plant">${topics.map(line)}</ul>`;
  const lists = await listListsToPlant(store.reader, member.user_id);
  const listLine = ({ id, name, done, total, isPlanted }: ListToPlant) =>
    html`<li data-list="${id}"><a href="${basePath}${plantingForList(id)}"><b><bdi>${name}</bdi></b> <span class="faint num">${words('planting.topicLine', { done, total })}</span>${isPlanted ? html` <span class="chip">${words('planting.isPlanted')}</span>` : ''}</a></li>`;
  const listPanel =
    lists.length === 0
      ? ''
      : html`<section class="panel" aria-labelledby="lists"><div class="panel-head"><h2 id="lists">${words('planting.lists')}</h2><p><a href="${basePath}${listsPath}">${words('planting.allLists')}</a></p></div><p class="soft">${words('planting.listsText')}</p><ul class="topics-to-plant">${lists.map(listLine)}</ul></section>`;
  const any = html`<a class="button" href="${basePath}${plantingFor(null)}">${words('planting.any')}</a>`;
  return {
    status,
    html: plantingFrame(
      visit,
      html`${faults['tag'] ? html`<div class="notice" data-kind="bad" role="alert">${icon('warn')}<p>${faults['tag']}</p></div>` : ''}
<section class="panel" aria-labelledby="topics"><div class="panel-head"><h2 id="topics">${words('planting.topics')}</h2>${any}</div><p class="soft">${words('planting.topicsText')}</p>${list}</section>${listPanel}`,
    ),
  };
}

function goalPage(
  visit: MemberVisit,
  { tag, list, done, total }: Ground,
  faults: Faults,
  asked: Asked,
  status = 200,
): Answer {
  const { site, antiForgery } = visit;
  const near = sensibleTargets(done, total);
  // The whole list is the usual goal of a list, also where nothing is left of it.
  const targets = list && !near.includes(total) ? [...near, total] : near;
  const isOwn = !targets.includes(Number(asked.target));
  const radio = (target: number) =>
    html`<label class="choice"><input type="radio" name="target" value="${target}"${String(target) === asked.target ? html` checked` : ''}><span>${richWords(target !== total ? 'planting.suggested' : list ? 'planting.suggestedList' : 'planting.suggestedAll', { target, more: target - done })}</span></label>`;
  const own =
    targets.length > 0
      ? html`<label class="choice"><input type="radio" name="target" value=""${isOwn ? html` checked` : ''}><span>${words('planting.ownTarget')}</span></label>`
      : '';
  const ownValue = asked.ownTarget || (targets.length === 0 ? asked.target : '');
  return {
    status,
    html: plantingFrame(
      visit,
      html`<section class="panel" aria-labelledby="goal"><div class="panel-head"><h2 id="goal">${words('planting.goalFor', { topic: list?.name ?? tag ?? words('garden.anyTopic') })}</h2></div><p class="soft">${words('planting.have', { done, total })}${near.length === 0 && total > 0 ? html` ${words('planting.all')}` : ''}</p>
<form class="form" method="post" action="${site.basePath}${plantingPath}">${antiForgery}${list ? html`<input type="hidden" name="list" value="${list.id}">` : html`<input type="hidden" name="tag" value="${tag ?? ''}">`}
${textField(words('planting.name'), 'name', faults, { value: asked.name, longest: longestPlantName })}
<fieldset class="field targets"><legend>${words('planting.target')}</legend><p class="faint">${words('planting.targetHint')}</p>${targets.map(radio)}${own}</fieldset>
${textField(words('planting.ownNumber'), 'own_target', faults, { value: ownValue, longest: 7, isOptional: true })}
<div class="actions"><button class="button primary">${words('planting.button')}</button><a class="button quiet" href="${site.basePath}${plantingPath}">${words('planting.other')}</a></div></form></section>`,
    ),
  };
}

function plantingFrame(visit: MemberVisit, content: Html): Html {
  const title = words('planting.title');
  return frame(
    visit,
    { title, current: progressPath, kind: 'p-garden p-planting', styles: ['garden.css'] },
    html`${pageHead(title, { sub: words('planting.sub'), crumbs: crumbsToGarden(visit.site.basePath) })}
${content}`,
  );
}
