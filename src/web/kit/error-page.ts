/** The pages of errors, and of a one-time link that was used or has expired. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type ErrorName, errors } from '../../errors.ts';
import { isSignUpOpen } from '../../practice/joining.ts';
import { type Html, html } from '../markup.ts';
import { referencePath, signInPath, signUpPath } from '../paths.ts';
import type { Site } from '../request/site.ts';
import type { PageResult, Visit } from '../request/visits.ts';
import { linkTo, localizeText, type MessageKey, richWords, words } from '../words/words.ts';
import { actions, button } from './form.ts';
import { footerLinks, frame, page, plainHeader } from './frame.ts';
import { icon, illustration } from './icons.ts';
import { linkButton } from './links.ts';

export interface ErrorDetails {
  status: number;
  error: number;
  message: string;
  localized: AppError['localized'];
  requestId: string;
  headers: IncomingHttpHeaders;
}

export function errorPage(site: Site, refusal: ErrorDetails): Html {
  const { status, error } = refusal;
  const title = errorTitle(refusal);
  const head = html`<p class="code">${status}</p><h1>${title}</h1>`;
  const content =
    error === errors.foreignForm.number
      ? foreignForm(site, head, refusal)
      : html`
        <div class="empty bare">
          ${illustration(status < 500 ? 'gate' : 'bed')}
          ${head}
          <p class="soft">
            ${errorText(refusal)}
          </p>
          ${status === 404 && searchForm(site)}
          ${homeLinks(site)}
          ${requestLine(refusal.requestId)}
        </div>`;
  const header = plainHeader(site.basePath);
  return page(site, { title, kind: 'p-entry', header, footer: footerLinks() }, content);
}

/** Texts for errors whose own messages are for programs. */
const pageTexts: Readonly<Partial<Record<ErrorName, MessageKey>>> = {
  malformedRequest: 'refusal.of.request',
  badHost: 'refusal.of.request',
  expectationFailed: 'refusal.of.request',
  unsupportedHttpVersion: 'refusal.of.request',
  notAcceptable: 'refusal.of.request',
  malformedPath: 'refusal.of.address',
  malformedId: 'refusal.of.address',
  targetTooLong: 'refusal.of.address',
  headersTooLarge: 'refusal.of.headers',
  requestTimeout: 'refusal.of.timeout',
  wrongMethod: 'refusal.of.method',
  bodyTooLarge: 'refusal.of.size',
  tooManyRequests: 'refusal.of.rate',
  internal: 'refusal.of.fault',
  overloaded: 'refusal.of.busy',
  databaseBusy: 'refusal.of.busy',
  databaseReadOnly: 'refusal.of.database',
  databaseFull: 'refusal.of.database',
  databaseCorrupt: 'refusal.of.database',
  databaseNewer: 'refusal.of.database',
  databaseUnavailable: 'refusal.of.database',
  databaseOutdated: 'refusal.of.database',
  databaseTooOld: 'refusal.of.database',
  databaseUncertain: 'refusal.of.uncertain',
  unknownPath: 'refusal.nothingText',
};
const textByNumber = new Map(Object.entries(pageTexts).map(([name, key]) => [errors[name as ErrorName].number, key]));

function errorText(refusal: ErrorDetails): string {
  const key = refusal.localized === undefined || refusal.status === 404 ? textByNumber.get(refusal.error) : undefined;
  return key === undefined ? localizeText(refusal) : words(key);
}

function errorTitle({ status, error }: ErrorDetails): string {
  if (error === errors.foreignForm.number) return words('refusal.form');
  if (status === 404) return words('refusal.nothing');
  if (status === 405) return words('refusal.method');
  return words(status < 500 ? 'refusal.refused' : 'refusal.fault');
}

/** Names both addresses where they differ, because a wrong BASE_URL locks everybody out. */
function foreignForm({ basePath, baseUrl }: Site, head: Html, { headers, requestId }: ErrorDetails): Html {
  const { origin: configured, protocol } = new URL(baseUrl);
  // The header Origin is "null" where the browser hides it.
  const opened = /^https?:/.test(headers.origin ?? '') ? headers.origin : `${protocol}//${headers.host?.slice(0, 200)}`;
  const differs = opened !== configured;
  return html`
    <div class="card broad">
      ${head}
      <p>${words(differs ? 'refusal.formElsewhere' : 'refusal.formOld')} ${words('refusal.formAgain')}</p>
      ${
        differs
          ? html`
            <dl class="compare">
              <div><dt>${words('refusal.opened')}</dt><dd><code>${opened}</code></dd></div>
              <div><dt>${words('refusal.setTo')}</dt><dd><code>${configured}</code></dd></div>
            </dl>
            \n${baseUrlAdvice(`${opened}${basePath}`, basePath)}`
          : ''
      }
      ${actions(linkButton(`${basePath}/`, words('docs.openGarden'), { kind: 'primary' }))}
      ${requestLine(requestId)}
    </div>`;
}

function baseUrlAdvice(address: string, basePath: string): Html {
  return html`
    <h2>${words('refusal.ifMember')}</h2>
    <p class="soft">${words('refusal.ifMemberText')}</p>
    <h2>${words('refusal.ifStaff')}</h2>
    <p class="soft">${words('refusal.ifStaffText')}</p>
    <pre tabindex="0"><code>BASE_URL=${address}</code></pre>
    <p class="soft">${richWords('refusal.proxy', { settings: linkTo(`${basePath}/docs/config/`) })}</p>`;
}

function searchForm({ basePath }: Site): Html {
  return html`
    <form class="find" role="search" aria-label="${words('refusal.findBy')}" action="${basePath}/problem_list/">
      <label class="field-search">
        <span class="sr">${words('frame.findProblem')}</span>
        ${icon('search')}
        <input type="search" name="q" placeholder="${words('problems.findHint')}">
      </label>
      ${button(words('refusal.find'), 'primary')}
    </form>`;
}

function homeLinks({ basePath }: Site): Html {
  const links = [
    ['/', words('refusal.home')],
    ['/problem_list/', words('frame.problems')],
    [referencePath, words('docs.reference')],
  ];
  return html`
    <ul class="ways">${links.map(([path, name]) => html`<li><a href="${basePath}${path}">${name}</a></li>`)}</ul>`;
}

function requestLine(id: string): Html {
  return html`<p class="faint small">${richWords('refusal.request', { id })}</p>`;
}

/** Shows the page of a used or expired link. */
export async function withUsedLinkPage(visit: Visit, work: (visit: Visit) => Promise<PageResult>): Promise<PageResult> {
  try {
    return await work(visit);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unknownItem') throw error;
    return usedLinkPage(visit, localizeText(error));
  }
}

async function usedLinkPage(visit: Visit, sentence: string): Promise<PageResult> {
  const { store, site } = visit;
  const isOpen = await isSignUpOpen(store.reader);
  const join = linkButton(`${site.basePath}${signUpPath}`, words('spent.join'), { kind: 'primary' });
  return {
    html: frame(
      visit,
      { title: words('spent.title'), kind: 'p-entry', isPlain: true },
      html`
        <div class="empty bare">
          ${illustration('gate')}
          <h1>${words('spent.title')}</h1>
          <p class="soft">${sentence}</p>
          <div class="actions">
            ${isOpen && join}
            ${linkButton(`${site.basePath}${signInPath}`, words('spent.signIn'))}
          </div>
        </div>`,
    ),
    status: 404,
  };
}
