/** The frame around every page: head, navigation, styles. Light and dark, usable from 320 px up, no script. */
import { html } from 'hono/html';

export type Html = ReturnType<typeof html>;

const styles = `
:root { color-scheme: light dark; --leaf: light-dark(#1d6b34, #7fd394); --line: light-dark(#d5ddd2, #38423a);
  --paper: light-dark(#fbfdf8, #14191a); --ink: light-dark(#1c241d, #e6ece4); --bed: light-dark(#eef4ea, #1e2622); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 1rem; }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; }
header .brand { font-weight: 700; text-decoration: none; }
a { color: var(--leaf); }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); padding-block: .5rem; }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--bed); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem; overflow-x: auto; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem 1rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
.method { font-weight: 700; color: var(--leaf); }
.skip { position: absolute; left: -999rem; } .skip:focus { left: 1rem; background: var(--paper); }
`;

/** No page loads anything from elsewhere, and none runs a script. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'same-origin',
};

export function page(basePath: string, title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Practice Garden</title>
<style>${styles}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header><nav aria-label="Site">
<a class="brand" href="${basePath}/">Practice Garden</a>
<a href="${basePath}/docs/">Reference</a>
<a href="${basePath}/openapi.json">openapi.json</a>
</nav></header>
<main id="content">${content}</main>
</body>
</html>`;
}
