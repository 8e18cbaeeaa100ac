/**
 * The website: each path with its content, which is built at the first request, and the page around the interactive
 * reference.
 */

import type { FastifyInstance } from 'fastify';
import release from '../../package.json' with { type: 'json' };
import { openapiDocument } from '../contract/openapi.ts';
import { uploadDesk } from '../jobs/uploads.ts';
import { type AssetName, assetPaths, assets } from './kit/assets.ts';
import { type Html, html } from './markup.ts';
import { ownUploads } from './pages/account/data.ts';
import { historyPages } from './pages/account/history.ts';
import { accountPages } from './pages/account/routes.ts';
import { serveCalendars } from './pages/calendar/serving.ts';
import { contestPages } from './pages/contests/contests.ts';
import { upcomingPages } from './pages/contests/upcoming.ts';
import { docsPage, listDocuments, listPictures, llmsText } from './pages/docs/documents.ts';
import { appearancePage, languagePage } from './pages/doors/appearance.ts';
import { lookPage, unchanging } from './pages/doors/demo.ts';
import { entryPages, ownGardenPage } from './pages/doors/entry.ts';
import { openIdPage } from './pages/doors/openid.ts';
import { phoneFiles } from './pages/doors/phone.ts';
import { welcomePage } from './pages/doors/welcome.ts';
import { gardenPage } from './pages/garden/garden.ts';
import { plantPages } from './pages/garden/plant.ts';
import { plantingPage } from './pages/garden/planting.ts';
import { serveSharedPictures } from './pages/garden/shared-pictures.ts';
import { groupJoinPage } from './pages/groups/joining.ts';
import { groupPages } from './pages/groups/routes.ts';
import { serveInboxes } from './pages/inbox/serving.ts';
import { serveSharedLists } from './pages/lists/files.ts';
import { allListPages } from './pages/lists/index.ts';
import { sharedListPages } from './pages/lists/list.ts';
import { publicPages } from './pages/members/public.ts';
import { listAddPages } from './pages/problems/add-to-list.ts';
import { problemBulkPages } from './pages/problems/bulk.ts';
import { historyImportPages } from './pages/problems/import.ts';
import { problemListPages } from './pages/problems/list.ts';
import { newProblemPages } from './pages/problems/new.ts';
import { problemPages } from './pages/problems/problem.ts';
import { reviewPages } from './pages/problems/review.ts';
import { timerPages } from './pages/problems/timer.ts';
import { problemViewPages, queuePages } from './pages/problems/views.ts';
import { daysPages } from './pages/progress/days.ts';
import { progressPages } from './pages/progress/progress.ts';
import { ratingPages } from './pages/progress/ratings.ts';
import { timePages } from './pages/progress/time.ts';
import { roundPages } from './pages/rounds/routes.ts';
import { imports, staffPages } from './pages/staff/routes.ts';
import { dashboardPages } from './pages/today/today.ts';
import { uploadPages } from './pages/uploads/uploads.ts';
import { type Publication, type Published, publish } from './road/publish.ts';
import { serveWebsite } from './road/serving.ts';
import { pagePolicy, type Site, type Website } from './road/site.ts';
import { linkTo, richWords, words } from './words/words.ts';

/**
 * Only our own scripts run, nothing inline, nothing evaluated; the tool's style sheet has its arrows as data: images.
 */
const interactivePolicy =
  "default-src 'none'; script-src 'self'; manifest-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const toolAssets = {
  styles: ['swagger-ui.css', 'try.css'] satisfies AssetName[],
  scripts: ['swagger-ui-bundle.js', 'try.js'] satisfies AssetName[],
};

/** The pages that know who is signed in, by who may open them. */
export const routes = {
  everyone: [
    welcomePage,
    ...entryPages,
    lookPage,
    openIdPage,
    languagePage,
    appearancePage,
    groupJoinPage,
    ...sharedListPages,
    ...publicPages,
  ],
  member: [
    ...dashboardPages,
    ...progressPages,
    ...ratingPages,
    ...timePages,
    ...daysPages,
    ...groupPages,
    ...problemListPages,
    ...problemViewPages,
    ...problemBulkPages,
    ...allListPages,
    ...listAddPages,
    ...newProblemPages,
    ...historyImportPages,
    ...problemPages,
    ...timerPages,
    ...contestPages,
    ...roundPages,
    ...upcomingPages,
    ...reviewPages,
    ...queuePages,
    ...historyPages,
    gardenPage,
    plantingPage,
    ...plantPages,
    ...accountPages,
    ...uploadPages(ownUploads),
    ownGardenPage,
  ],
  staff: [...staffPages, ...uploadPages(imports)],
};

