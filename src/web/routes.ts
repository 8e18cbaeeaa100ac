/** The table of the website's routes. */

import type { FastifyInstance } from 'fastify';
import release from '../../package.json' with { type: 'json' };
import { openapiDocument } from '../contract/openapi.ts';
import { programDocument } from '../contract/programs/document.ts';
import { uploadService } from '../jobs/uploads.ts';
import { assets } from './kit/assets.ts';
import type { Html } from './markup.ts';
import { ownUploads } from './pages/account/data.ts';
import { historyPages } from './pages/account/history.ts';
import { accountPages } from './pages/account/routes.ts';
import { serveCalendars } from './pages/calendar/serving.ts';
import { contestPages } from './pages/contests/contests.ts';
import { upcomingPages } from './pages/contests/upcoming.ts';
import { interfaceOf, listDocumentFiles, listDocuments, llmsText } from './pages/docs/documents.ts';
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
import { oldQueuePages, problemViewPages } from './pages/problems/views.ts';
import { chancePages } from './pages/progress/chance.ts';
import { daysPages } from './pages/progress/days.ts';
import { progressPages } from './pages/progress/progress.ts';
import { ratingPages } from './pages/progress/ratings.ts';
import { timePages } from './pages/progress/time.ts';
import { roundPages } from './pages/rounds/routes.ts';
import { staffPages, staffUploads } from './pages/staff/routes.ts';
import { followPages } from './pages/today/following.ts';
import { dashboardPages } from './pages/today/today.ts';
import { uploadPages } from './pages/uploads/uploads.ts';
import { appearancePage, languagePage } from './pages/visitors/appearance.ts';
import { demoSignInPage, refuseForms } from './pages/visitors/demo.ts';
import { entryPages, ownGardenPage } from './pages/visitors/entry.ts';
import { openIdPage } from './pages/visitors/openid.ts';
import { webAppFiles } from './pages/visitors/web-app.ts';
import { welcomePage } from './pages/visitors/welcome.ts';
import { accountPath, referencePath } from './paths.ts';
import { serveWebsite } from './request/page-handler.ts';
import { pagePolicy, type Website } from './request/site.ts';
import { publish, type StaticResource, type StaticRoute } from './request/static-routes.ts';

const referencePolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; manifest-src 'self'; style-src 'self'; img-src 'self'; " +
  "form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; " +
  "frame-ancestors 'none'";

export const routes = {
  everyone: [
    welcomePage,
    ...entryPages,
    demoSignInPage,
    openIdPage,
    languagePage,
    appearancePage,
    groupJoinPage,
    ...sharedListPages,
    ...publicPages,
  ],
  member: [
    ...dashboardPages,
    ...followPages,
    ...progressPages,
    ...ratingPages,
    ...chancePages,
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
    ...oldQueuePages,
    ...historyPages,
    gardenPage,
    plantingPage,
    ...plantPages,
    ...accountPages,
    ...uploadPages(ownUploads),
    ownGardenPage,
  ],
  staff: [...staffPages, ...uploadPages(staffUploads)],
};

function demoRoutes(): typeof routes {
  const { everyone, member, staff } = routes;
  return { everyone: refuseForms(everyone), member: refuseForms(member), staff: refuseForms(staff) };
}

export interface PagesOptions extends Omit<Website, 'uploads'> {
  /** Uploaded files are stored beside the database. */
  databaseUrl: string;
  onFault(fault: string): void;
}

export function pages(app: FastifyInstance, options: PagesOptions): { end(): void } {
  const uploads = uploadService(options);
  const website: Website = { ...options, uploads };
  const { site } = website;
  const { baseUrl } = site;
  const documents = listDocuments(baseUrl, website.hasPrograms);
  const json = () => JSON.stringify(openapiDocument(baseUrl), null, 2);
  const server = `practice-garden/${release.version}`;
  const published: StaticRoute[] = [
    ['/docs/', { to: referencePath }],
    ['/.well-known/change-password', { to: `${accountPath}password/` }],
    ['/openapi.json', { server, type: 'application/json; charset=utf-8', read: async () => json() }],
    ['/openapi.yaml', { server, type: 'application/yaml; charset=utf-8', read: () => yamlOf(json()) }],
    ...(website.hasPrograms ? programDocuments(baseUrl, server) : []),
    ['/llms.txt', { type: 'text/plain; charset=utf-8', read: () => llmsText(site, documents) }],
    ...webAppFiles(site),
    ...listDocumentFiles(),
    ...assets,
  ];
  serveWebsite(app, website, website.isDemo ? demoRoutes() : routes);
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
    const policy = interfaceOf(document.pagePath) ? referencePolicy : pagePolicy;
    published.push([document.pagePath, pageOf(render, policy)]);
  }
  publish(app, site, published);
  return uploads;
}

function pageOf(render: () => Promise<Html>, contentSecurityPolicy: string): StaticResource {
  return {
    type: 'text/html; charset=utf-8',
    contentSecurityPolicy,
    variesByViewer: true,
    read: async () => String(await render()),
  };
}

function programDocuments(baseUrl: string, server: string): StaticRoute[] {
  const json = () => JSON.stringify(programDocument(baseUrl), null, 2);
  return [
    ['/practice/openapi.json', { server, type: 'application/json; charset=utf-8', read: async () => json() }],
    ['/practice/openapi.yaml', { server, type: 'application/yaml; charset=utf-8', read: () => yamlOf(json()) }],
  ];
}

async function yamlOf(json: string): Promise<string> {
  const { parse, stringify } = await import('yaml');
  // `intAsBigInt` keeps the digits of integers above 2^53.
  return stringify(parse(json, { intAsBigInt: true }), { aliasDuplicateObjects: false, lineWidth: 0 });
}
