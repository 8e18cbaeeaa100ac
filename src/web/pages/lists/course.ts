/** The page of a course: the module that is now, what became shaky, what is next and later, and the way. */
import { type Course, type ModuleProgress, type ModuleState, readProgress } from '../../../practice/courses.ts';
import type { ProblemInList } from '../../../store/lists.ts';
import { moment } from '../../kit/dates.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { judgeKey, problemLink, shownState, statusControl, webLink } from '../../kit/marks.ts';
import { collapsiblePanel, notice, panel, slimPanel, unheadedPanel } from '../../kit/panel.ts';
import { findMarks } from '../../kit/problem-table.ts';
import { startTimerForm } from '../../kit/timer.ts';
import { type Html, html, svg } from '../../markup.ts';
import { problemPath } from '../../paths.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { afterColon, commaList } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

type ListCourse = Course<ProblemInList>;
type ListModule = ListCourse['modules'][number];
type Shown = ListModule & { progress: ModuleProgress };

export interface CourseParts {
  /** For the head of the page. */
  facts: Html;
  main: Html;
  side: Html | undefined;
}

/** `path` is the page's own; `?module=NUMBER` opens another module than the one that is now. */
export async function courseParts(
  visit: MemberVisit,
  course: ListCourse,
  listId: bigint,
  path: string,
): Promise<CourseParts> {
  const { store, member, site, query } = visit;
  const all = await readProgress(store.reader, course, member.user_id, listId);
  const modules = course.modules.map((module, index): Shown => {
    return Object.assign({ progress: all[index] as ModuleProgress }, module);
  });
  const inState = (...states: ModuleState[]) => modules.filter(({ progress }) => states.includes(progress.state));
  const [now] = inState('now');
  const chosen = modules.find(({ number }) => String(number) === query.get('module'));
  const open = chosen ?? now;
  const shown = open && (await openModule(visit, open, chosen ? `${path}?module=${chosen.number}` : path));
  const lines = (some: readonly Shown[]) => moduleLists(some, modules, site.basePath + path);
  const [next, later, done, shaky] = [inState('next'), inState('later'), inState('done', 'shaky'), inState('shaky')];
  const main = html`
    ${course.faults.slice(0, faultsAtMost).map(faultNotice)}
    ${!now && !chosen && notice('good', words('course.allDone'))}
    ${shown}
    ${shaky.map((module) => shakyPanel(module, site.basePath))}
    ${now && open !== now && panel({ id: 'at', heading: words('course.state.now') }, lines([now]))}
    ${next.length > 0 && panel({ id: 'next', heading: words('course.state.next') }, lines(next))}
    ${
      later.length > 0 &&
      panel(
        { id: 'later', heading: words('course.state.later'), beside: html`<p>${words('course.nothingLocked')}</p>` },
        lines(later),
      )
    }
    ${
      done.length > 0 &&
      collapsiblePanel(
        html`<h2>${words('course.state.done')}</h2><span class="soft">${done
          .slice(0, namesAtMost)
          .map(({ name }) => name)
          .join(' · ')}</span>`,
        lines(done),
        { className: 'fold' },
      )
    }`;
  const facts = html`
    <span>${words('course.modules', { count: modules.length })}</span>
    <span>${words('course.doneCount', { done: done.length, shaky: shaky.length })}</span>`;
  return { facts, main, side: wayPanel(modules, course.isInOrder) };
}

/** Such as “Module 1: Basics”, and no name such as “2-SAT”. */
const isNumbered = (name: string, number: number) =>
  Number(/^(?:\p{L}+\s*)?(\d+)(?=\s*[.:)–]|\s|$)/u.exec(name)?.[1]) === number;

const faultNotice = ({ kind, module, need }: ListCourse['faults'][number]) =>
  notice('warn', words(`course.fault.${kind}`, { module, need }));

const faultsAtMost = 5;
const namesAtMost = 8;

