/**
 * Files for installing the website as an app: its manifest, its search for the browser's search bar, and the service
 * worker with the offline page that it stores. All are in the language of the reader.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AssetName, assetPaths } from '../../kit/assets.ts';
import { headerColours } from '../../kit/theme.ts';
import { attr, type Html, html } from '../../markup.ts';
import { manifestPath, newProblemPath, offlinePath, openSearchPath, problemsPath, reviewPath } from '../../paths.ts';
import type { Site } from '../../request/site.ts';
import type { StaticRoute } from '../../request/static-routes.ts';
import { currentViewer } from '../../words/viewer.ts';
import { words } from '../../words/words.ts';

const workerFile = join(import.meta.dirname, '..', '..', 'assets', 'service-worker.js');

export function webAppFiles(site: Site): StaticRoute[] {
  const { basePath } = site;
  const files: StaticRoute[] = [
    [
      manifestPath,
      { type: 'application/manifest+json; charset=utf-8', read: async () => JSON.stringify(manifest(basePath)) },
    ],
    [
      openSearchPath,
      {
        type: 'application/opensearchdescription+xml; charset=utf-8',
        read: async () => `<?xml version="1.0" encoding="UTF-8"?>\n${openSearch(site)}`,
      },
    ],
    [
      offlinePath,
      {
        type: 'text/html; charset=utf-8',
        contentSecurityPolicy:
          `default-src 'none'; style-src 'sha256-${hash('sha256', offlineStyle, 'base64')}'; base-uri 'none'; ` +
          `form-action 'none'; frame-ancestors 'none'`,
        read: async () => String(offlinePage()),
      },
    ],
    [
      '/service-worker.js',
      {
        type: 'text/javascript; charset=utf-8',
        contentSecurityPolicy: "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
        // The hash makes the browser install a new worker, which stores the offline page again when it has changed.
        read: async () => `${await readFile(workerFile, 'utf8')}// ${hash('sha256', String(offlinePage()))}\n`,
      },
    ],
  ];
  return files.map(([path, file]) => [path, { ...file, variesByViewer: true }]);
}

/** Web Application Manifest (W3C). Android sends a shared address as `text`. */
function manifest(basePath: string) {
  const icon = (name: AssetName, sizes: string, purpose = 'any') => ({
    src: basePath + assetPaths[name],
    sizes,
    type: 'image/png',
    purpose,
  });
  const shortcut = (name: string, path: string) => ({ name, url: basePath + path });
  return {
    id: `${basePath}/`,
    name: words('page.name'),
    short_name: words('page.shortName'),
    description: words('welcome.lead'),
    lang: currentViewer().language.tag,
    dir: 'auto',
    start_url: `${basePath}/dashboard/`,
    scope: `${basePath}/`,
    display: 'standalone',
    background_color: headerColours.light,
    theme_color: headerColours.light,
    icons: [
      icon('icon-192.png', '192x192'),
      icon('icon-512.png', '512x512'),
      icon('icon-maskable-512.png', '512x512', 'maskable'),
    ],
    shortcuts: [
      shortcut(words('frame.today'), '/dashboard/'),
      shortcut(words('frame.problems'), problemsPath),
      shortcut(words('review.title'), reviewPath),
      shortcut(words('add.title'), newProblemPath),
    ],
    share_target: {
      action: basePath + newProblemPath,
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { url: 'url', text: 'text', title: 'title' },
    },
  };
}

/** OpenSearch 1.1 */
function openSearch({ baseUrl }: Site): Html {
  const type = 'application/opensearchdescription+xml';
  return html`
    <OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
      <ShortName>${words('page.name')}</ShortName>
      <Description>${words('frame.findProblem')}</Description>
      <Language>${currentViewer().language.tag}</Language>
      <Image width="16" height="16" type="image/svg+xml">${baseUrl}${assetPaths['icon.svg']}</Image>
      <Url type="text/html" method="get" template="${baseUrl}${problemsPath}?q={searchTerms}"/>
      <Url type="${type}" rel="self" template="${baseUrl}${openSearchPath}"/>
    </OpenSearchDescription>`;
}

const offlineStyle =
  ':root{color-scheme:light dark}[data-theme=light]{color-scheme:light}[data-theme=dark]{color-scheme:dark}' +
  ':root{font:1rem/1.5 system-ui,sans-serif;background:light-dark(#fafbf8,#0f1412);color:light-dark(#17201a,#e6ede7)}' +
  'body{min-height:90vh;margin:0 auto;padding:0 1.5rem;max-width:26rem;display:grid;align-content:center}' +
  'h1{font-size:1.625rem;line-height:1.25;margin:0}p{margin:1rem 0 0}a{display:inline-block;padding:.6rem 1rem;' +
  'border-radius:.375rem;text-decoration:none;background:light-dark(#1a662f,#7fd795);color:light-dark(#fff,#06220f)}';

/** The page loads no files. Its link requests the address that could not be reached again. */
function offlinePage(): Html {
  const { language, theme } = currentViewer();
  return html`
    <!doctype html>
    <html lang="${language.tag}"${attr('data-theme', theme)}>
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="${theme ?? 'light dark'}">
        <meta name="robots" content="noindex">
        <title>${words('page.titleOf', { title: words('offline.title') })}</title>
        <style>${offlineStyle}</style>
      </head>
      <body>
        <main>
          <h1>${words('offline.title')}</h1>
          <p>${words('offline.text')}</p>
          <p>${words('offline.saving')}</p>
          <p><a href="">${words('offline.again')}</a></p>
        </main>
      </body>
    </html>`;
}
