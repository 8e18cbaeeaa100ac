/**
 * The first page of staff with counts, failed checks and the last entries of the log; and the page of health with all
 * checks of /readyz and `garden doctor`.
 */

import { countOverview, type Finding } from '../../../store/overview.ts';
import { readCatalogue } from '../../../store/problems.ts';
import { listStaffActions } from '../../../store/staff-log.ts';
import { actions } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { countLink, linkButton } from '../../kit/links.ts';
import { listPanel, panel } from '../../kit/panel.ts';
import { html } from '../../markup.ts';
import { importsPath, staffPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { staffPage } from './frame.ts';
import { deedTable } from './log.ts';

export const overviewPage: PageRoute<MemberVisit> = { path: staffPath, isUncached: true, get: show };

const deedsShown = 5;

async function show(visit: MemberVisit): Promise<PageResult> {
  const { store, site, website } = visit;
  const staffAddress = site.basePath + staffPath;
  const { members, problems, tokens } = await countOverview(store.reader);
  const { total } = await readCatalogue(store.reader);
  const findings = await website.examine(visit.host);
  const faults = findings.filter(({ result }) => result !== 'good');
  const deeds = await listStaffActions(store.reader, deedsShown);
  const health =
    faults.length === 0
      ? html`
        <p class="health" data-health="ok">
          ${icon('check')}
          <span>${richWords('staff.allWell', { count: findings.length })}</span>
        </p>`
      : html`${faults.map(
          ({ check, result, detail }) =>
            html`
              <p class="health" data-health="${result === 'bad' ? 'bad' : 'late'}">
                ${icon('warn')}
                <span lang="en"><b>${check}.</b> ${detail}</span>
              </p>`,
        )}`;
  const log =
    deeds.length === 0
      ? html`<p class="soft">${words('staff.nothingYet')}</p>`
      : deedTable(words('staff.lastDone'), deeds, site.basePath);
  const toImports = { symbol: 'upload', kind: 'primary' } as const;
  const allChecks = html`<a href="${staffAddress}health/">${words('staff.allChecks')}</a>`;
  const wholeLog = html`<a href="${staffAddress}log/">${words('staff.wholeLog')}</a>`;
  return staffPage(
    visit,
    { section: '', sub: words('staff.youLookAfter') },
    html`
      ${panel(
        { id: 'counts', heading: words('staff.whatIsHere') },
        html`
          <dl class="facts-line">
            <div>
              <dt>${words('staff.members')}</dt>
              <dd>${countLink(members, `${staffAddress}members/`)}</dd>
            </div>
            <div>
              <dt>${words('frame.problems')}</dt>
              <dd>${countLink(total, `${site.basePath}/problem_list/`)}</dd>
            </div>
            <div><dt>${words('staff.workingTokens')}</dt><dd>${thousands.format(tokens)}</dd></div>
          </dl>
          ${
            problems === 0n && actions(linkButton(site.basePath + importsPath, words('problems.toImports'), toImports))
          }`,
      )}
      ${panel({ id: 'health', heading: words('staff.health'), beside: allChecks }, health)}
      ${panel({ id: 'latest', heading: words('staff.latest'), beside: deeds.length === 0 ? '' : wholeLog }, log)}`,
  );
}

export const healthPage: PageRoute<MemberVisit> = { path: `${staffPath}health/`, isUncached: true, get: showHealth };

/** The value of `data-health`, the icon and the word of each result. */
const resultParts = {
  good: ['ok', 'check', 'health.good'],
  warning: ['late', 'warn', 'health.warning'],
  bad: ['bad', 'warn', 'health.bad'],
} as const;

async function showHealth(visit: MemberVisit): Promise<PageResult> {
  const findings = await visit.website.examine(visit.host);
  const row = ({ check, result, detail }: Finding) => {
    const [state, symbol, word] = resultParts[result];
    return html`
      <li class="handle" data-check="${check}" data-result="${result}">
        <div class="handle-head">
          <h2 lang="en">${check}</h2>
          <span class="tag${result === 'good' && ' good'}">${words(word)}</span>
        </div>
        <p class="health" data-health="${state}">${icon(symbol)}<span lang="en">${detail}</span></p>
      </li>`;
  };
  const sub = richWords('health.sub');
  return staffPage(visit, { section: 'health/', sub }, listPanel({ className: 'handles' }, findings.map(row)));
}