async function openModule(
  { store, member, site, antiForgery }: MemberVisit,
  { name, number, problems, about, resources, progress }: Shown,
  from: string,
): Promise<Html> {
  const { state, target, editorial } = progress;
  const ids = problems.map(({ id }) => id);
  const marks = await findMarks(store.reader, member.user_id, ids);
  const forms = { site, antiForgery, from };
  const unsolved = problems.filter(({ id }) => shownState(marks(id)) !== 'complete');
  const openLabel = (title: string) => html`
    ${icon('out')}<span>${words('rounds.open')}<span class="sr">${afterColon(title)}</span></span>`;
  const buttons = (problem: ProblemInList) => html`
    <div class="actions">
      ${startTimerForm(forms, problem, problemPath(problem.id))}
      ${webLink(problem.url, openLabel(problem.title), problem === unsolved[0] ? 'button primary' : 'button')}
    </div>`;
  const row = (problem: ProblemInList) => html`
    <li class="work" data-problem="${problem.id}">
      ${statusControl(forms, problem.id, problem.title, marks(problem.id))}
      <div>
        <p>${problemLink(site.basePath, problem)}</p>
        <p class="facts small soft">
          ${judgeKey(problem)}
          ${editorial.includes(problem.id) && html`<span>${words('course.editorial')}</span>`}
          ${problem.memo && html`<span><bdi>${problem.memo}</bdi></span>`}
        </p>
      </div>
      ${unsolved.includes(problem) && buttons(problem)}
    </li>`;
  const rule =
    target === problems.length
      ? words('course.ruleAll', { count: target })
      : words('course.ruleAny', { target, count: problems.length });
  const links = html`${resources.map(
    ({ url, title }, index) => html`${index > 0 ? ' · ' : ''}${webLink(url, html`<bdi>${title}</bdi>`)}`,
  )}`;
  const ownNumber = isNumbered(name, number) ? '' : `${number}. `;
  return panel(
    {
      id: 'now',
      heading: html`<span class="soft">${words(`course.state.${state}`)}</span> ${ownNumber}<bdi>${name}</bdi>`,
      beside: solvedOf(progress),
      className: 'course-now',
      total: problems.length,
    },
    html`
      <p class="soft">${problems.length === 0 ? words('course.noProblems') : rule}</p>
      ${about && html`<p><bdi>${about}</bdi></p>`}
      ${problems.length > 0 && html`<ul class="work-list">${problems.map(row)}</ul>`}
      ${resources.length > 0 && html`<p class="reading-line">${richWords('course.reading', { links })}</p>`}`,
  );
}

const solvedOf = ({ solved, target }: ModuleProgress) =>
  target > 0 &&
  html`<p class="num">${words('lists.ofProblems', { solved: Math.min(solved, target), problems: target })}</p>`;

function shakyPanel({ name, problems, progress }: Shown, basePath: string): Html {
  const { failed } = progress;
  const problem = problems.find(({ id }) => id === failed?.problem);
  if (!failed || !problem) return html``;
  return unheadedPanel(
    { label: words('course.isShaky', { module: name }), className: 'again' },
    html`
      <h2>${icon('warn')}<bdi>${words('course.isShaky', { module: name })}</bdi></h2>
      <p>${richWords('course.couldNot', { problem: problemLink(basePath, problem), day: moment(failed.at) })}</p>
      ${linkButton(basePath + problemPath(problem.id), words('course.review'), { symbol: 'sync' })}`,
  );
}

const linesAtMost = 12;

