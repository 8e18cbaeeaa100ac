/** Signing in with a passkey: a page that asks the device, and what becomes of its answer. */
import { optionsToSignIn, passkeyPlaceOf, signInByPasskey } from '../../../auth/passkeys.ts';
import { AppError } from '../../../errors.ts';
import { longestAnswer, passkeyStep } from '../../kit/passkeys.ts';
import { html } from '../../markup.ts';
import { passkeyPath, signInPath } from '../../paths.ts';
import { ownPath } from '../../road/fields.ts';
import { type Answer, nothingHere, type PageRoute, type Visit } from '../../road/visits.ts';
import { sentenceOf, words } from '../../words/words.ts';
import { doorPage, signInPage } from './entry.ts';

export const passkeyPage: PageRoute = {
  path: passkeyPath,
  isSecret: true,
  // A choice of colours or of a language on this page goes back to its address.
  show: async () => ({ to: signInPath }),
  change: takePasskey,
};

async function takePasskey(visit: Visit): Promise<Answer> {
  const { website, store, form: sent, opening, browser, member: before, site } = visit;
  const place = passkeyPlaceOf(site.baseUrl);
  if (!place) throw nothingHere(visit.path);
  const then = ownPath(site, sent.get('then'));
  const answer = (sent.get('answer') ?? '').slice(0, longestAnswer);
  try {
    if (answer === '') {
      await website.throttle.beginVisit(opening.network);
      const options = await optionsToSignIn(store, place, browser);
      const title = words('passkeys.signIn');
      const content = html`
        ${passkeyStep(visit, { to: passkeyPath, does: 'use', options, hidden: { then } })}
        <p class="small"><a href="${site.basePath}${signInPath}">${words('openid.back.sign-in')}</a></p>`;
      return { html: doorPage(visit, title, title, content, ['passkey.js']) };
    }
    const session = await signInByPasskey(store, website.throttle, place, answer, { opening, browser, before });
    if (session !== undefined) return { to: then, session };
  } catch (error) {
    if (!(error instanceof AppError) || !['badSetting', 'tooManyRequests'].includes(error.code)) throw error;
    const status = error.code === 'badSetting' ? 422 : error.status;
    return { html: signInPage(visit, { form: sentenceOf(error) }), status };
  }
  return { html: signInPage(visit, { form: words('passkeys.wrong') }), status: 422 };
}
