/** The page of one problem: the member's status, how they solved it, the note and the history; and what its forms change. */
import { html } from 'hono/html';
import { parseInt64 } from '../contract/common.ts';
import { judgeOf } from '../judges/addresses.ts';
import { Overtaken, setBookmarks, setNote, setStatus } from '../practice/marks.ts';
import { listChangesOfProblem } from '../store/changes.ts';
import { findProblem, type ProblemRow } from '../store/problems.ts';
import type { ChangesTable, How, State } from '../store/tables.ts';
import { backTo, changeBar, undoForm, wordsOf } from './changes.ts';
import { frame, pageHead } from './frame.ts';
import { icon } from './icons.ts';
import type { Html } from './layout.ts';
import {
  difficulty,
  hows,
  judgeKey,
  markForm,
  type OwnMarks,
  shownState,
  star,
  stateIcon,
  states,
  stateWords,
  topics,
  webLink,
} from './parts.ts';
import { listPath, marksOf } from './problem-list.ts';
import {
  type Answer,
  field,
  idIn,
  type MemberVisit,
  nothingHere,
  ownPath,
  type PageRoute,
} from './visits.ts';

const longestNote = 10_000;

export const problemPages: readonly PageRoute<MemberVisit>[] = [
  { path: '/problem_list/problem/:id/', show: (visit) => showProblem(visit), change: takeMark },
];

const pathOf = (id: bigint) => `/problem_list/problem/${id}/`;

async function problemOf({ store, params, path }: MemberVisit): Promise<ProblemRow> {
  const problem = await findProblem(store.reader, idIn(params['id'], parseInt64));
  if (!problem) throw nothingHere(path);
  return problem;
}

/** One form of a row or of the page was sent: it has a status, a bookmark or a note. */
async function takeMark(visit: MemberVisit): Promise<Answer> {
  const { store, member, form, site } = visit;
  const { id } = await problemOf(visit);
  const memberId = member.user_id;
  const from = form.has('from') ? ownPath(site, form.get('from')) : pathOf(id);
  const note = form.get('note');
  const status = states.find((state) => state === form.get('status'));
  const how = hows.map(([name]) => name).find((name) => name === form.get('how'));
  const bookmark = form.get('bookmark');
  const version = form.get('version') ?? undefined;
  try {
    if (note !== null) {
      const text = field(form, 'note', longestNote).replaceAll('\r\n', '\n').replaceAll('\0', '').trimEnd();
      const { batch } = await store.write((tx) => setNote(tx, memberId, id, text));
      return { to: backTo(from, batch, '#note') };
    }
    if (status !== undefined) {
      const mark = { memberId, problemIds: [id], status, how, version };
      const { batch } = await store.write((tx) => setStatus(tx, mark));
      return { to: backTo(from, batch) };
    }
    if (bookmark === 'true' || bookmark === 'false') {
      const { batch } = await store.write((tx) => setBookmarks(tx, memberId, [id], bookmark === 'true'));
      return { to: backTo(from, batch) };
    }
  } catch (error) {
    if (error instanceof Overtaken) return showProblem(visit, error.shown, status);
    throw error;
  }
  return { to: from };
}

/** With a status that was set elsewhere meanwhile, the page says so above everything else. */
async function showProblem(visit: MemberVisit, overtaken?: State, wanted?: State): Promise<Answer> {
  const { store, member, site, antiForgery } = visit;
  const problem = await problemOf(visit);
  const { id, title } = problem;
  const marks = (await marksOf(store.reader, member.user_id, [id]))(id);
  const changes = await listChangesOfProblem(store.reader, member.user_id, id);
  const from = pathOf(id);
  const forms = { basePath: site.basePath, antiForgery, from };
  const judge = judgeOf(problem.source);
  const warning = overtaken
    ? html`<div class="notice" data-kind="warn" role="alert">${icon('warn')}<div><p><strong>This was changed elsewhere meanwhile.</strong> It is ${stateWords[overtaken]} now${wanted ? html`; your “${stateWords[wanted]}” was not saved` : ''}. Choose again if you still want to change it.</p></div></div>`
    : '';
  const page = html`${pageHead(title, {
    crumbs: [[`${site.basePath}${listPath}`, 'Problems']],
    sub: html`${judgeKey(problem)}<span>${difficulty(problem)}</span>`,
    actions: html`${star(title, marks, `m${id}`)}${webLink(problem.url, `Open on ${judge?.name ?? problem.source}`, 'button primary')}`,
  })}
<div class="with-side" data-problem="${id}" data-status="${shownState(marks)}">${markForm(forms, id, marks)}
<div class="stack">${warning}${statusPanel(id, marks, forms)}${notePanel(id, marks, forms)}${historyPanel(changes, forms)}</div>
<aside class="stack" aria-label="About this problem">${aside(problem, marks, site.basePath)}</aside></div>`;
  return {
    html: frame(
      visit,
      { title, current: listPath, kind: 'p-problem', bar: await changeBar(visit, from) },
      page,
    ),
    ...(overtaken && { status: 409 }),
  };
}

