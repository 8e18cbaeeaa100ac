/** Planting: a topic is chosen first, and its page offers targets that fit what the member has solved of it. */
import { html } from 'hono/html';
import {
  listTopicsToPlant,
  longestPlantName,
  plant,
  sensibleTargets,
  type TopicToPlant,
  targetAtMost,
} from '../../practice/planting.ts';
import { countByTopic } from '../../store/completions.ts';
import { countAll, countOf } from '../../store/problem-counts.ts';
import type { Db } from '../../store/tables.ts';
import { type Faults, textField } from '../forms.ts';
import { frame, pageHead } from '../frame.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import type { Answer, MemberVisit, PageRoute } from '../visits.ts';
import { richWords, words } from '../words.ts';
import { gardenPath, plantingFor, plantingPath, plantPath } from './paths.ts';

export const plantingPage: PageRoute<MemberVisit> = {
  path: plantingPath,
  show: showPlanting,
  change: takePlanting,
};

/** For what one plants; null is any topic. */
interface Ground {
  tag: string | null;
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
  const ground = await groundOf(store.reader, member.user_id, tag || null);
  if (!ground) return choosing(visit, { tag: words('planting.noTopic', { topic: shortened(tag) }) }, 422);
  const asked: Asked = {
    name: nameIn(form.get('name')),
    target: form.get('target') ?? '',
    ownTarget: (form.get('own_target') ?? '').trim(),
  };
  const wanted = asked.target === '' ? asked.ownTarget : asked.target;
  const target = targetIn(wanted);
  const faults = { ...nameFaults(asked.name), ...targetFaults('own_target', target) };
  if (Object.keys(faults).length > 0) return goalPage(visit, ground, faults, asked, 422);
  const goal = { name: asked.name, tag: ground.tag, target };
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
  const any = html`<a class="button" href="${basePath}${plantingFor(null)}">${words('planting.any')}</a>`;
  return {
    status,
    html: plantingFrame(
      visit,
      html`${faults['tag'] ? html`<div class="notice" data-kind="bad" role="alert">${icon('warn')}<p>${faults['tag']}</p></div>` : ''}
<section class="panel" aria-labelledby="topics"><div class="panel-head"><h2 id="topics">${words('planting.topics')}</h2>${any}</div><p class="soft">${words('planting.topicsText')}</p>${list}</section>`,
    ),
  };
}

function goalPage(
  visit: MemberVisit,
  { tag, done, total }: Ground,
  faults: Faults,
  asked: Asked,
  status = 200,
): Answer {
  const { site, antiForgery } = visit;
  const targets = sensibleTargets(done, total);
  const isOwn = !targets.includes(Number(asked.target));
  const radio = (target: number) =>
    html`<label class="choice"><input type="radio" name="target" value="${target}"${String(target) === asked.target ? html` checked` : ''}><span>${richWords(target === total ? 'planting.suggestedAll' : 'planting.suggested', { target, more: target - done })}</span></label>`;
  const own =
    targets.length > 0
      ? html`<label class="choice"><input type="radio" name="target" value=""${isOwn ? html` checked` : ''}><span>${words('planting.ownTarget')}</span></label>`
      : '';
  const ownValue = asked.ownTarget || (targets.length === 0 ? asked.target : '');
  return {
    status,
    html: plantingFrame(
      visit,
      html`<section class="panel" aria-labelledby="goal"><div class="panel-head"><h2 id="goal">${words('planting.goalFor', { topic: tag ?? words('garden.anyTopic') })}</h2></div><p class="soft">${words('planting.have', { done, total })}${targets.length === 0 && total > 0 ? html` ${words('planting.all')}` : ''}</p>
<form class="form" method="post" action="${site.basePath}${plantingPath}">${antiForgery}<input type="hidden" name="tag" value="${tag ?? ''}">
${textField(words('planting.name'), 'name', faults, { value: asked.name, longest: longestPlantName })}
<fieldset class="field targets"><legend>${words('planting.target')}</legend><p class="faint">${words('planting.targetHint')}</p>${targets.map(radio)}${own}</fieldset>
${textField(words('planting.ownNumber'), 'own_target', faults, { value: ownValue, longest: 7, isOptional: true })}
<div class="actions"><button class="button primary">${words('planting.button')}</button><a class="button quiet" href="${site.basePath}${plantingPath}">${words('planting.topics')}</a></div></form></section>`,
    ),
  };
}

function plantingFrame(visit: MemberVisit, content: Html): Html {
  const title = words('planting.title');
  return frame(
    visit,
    { title, current: gardenPath, kind: 'p-garden p-planting', styles: ['garden.css'] },
    html`${pageHead(title, { sub: words('planting.sub'), crumbs: [[visit.site.basePath + gardenPath, words('frame.garden')]] })}
${content}`,
  );
}
