/** The judges: what this garden has of each, when its files were imported last, and where they come from. */
import { html } from 'hono/html';
import { needsMember } from '../../importing/resources.ts';
import { uploadKinds } from '../../importing/uploads/kinds.ts';
import type { Judge } from '../../judges/judge.ts';
import { type JudgeImport, judges } from '../../judges/judges.ts';
import { countBySource, listImports } from '../../store/imports.ts';
import type { Html } from '../layout.ts';
import { thousands } from '../parts.ts';
import type { Answer, MemberVisit, PageRoute } from '../visits.ts';
import { importsPath } from './imports.ts';
import { panel, staffFrame, staffPath, time } from './parts.ts';

export const judgesPage: PageRoute<MemberVisit> = { path: `${staffPath}judges/`, isSecret: true, show };

type Import = Awaited<ReturnType<typeof listImports>>[number];

async function show(visit: MemberVisit): Promise<Answer> {
  const { store } = visit;
  const { reader } = store;
  const problems = await countBySource(reader, 'problems');
  const contests = await countBySource(reader, 'contests');
  const imports = new Map((await listImports(reader)).map((one) => [one.what, one]));
  const upload = visit.site.basePath + importsPath;
  const fact = (name: string, count: bigint | undefined) =>
    html`<div><dt>${name}</dt><dd>${thousands.format(count ?? 0n)}</dd></div>`;
  const judgePanel = ([source, { name, files }]: [string, Judge]) => {
    const rows = Object.entries(files).map(([end, file]) => {
      const what = `${source}-${end}` as JudgeImport;
      const title = uploadKinds.find((kind) => kind.what === what)?.title;
      return html`<li class="file" data-file="${what}"><div><h3>${title}</h3><p class="soft small">${needsMember(what) ? 'Each member’s own.' : lastImport(imports.get(what))}</p><p class="faint small">From ${origin(file.from)}</p></div><div class="actions"><a class="button small" href="${upload}?what=${what}">Upload<span class="sr"> ${title}</span></a></div></li>`;
    });
    return panel(
      source,
      name,
      html`<dl class="facts-line" data-judge="${source}">${fact('Problems', problems.get(source))}${fact('Contests', contests.get(source))}</dl><ul class="files">${rows}</ul>`,
    );
  };
  return {
    html: staffFrame(
      visit,
      {
        title: 'Judges',
        room: 'judges/',
        sub: 'What this garden has of each judge. Save a file in your browser, then upload it.',
      },
      html`${Object.entries<Judge>(judges).map(judgePanel)}`,
    ),
  };
}

function lastImport(done: Import | undefined): Html | string {
  if (!done) return 'Never imported.';
  const { made_at, user_id, username, added, changed } = done;
  const by = user_id === null ? 'by command' : html`by <bdi>${username ?? 'a member who is gone'}</bdi>`;
  return html`Imported ${time(made_at)} ${by}: ${thousands.format(added)} new, ${thousands.format(changed)} changed.`;
}

/** An address to open, unless a name in it is to be filled in first. */
function origin(from: string): Html {
  if (!from.startsWith('https:')) return html`${from}`;
  return /[A-Z]{4,}/.test(from)
    ? html`<code>${from}</code>`
    : html`<a href="${from}" rel="noreferrer">${from}</a>`;
}
