/** The frame around every page: head, navigation, footer. Light and dark, usable from 320 px up; nothing stands inline. */
import { html, raw } from 'hono/html';
import { type AssetName, assetPaths } from './assets.ts';

export type Html = ReturnType<typeof html>;

/** Where this garden is served: the configured base address, without a trailing slash, and its path. */
export interface Site {
  baseUrl: string;
  basePath: string;
}

/** No page loads anything from elsewhere, and none but the interactive reference runs a script. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const navigation = [
  ['/docs/', 'Try it'],
  ['/docs/reference/', 'Reference'],
  ['/docs/api/', 'Guide'],
  ['/docs/errors/', 'Errors'],
  ['/docs/cli/', 'Command line'],
  ['/docs/config/', 'Settings'],
] as const;

const machineReadable = ['/openapi.json', '/openapi.yaml', '/llms.txt', '/docs/api.md'];

/** The page at this path. The interactive one has a tool that brings styles, scripts and the main landmark. */
export function page(
  { basePath }: Site,
  { title, path, isInteractive = false }: { title: string; path: string; isInteractive?: boolean },
  content: Html,
): Html {
  const asset = (name: AssetName) => basePath + assetPaths[name];
  const style = (name: AssetName) => html`<link rel="stylesheet" href="${asset(name)}">\n`;
  const script = (name: AssetName) => html`<script src="${asset(name)}" defer></script>\n`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Practice Garden</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
${isInteractive ? [style('swagger-ui.css'), style('try.css')] : ''}${style('site.css')}<link rel="service-desc" href="${basePath}/openapi.json" type="application/json">
${isInteractive ? [script('swagger-ui-bundle.js'), script('try.js')] : ''}</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="site-header"><nav aria-label="Site">
<a class="brand" href="${basePath}/"><img src="${asset('icon.svg')}" alt="">Practice Garden</a>
${navigation.map(([target, name]) => html`<a href="${basePath}${target}"${target === path ? raw(' aria-current="page"') : ''}>${name}</a>\n`)}
</nav></header>
${isInteractive ? html`<div class="content" id="content">${content}</div>` : html`<main class="content" id="content">${content}</main>`}
<footer class="site-footer"><ul>
${machineReadable.map((target) => html`<li><a href="${basePath}${target}">${target.slice(1)}</a></li>`)}
</ul></footer>
</body>
</html>
`;
}