function routesOfDemo(): typeof routes {
  const { everyone, member, staff } = routes;
  return { everyone: unchanging(everyone), member: unchanging(member), staff: unchanging(staff) };
}

/** The parts of their server that the pages need. */
export interface PagesPlace extends Omit<Website, 'uploads'> {
  /** Uploaded files wait beside the database. */
  databaseUrl: string;
  /** Gets what failed behind the pages, for the log. */
  onFault(fault: string): void;
}

/** Serves all pages; the function that is answered ends what goes on behind them. */
export function pages(app: FastifyInstance, place: PagesPlace): { end(): void } {
  const uploads = uploadDesk(place);
  const website: Website = { ...place, uploads };
  const { site } = website;
  const { baseUrl } = site;
  const documents = listDocuments(baseUrl);
  const json = () => JSON.stringify(openapiDocument(baseUrl), null, 2);
  const server = `practice-garden/${release.version}`;
  const published: Publication[] = [
    ['/docs/', pageOf(async () => interactivePage(site), interactivePolicy)],
    ['/openapi.json', { server, type: 'application/json; charset=utf-8', read: async () => json() }],
    ['/openapi.yaml', { server, type: 'application/yaml; charset=utf-8', read: () => yamlOf(json()) }],
    ['/llms.txt', { type: 'text/plain; charset=utf-8', read: () => llmsText(site, documents) }],
    ...phoneFiles(site),
    ...listPictures(),
    ...assets,
  ];
  serveWebsite(app, website, website.isDemo ? routesOfDemo() : routes);
  serveSharedPictures(app, website);
  serveCalendars(app, website);
  serveSharedLists(app, website);
  if (!website.isDemo) serveInboxes(app, website);
  for (const document of documents) {
    const render = async () => {
      const { documentPage } = await import('./pages/docs/documents.ts');
      return documentPage(site, document, documents, await document.read());
    };
    published.push([document.markdownPath, { type: 'text/markdown; charset=utf-8', read: document.read }]);
    published.push([document.pagePath, pageOf(render)]);
  }
  publish(app, site, published);
  return uploads;
}

function pageOf(render: () => Promise<Html>, contentSecurityPolicy = pagePolicy): Published {
  return {
    type: 'text/html; charset=utf-8',
    contentSecurityPolicy,
    isForReader: true,
    read: async () => String(await render()),
  };
}

async function yamlOf(json: string): Promise<string> {
  const { parse, stringify } = await import('yaml');
  // JSON is YAML, whose parser keeps the digits of integers that no double holds.
  return stringify(parse(json, { intAsBigInt: true }), { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** The page around Swagger UI, which assets/try.js starts. Without JavaScript it points at the plain reference. */
function interactivePage(site: Site): Html {
  const { basePath } = site;
  const reference = linkTo(`${basePath}/docs/reference/`);
  const license = linkTo(basePath + assetPaths['LICENSE.txt']);
  const parts = linkTo(basePath + assetPaths['swagger-ui-bundle.js.LICENSE.txt']);
  return docsPage(
    site,
    { title: words('docs.try'), path: '/docs/', tool: toolAssets },
    html`
      <section class="prose" aria-label="${words('try.how')}">
        <h1>${words('try.heading')}</h1>
        <p class="lead">${richWords('try.lead', { reference })}</p>
        <noscript><p>${richWords('try.noScript', { reference })}</p></noscript>
        <h2>${words('try.operations')}</h2>
      </section>
      <div id="try" data-base="${basePath}"></div>
      <section class="credits" aria-label="${words('try.credits')}">
        <p>${richWords('try.madeWith', { license, parts })}</p>
      </section>`,
  );
}
