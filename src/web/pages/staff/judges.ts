/** The judges: what this garden has of each, when its files were imported last, and where they come from. */

import { needsMember } from '../../../importing/resources.ts';
import { judgeOf } from '../../../judges/addresses.ts';
import type { Judge } from '../../../judges/judge.ts';
import { type JudgeImport, judges } from '../../../judges/judges.ts';
import { askCatalogueNow } from '../../../practice/ask-now.ts';
import { judgePlaces } from '../../../practice/judge-places.ts';
import { countBySource, listImports } from '../../../store/imports.ts';
import { judgeHealth } from '../../../sync/health.ts';
import type { Faults } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { panel } from '../../kit/panel.ts';
import { isSyncing, isWaiting, waitSeconds } from '../../kit/sync-health.ts';
import { titleOfUpload } from '../../kit/uploads/titles.ts';
import { type Html, html } from '../../markup.ts';
import { importsPath, staffPath } from '../../paths.ts';
import { field } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { act } from './acts.ts';
import { donePath, staffFrame, time } from './frame.ts';
import { placeForm, takePlace } from './judge-place.ts';
import { judgeSync } from './judge-sync.ts';

const judgesPath = `${staffPath}judges/`;

export const judgesPage: PageRoute<MemberVisit> = {
  path: judgesPath,
  isSecret: true,
  show: (visit) => show(visit),
  change,
};

type Import = Awaited<ReturnType<typeof listImports>>[number];

async function show(visit: MemberVisit, wrong?: { faults: Faults; source: string }): Promise<Answer> {
  const { store, website } = visit;
  const { reader } = store;
  const problems = await countBySource(reader, 'problems');
  const contests = await countBySource(reader, 'contests');
  const imports = new Map((await listImports(reader)).map((one) => [one.what, one]));
  const upload = visit.site.basePath + importsPath;
  const fact = (name: string, count: bigint | undefined) =>
    html`<div><dt>${name}</dt><dd>${thousands.format(count ?? 0n)}</dd></div>`;
  const healths = new Map((await judgeHealth(reader, new Date())).map((one) => [one.source, one]));
  const isOn = await isSyncing(visit);
  const places = await judgePlaces(reader, website.judgeUrls);
  const judgePanel = (entry: [string, Judge]) => {
    const [source, { name, files }] = entry;
    const rows = Object.entries(files).map(([end, file]) => {
      const what = `${source}-${end}` as JudgeImport;
      const title = titleOfUpload({ asked: JSON.stringify({ what }) });
      return html`
        <li class="file" data-file="${what}">
          <div>
            <h3>${title}</h3>
            <p class="soft small">${needsMember(what) ? words('judges.ownFiles') : lastImport(imports.get(what))}</p>
            <p class="faint small">${richWords('judges.from', { place: origin(file.from) })}</p>
          </div>
          <div class="actions">
            <a class="button small" href="${upload}?what=${what}">
              ${words('judges.upload')}
              <span class="sr"> ${title}</span>
            </a>
          </div>
        </li>`;
    });
    return panel(
      source,
      name,
      html`
        ${judgeSync(visit, entry, healths.get(source), isOn)}
        <dl class="facts-line" data-judge="${source}">
          ${fact(words('judges.problems'), problems.get(source))}
          ${fact(words('judges.contests'), contests.get(source))}
        </dl>
        ${placeForm(visit, entry, places.get(source), wrong?.source === source ? wrong.faults : {})}
        <ul class="files">${rows}</ul>`,
    );
  };
  const asked = healths.get(visit.query.get('waits') ?? '');
  const waits = isOn && asked !== undefined && isWaiting(asked);
  return {
    ...(waits && { refreshSeconds: waitSeconds }),
    html: staffFrame(
      visit,
      {
        title: words('staff.judges'),
        room: 'judges/',
        sub: words('judges.sub'),
      },
      html`
        ${
          waits
            ? html`
              <p class="notice" data-kind="good" role="status">
                ${icon('clock')}
                <span>${words('judges.asked')} ${words('sync.looksAgain')}</span>
              </p>`
            : ''
        }
        ${Object.entries<Judge>(judges).map(judgePanel)}`,
    ),
  };
}

/** Has the catalogue of a judge asked for, or sets which site is asked. */
async function change(visit: MemberVisit): Promise<Answer> {
  const { form } = visit;
  const placed = await takePlace(visit);
  if (placed)
    return 'faults' in placed
      ? ({ ...(await show(visit, placed)), status: 422 } as Answer)
      : { to: donePath(judgesPath, placed.done) };
  const source = field(form, 'source', 100);
  if (judgeOf(source)?.api)
    await act(visit, async (tx) => ({ what: 'judge-asked', result: await askCatalogueNow(tx, source) }));
  return { to: `${judgesPath}?waits=${encodeURIComponent(source)}` };
}

function lastImport(done: Import | undefined): Html | string {
  if (!done) return words('judges.never');
  const { made_at, user_id, username, added, changed } = done;
  const at = time(made_at);
  if (user_id === null) return richWords('judges.byCommand', { time: at, added, changed });
  const member = html`<bdi>${username ?? words('judges.gone')}</bdi>`;
  return richWords('judges.by', { time: at, added, changed, member });
}

/** An address to open, unless a name in it is to be filled in first. */
function origin(from: string | undefined): Html {
  if (from === undefined) return html`${words('judges.ownFile')}`;
  return /[A-Z]{4,}/.test(from) ? html`<code>${from}</code>` : html`<a href="${from}" rel="noreferrer">${from}</a>`;
}
