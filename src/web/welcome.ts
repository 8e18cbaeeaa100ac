/** The door: what this garden is, for people who are not signed in. */
import { html } from 'hono/html';
import { frame } from './frame.ts';
import { type IconName, icon, spot } from './icons.ts';
import type { Html } from './layout.ts';
import type { PageRoute, Visit } from './visits.ts';

export const welcomePage: PageRoute = {
  path: '/',
  show: async (visit) => (visit.member ? { to: '/problem_list/' } : { html: welcome(visit) }),
};

const reasons: readonly (readonly [IconName, string, string])[] = [
  [
    'list',
    'One list for every judge',
    'Codeforces, AtCoder, CSES and your own lists side by side: by status, topic and rating.',
  ],
  [
    'undo',
    'Every change has a way back',
    'What you solved, what you tried and how it went, with a history that can be undone.',
  ],
  [
    'lock',
    'Yours alone',
    'Your club hosts it, nothing is sent elsewhere, and your notes are shown to nobody but you.',
  ],
];

function welcome(visit: Visit): Html {
  const { basePath } = visit.site;
  const card = (path: string, name: string, text: string) =>
    html`<li><a class="panel" href="${basePath}${path}"><b>${name}</b><span>${text}</span></a></li>`;
  return frame(
    visit,
    { title: 'Welcome', kind: 'p-welcome', isPlain: true },
    html`<div class="hero">${spot('seedlings')}<h1>Practice Garden</h1>
<p class="lead">A practice tracker for competitive programmers: problems from many judges, how far you are with each, and
a garden of goals that grows with what you solve.</p>
<div class="actions"><a class="button primary" href="${basePath}/authentication/sign-in/">Sign in</a></div>
<p class="faint small">No account? Staff of this garden can invite you.</p></div>
<ul class="reasons">${reasons.map(([name, head, text]) => html`<li>${icon(name)}<div><h2>${head}</h2><p class="soft">${text}</p></div></li>`)}</ul>
<section class="for-programs"><h2>For programs</h2>
<p class="soft">Editors, bots and scripts read this garden through nine HTTP operations:
<a href="${basePath}/openapi.json">openapi.json</a>, <a href="${basePath}/openapi.yaml">openapi.yaml</a>,
<a href="${basePath}/llms.txt">llms.txt</a>.</p>
<ul class="cards">
${card('/docs/', 'Try it', 'Send requests from the browser, with a token of yours.')}
${card('/docs/reference/', 'Reference', 'Every operation, with samples in curl, JavaScript and Python.')}
${card('/docs/api/', 'Guide', 'Ids, pages, order, filters, formats and limits.')}
${card('/docs/cli/', 'Command line', 'Import, export, members, tokens and backups.')}
</ul></section>`,
  );
}
