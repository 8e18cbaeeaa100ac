/** The page that a browser gets in place of the Error body, for a path outside the nine operations. */
import type { IncomingHttpHeaders } from 'node:http';
import { html } from 'hono/html';
import { errors } from '../errors.ts';
import { footerLinks, plainHeader } from './frame.ts';
import { icon, spot } from './icons.ts';
import type { Html, Site } from './layout.ts';
import { page } from './page.ts';

export interface Refusal {
  status: number;
  /** The number of the error. */
  error: number;
  message: string;
  requestId: string;
  /** The headers of the request, which say the address that the browser opened. */
  headers: IncomingHttpHeaders;
}

export function refusalPage(site: Site, refusal: Refusal): Html {
  const { status, error } = refusal;
  const title = titleOf(refusal);
  const head = html`<p class="code">${status}</p><h1>${title}</h1>`;
  const content =
    error === errors.foreignForm.number
      ? foreignForm(site, head, refusal)
      : html`<div class="empty bare">${spot(status < 500 ? 'gate' : 'bed')}${head}
<p class="soft">${error === errors.unknownPath.number ? 'It may have moved, or it may be something that you may not see. We don’t say which.' : refusal.message}</p>
${status === 404 ? findForm(site) : ''}${ways(site)}${requestLine(refusal)}</div>`;
  const header = plainHeader(site.basePath);
  return page(site, { title, kind: 'p-entry', header, footer: footerLinks }, content);
}

function titleOf({ status, error }: Refusal): string {
  if (error === errors.foreignForm.number) return 'This form was not accepted';
  if (status === 404) return 'There is nothing at this address';
  if (status === 405) return 'This address takes no such request';
  return status < 500 ? 'This request was refused' : 'This garden cannot answer now';
}

/** Names both addresses, because a wrong setting is the usual reason and locks everybody out. */
function foreignForm({ basePath, baseUrl }: Site, head: Html, { headers, requestId }: Refusal): Html {
  const { origin: set, protocol } = new URL(baseUrl);
  // A browser that hides where it came from says "null".
  const opened = /^https?:/.test(headers.origin ?? '')
    ? headers.origin
    : `${protocol}//${headers.host?.slice(0, 200)}`;
  const differs = opened !== set;
  return html`<div class="card broad">${head}
<p>${differs ? 'It came from an address that this garden does not know as its own.' : 'The page with the form is too old, or the browser keeps no cookies.'} Nothing was changed. Go back, load the page again, and send the form once more.</p>
<dl class="compare"><div><dt>Your browser opened</dt><dd><code>${opened}</code></dd></div><div><dt>The garden is set to</dt><dd><code>${set}</code></dd></div></dl>
${differs ? forStaff(`${opened}${basePath}`, basePath) : ''}
<div class="actions"><a class="button primary" href="${basePath}/">Open the garden</a></div>
<p class="faint small">Request <code>${requestId}</code></p></div>`;
}

function forStaff(address: string, basePath: string): Html {
  return html`<h2>If you are a member</h2><p class="soft">Show this page to the people who run the garden. You did nothing wrong, and reading works as before.</p>
<h2>If you run it</h2><p class="soft">Set the base address to the one that members type, then start the garden again:</p>
<pre tabindex="0"><code>BASE_URL=${address}</code></pre>
<p class="soft">Behind a proxy, it must pass <code>Host</code> on. <a href="${basePath}/docs/config/">All settings</a></p>`;
}

function findForm({ basePath }: Site): Html {
  return html`<form class="find" role="search" aria-label="By title, key or link" action="${basePath}/problem_list/"><label class="field-search"><span class="sr">Find a problem</span>${icon('search')}<input type="search" name="q" placeholder="Title, key or link"></label><button class="button primary">Find</button></form>`;
}

function ways({ basePath }: Site): Html {
  const links = [
    ['/', 'Home'],
    ['/problem_list/', 'Problems'],
    ['/docs/', 'Interface'],
  ];
  return html`<ul class="ways">${links.map(([path, name]) => html`<li><a href="${basePath}${path}">${name}</a></li>`)}</ul>`;
}

function requestLine({ requestId }: Refusal): Html {
  return html`<p class="faint small">Request <code>${requestId}</code></p>`;
}