/** A long list is folded behind its first lines. */
function moduleLists(some: readonly Shown[], modules: readonly Shown[], href: string): Html {
  const line = ({ name, number, needed, progress }: Shown) => {
    const needs = needed.flatMap((one) => {
      const { name: module = '', progress: { state } = {} } = modules[one - 1] ?? {};
      return state === 'shaky' ? words('course.shakyNeed', { module }) : module;
    });
    return html`
      <li class="module" data-at="${progress.state}">
        <b class="no">${!isNumbered(name, number) && number}</b>
        <div>
          <h3><a href="${href}?module=${number}"><bdi>${name}</bdi></a></h3>
          ${needs.length > 0 && html`<p class="soft">${words('course.needs', { modules: commaList(needs) })}</p>`}
        </div>
        ${solvedOf(progress)}
      </li>`;
  };
  const rest = some.slice(linesAtMost);
  return html`
    <ol class="modules">${some.slice(0, linesAtMost).map(line)}</ol>
    ${
      rest.length > 0 &&
      html`
        <details class="more-modules">
          <summary>${words('bulk.more', { count: rest.length })}</summary>
          <ol class="modules">${rest.map(line)}</ol>
        </details>`
    }`;
}

const drawnAtMost = 60;
const columns = 3;
const [boxWidth, boxHeight, columnStep, rowStep] = [98, 34, 110, 60];

/** The picture says what the column says. A long course, or one in the order of its modules, has none. */
function wayPanel(modules: readonly Shown[], isInOrder: boolean): Html | undefined {
  if (isInOrder || modules.length > drawnAtMost) return undefined;
  const layers = Map.groupBy(
    modules.toSorted((one, other) => one.layer - other.layer),
    ({ layer }) => layer,
  );
  const places = new Map<number, { x: number; y: number }>();
  let row = 0;
  for (const layer of layers.values()) {
    for (const [index, { number }] of layer.entries())
      places.set(number, {
        x: 1 + (index % columns) * columnStep,
        y: 2 + (row + Math.floor(index / columns)) * rowStep,
      });
    row += Math.ceil(layer.length / columns);
  }
  const placeOf = (number: number) => places.get(number) ?? { x: 0, y: 0 };
  const half = boxWidth / 2;
  const edges = modules.flatMap(({ number, needed }) =>
    needed.map((one) => {
      const [from, to] = [placeOf(one), placeOf(number)];
      const [x1, y1, x2, y2] = [from.x + half, from.y + boxHeight, to.x + half, to.y];
      return svg`<path class="edge" d="M${x1} ${y1}C${x1} ${y1 + 16} ${x2} ${y2 - 16} ${x2} ${y2}"/>`;
    }),
  );
  const nodes = modules.map(({ name, number, progress }) => {
    const { x, y } = placeOf(number);
    const lines = linesOf(name);
    const text = (line: string, index: number) =>
      svg`<text x="${x + half}" y="${y + (lines.length === 1 ? 21 : 15 + index * 12)}">${line}</text>`;
    return svg`
      <g data-at="${progress.state}">
        <rect x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6"/>${lines.map(text)}
      </g>`;
  });
  const legend = (['done', 'shaky', 'now', 'next', 'later'] as const).map(
    (state) => html`<span><i data-at="${state}"></i>${words(`course.state.${state}`)}</span>`,
  );
  return slimPanel(
    words('course.way'),
    html`
      <svg class="course-graph" viewBox="0 0 320 ${row * rowStep}" aria-hidden="true" focusable="false">
        ${edges}${nodes}
      </svg>
      <p class="legend course-legend" aria-hidden="true">${legend}</p>`,
  );
}

const lineAtMost = 16;

/** At most two lines; letters of Chinese and Japanese are twice as wide. */
function linesOf(name: string): string[] {
  const widthOf = (text: string) => [...text].reduce((sum, one) => sum + (one > '\u2e80' ? 2 : 1), 0);
  const cut = (text: string) => {
    let line = text;
    while (widthOf(line) > lineAtMost) line = [...line].slice(0, -1).join('');
    return line === text ? text : `${line.slice(0, -1).trimEnd()}…`;
  };
  if (widthOf(name) <= lineAtMost) return [name];
  const space = name.slice(0, lineAtMost + 1).lastIndexOf(' ');
  return space < 0 ? [cut(name)] : [cut(name.slice(0, space)), cut(name.slice(space + 1))];
}