interface Forms {
  basePath: string;
  antiForgery: Html;
  from: string;
}

function statusPanel(id: bigint, marks: OwnMarks, forms: Forms): Html {
  const state = shownState(marks);
  const { self_status = null, judge_status = null } = marks.status ?? {};
  const words = [
    self_status === null ? '' : `You say ${stateWords[self_status].toLowerCase()}.`,
    judge_status === null ? '' : `The judge says ${stateWords[judge_status].toLowerCase()}.`,
  ];
  const howForm = html`<form class="how" method="post" action="${forms.basePath}${pathOf(id)}">${forms.antiForgery}<input type="hidden" name="from" value="${forms.from}"><input type="hidden" name="status" value="complete"><fieldset><legend>How did it go?</legend><div class="choices">${hows.map(([name, text]) => choice(name, text, marks.status?.how ?? null))}</div></fieldset><button class="button">Save</button></form>`;
  return html`<section class="panel verdict" aria-labelledby="status-title"><h2 id="status-title" class="sr">Your status</h2>
<div class="verdict-now">${stateIcon(state, self_status !== null && judge_status !== 'complete')}<div><p class="big">${stateWords[state]}</p><p class="soft">${words.join(' ').trim() || 'Nothing said yet.'}</p></div>
<details class="menu end" name="menu"><summary class="button"><span>Change</span>${icon('down')}</summary><div class="menu-panel"><ul>${states.map((name, place) => html`<li><button form="m${id}" name="status" value="${name}"${name === state ? html` aria-current="true"` : ''}>${stateIcon(name)}<span>${stateWords[name]}</span><kbd aria-hidden="true">${place}</kbd></button></li>`)}</ul></div></details></div>
${state === 'complete' ? howForm : ''}</section>`;
}

function choice(name: How, text: string, current: How | null): Html {
  return html`<label class="choice"><input type="radio" name="how" value="${name}"${name === current ? html` checked` : ''}><span><b>${text}</b></span></label>`;
}

function notePanel(id: bigint, { note }: OwnMarks, forms: Forms): Html {
  return html`<section class="panel" id="note" aria-labelledby="note-title"><div class="panel-head"><h2 id="note-title">Note</h2><p>${icon('lock')} Only you can read it</p></div>
<form method="post" action="${forms.basePath}${pathOf(id)}" class="note-form">${forms.antiForgery}<input type="hidden" name="from" value="${forms.from}"><label class="sr" for="note-text">Note</label><textarea id="note-text" name="note" rows="4" maxlength="${longestNote}">
${note ?? ''}</textarea><div class="actions"><button class="button">Save note</button></div></form></section>`;
}

function historyPanel(changes: readonly ChangesTable[], forms: Forms): Html {
  const event = (change: ChangesTable) =>
    html`<li class="event${change.undone_at ? ' undone' : ''}" data-change="${change.id}"><span class="event-mark">${icon('user', 'faint')}</span><div><p>${wordsOf(change)}${change.undone_at ? html` <span class="faint">undone</span>` : ''}</p></div>${change.undone_at ? '' : undoForm(forms.basePath, forms.antiForgery, change.id, forms.from)}<time class="num" datetime="${change.made_at}">${change.made_at.slice(0, 16).replace('T', ' ')}</time></li>`;
  return html`<section class="panel" aria-labelledby="history-title"><div class="panel-head"><h2 id="history-title">History</h2></div>${changes.length === 0 ? html`<p class="soft">What you change stands here, and can be undone.</p>` : html`<ol class="events">${changes.map(event)}</ol>`}</section>`;
}

function aside(problem: ProblemRow, marks: OwnMarks, basePath: string): Html {
  const { source, aliases, editorial_url, video_url } = problem;
  const twins = JSON.parse(aliases) as string[];
  const hrefOf = (tag: string) => `${basePath}${listPath}?${new URLSearchParams({ tag })}`;
  const isOpen = shownState(marks) === 'complete';
  return html`<section class="panel slim"><h2>Topics</h2>${topics(problem, { isOpen, hrefOf })}</section>
${twins.length > 0 ? html`<section class="panel slim"><h2>The same problem</h2><ul class="plain">${twins.map((source_key) => html`<li>${judgeKey({ source, source_key })}</li>`)}</ul><p class="faint hint">One status, counted once.</p></section>` : ''}
${editorial_url || video_url ? html`<section class="panel slim"><h2>Elsewhere</h2><ul class="plain"><li>${webLink(editorial_url, 'Editorial')}</li><li>${webLink(video_url, 'Video')}</li></ul></section>` : ''}`;
}
