/** The interactive reference: the page around Swagger UI, which assets/try.js starts. Without JavaScript it points at the plain one. */
import { html } from 'hono/html';
import { assetPath } from './assets.ts';
import { type Html, page, type Site } from './layout.ts';

/** Only our own scripts run, nothing inline, nothing evaluated; the tool's style sheet has its arrows as data: images. */
export const interactivePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

export function interactivePage(site: Site): Html {
  const { basePath } = site;
  return page(
    site,
    { title: 'Try it', path: '/docs/', isInteractive: true },
    html`<section aria-label="How to try">
<h1>Try the nine operations</h1>
<p class="lead">Press <strong>Authorize</strong>, paste a token (<code>garden token create</code> makes one), open an
operation and press <strong>Execute</strong>. The token stays in this page and goes to this garden only. The
<a href="${basePath}/docs/reference/">plain reference</a> says the same without JavaScript.</p>
<noscript><p><strong>This page needs JavaScript.</strong> Everything it says is in the
<a href="${basePath}/docs/reference/">plain reference</a>, with samples to copy.</p></noscript>
<h2>Operations</h2>
</section>
<div id="try" data-base="${basePath}"></div>
<section class="credits" aria-label="Credits"><p>Made with Swagger UI (<a href="${basePath}${assetPath('LICENSE.txt')}">Apache 2.0</a>,
<a href="${basePath}${assetPath('swagger-ui-bundle.js.LICENSE.txt')}">its parts</a>), served from here.</p></section>`,
  );
}
