/** The page of a one-time address that does not work, with the other ways in. */

import { AppError } from '../../errors.ts';
import { isSignUpOpen } from '../../practice/joining.ts';
import { html } from '../markup.ts';
import { signInPath, signUpPath } from '../paths.ts';
import type { Answer, Visit } from '../road/visits.ts';
import { words } from '../words/words.ts';
import { frame } from './frame.ts';
import { spot } from './icons.ts';

/** Does the work, and shows the page instead where the address is none. */
export async function orSpent(visit: Visit, work: (visit: Visit) => Promise<Answer>): Promise<Answer> {
  try {
    return await work(visit);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unknownItem') throw error;
    return showSpent(visit, error.message);
  }
}

async function showSpent(visit: Visit, sentence: string): Promise<Answer> {
  const { store, site } = visit;
  const isOpen = await isSignUpOpen(store.reader);
  const join = html`<a class="button primary" href="${site.basePath}${signUpPath}">${words('spent.join')}</a>`;
  return {
    html: frame(
      visit,
      { title: words('spent.title'), kind: 'p-entry', isPlain: true },
      html`
        <div class="empty bare">
          ${spot('gate')}
          <h1>${words('spent.title')}</h1>
          <p class="soft">${sentence}</p>
          <div class="actions">
            ${isOpen ? join : ''}
            <a class="button" href="${site.basePath}${signInPath}">${words('spent.signIn')}</a>
          </div>
        </div>`,
    ),
    status: 404,
  };
}
