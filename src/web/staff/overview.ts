/** The first page of staff: how many members and problems there are, whether all is well, and what was done last. */
import { html } from 'hono/html';
import { listStaffDeeds } from '../../store/staff-log.ts';
import { summary } from '../../store/summary.ts';
import { icon } from '../icons.ts';
import { thousands } from '../parts.ts';
import type { Answer, MemberVisit, PageRoute } from '../visits.ts';
import { deedRow } from './log.ts';
import { panel, staffFrame, staffPath, table } from './parts.ts';

export const overviewPage: PageRoute<MemberVisit> = { path: staffPath, isSecret: true, show };

const shownDeeds = 5;

async function show(visit: MemberVisit): Promise<Answer> {
  const { store, site, website } = visit;
  const base = site.basePath + staffPath;
  const { members, problems, tokens } = await summary(store.reader);
  const findings = await website.examine();
  const faults = findings.filter(({ result }) => result !== 'good');
  const deeds = await listStaffDeeds(store.reader, undefined, shownDeeds);
  const health =
    faults.length === 0
      ? html`<p class="health" data-health="ok">${icon('check')}<span><b>All is well.</b> ${findings.length} checks, none with a fault.</span></p>`
      : html`${faults.map(({ check, result, detail }) => html`<p class="health" data-health="${result === 'bad' ? 'bad' : 'late'}">${icon('warn')}<span><b>${check}.</b> ${detail}</span></p>`)}`;
  const log =
    deeds.length === 0
      ? html`<p class="soft">Nothing yet. What staff do on these pages is written down here.</p>`
      : table(
          'What staff did last',
          ['When', 'Who', 'What'],
          deeds.map((deed) => deedRow(deed, site.basePath)),
        );
  return {
    html: staffFrame(
      visit,
      { title: 'Staff', room: '', sub: 'You look after this garden.' },
      html`${panel('counts', 'What is here', html`<dl class="facts-line"><div><dt>Members</dt><dd><a href="${base}members/" data-count="${members}">${thousands.format(members)}</a></dd></div><div><dt>Problems</dt><dd><a href="${site.basePath}/problem_list/">${thousands.format(problems)}</a></dd></div><div><dt>Working tokens</dt><dd>${thousands.format(tokens)}</dd></div></dl>`)}
${panel('health', 'Health', html`${health}<p><a href="${base}health/">All checks</a></p>`)}
${panel('latest', 'Latest acts', html`${log}${deeds.length === 0 ? '' : html`<p><a href="${base}log/">The whole log</a></p>`}`)}`,
    ),
  };
}
