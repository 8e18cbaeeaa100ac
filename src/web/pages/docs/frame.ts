/**
 * What stands around the documents and the interactive reference. They are the same for every visitor, so they know
 * nobody.
 */

import type { AssetName } from '../../kit/assets.ts';
import { brand, here, page } from '../../kit/document.ts';
import { type Html, html } from '../../markup.ts';
import type { Site } from '../../road/site.ts';
import { words } from '../../words/words.ts';

const navigation = [
  ['/docs/', words('docs.try')],
  ['/docs/reference/', words('docs.reference')],
  ['/docs/api/', words('docs.guide')],
  ['/docs/errors/', words('docs.errors')],
  ['/docs/cli/', words('docs.commands')],
  ['/docs/config/', words('docs.settings')],
  ['/docs/members/', words('docs.members')],
  ['/docs/coaches/', words('docs.coaches')],
] as const;

const footer = ['/openapi.json', '/openapi.yaml', '/llms.txt', '/docs/api.md'].map(
  (path) => [path, path.slice(1)] as const,
);

/** The page at this path. A tool that runs in it brings styles, scripts and the main landmark. */
export function docsPage(
  site: Site,
  { title, path, tool }: { title: string; path: string; tool?: { styles: AssetName[]; scripts: AssetName[] } },
  content: Html,
): Html {
  const { basePath } = site;
  const header = html`
    <header class="top">
      <div class="top-in">
        ${brand(basePath)}
        <nav class="top-nav" aria-label="${words('docs.documents')}">
          ${navigation.map(([target, name]) => html`<a href="${basePath}${target}"${here(target, path)}>${name}</a>`)}
        </nav>
        <a class="button" href="${basePath}/">${words('docs.openGarden')}</a>
      </div>
    </header>`;
  return page(site, { title, kind: 'p-docs', header, footer, ...tool, hasOwnMain: tool !== undefined }, content);
}
