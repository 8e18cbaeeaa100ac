/** The page that a browser gets in place of the Error body, for a path outside the nine operations. */
import { html } from 'hono/html';
import { type Html, page, type Site } from './layout.ts';

export function refusalPage(site: Site, status: number, message: string, requestId: string): Html {
  const { basePath } = site;
  const title = titleOf(status);
  return page(
    site,
    { title, path: '' },
    html`<div class="refusal">
<p class="status">${status}</p>
<h1>${title}</h1>
<p>${message}</p>
<p><a href="${basePath}/">Home</a> · <a href="${basePath}/docs/reference/">Reference</a> · <a href="${basePath}/docs/api/">Guide</a></p>
<p class="request">Request <code>${requestId}</code></p>
</div>`,
  );
}

function titleOf(status: number): string {
  if (status === 404) return 'There is nothing at this address';
  if (status === 405) return 'This address takes no such request';
  return status < 500 ? 'This request was refused' : 'This garden cannot answer now';
}
