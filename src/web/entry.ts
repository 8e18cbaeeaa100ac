/** The doors: signing in and out, and the one-time addresses that make the first member, an invited one, or a new password. */
import { html } from 'hono/html';
import { acceptDemo, acceptReset, readEntryLink, signIn, spent } from '../auth/entry.ts';
import { passwordFault } from '../auth/passwords.ts';
import type { Opened } from '../auth/sessions.ts';
import { AppError } from '../errors.ts';
import { acceptEntry, acceptSignUp, isSignUpOpen } from '../practice/joining.ts';
import { isUsername } from '../practice/members.ts';
import { findMembersByIds } from '../store/members.ts';
import { deleteSession } from '../store/sessions.ts';
import { ownPath } from './fields.ts';
import { type Faults, textField } from './forms.ts';
import { frame } from './frame.ts';
import type { Html } from './layout.ts';
import { orSpent, signInPath, signUpPath } from './spent-page.ts';
import { type Answer, nothingHere, type PageRoute, type Visit } from './visits.ts';

const longestName = 200;
const longestPassword = 1000;
const nameAdvice = 'Use 1 to 64 visible characters, without spaces, "/", "?" and "#".';

export const entryPages: readonly PageRoute[] = [
  {
    path: signInPath,
    isSecret: true,
    show: async (visit) => ({ html: signInPage(visit) }),
    change: takeSignIn,
  },
  { path: '/authentication/sign-out/', change: takeSignOut },
  linkPages('setup', '/authentication/setup/'),
  linkPages('invitation', '/authentication/invitation/:key/'),
  linkPages('reset', '/authentication/reset/:key/'),
  { path: '/authentication/demo/', isSecret: true, isOnce: true, show: (visit) => orSpent(visit, takeDemo) },
];

function signInPage(visit: Visit, faults: Faults = {}, username = ''): Html {
  const { site, query, form, antiForgery } = visit;
  const then = ownPath(site, form.get('then') ?? query.get('then'));
  return frame(
    visit,
    { title: 'Sign in', kind: 'p-entry', isPlain: true },
    html`<div class="card"><h1>Sign in</h1>
${faults['form'] ? html`<p class="notice fault" role="alert" data-kind="bad">${faults['form']}</p>` : ''}
<form class="form" method="post" action="${site.basePath}${signInPath}">${antiForgery}<input type="hidden" name="then" value="${then}">
${textField('Name', 'username', faults, { autocomplete: 'username', value: username, hasFocus: true })}
${textField('Password', 'password', faults, { type: 'password', autocomplete: 'current-password' })}
<button class="button primary wide">Sign in</button></form>
<p class="faint small">No account? ${signUpLine(visit)} Forgotten the password? Staff can give you a new one-time address.</p></div>`,
  );
}

async function signUpLine({ store, site }: Visit): Promise<Html> {
  if (!(await isSignUpOpen(store.reader))) return html`Staff can invite you.`;
  return html`<a href="${site.basePath}${signUpPath}">Make one</a>.`;
}

function nameIn(form: URLSearchParams): string {
  return (form.get('username') ?? '').trim().slice(0, longestName);
}

async function takeSignIn(visit: Visit): Promise<Answer> {
  const { website, store, form, opening, member } = visit;
  // No name and no password is as long, so what is cut is wrong in any case.
  const username = nameIn(form);
  const password = (form.get('password') ?? '').slice(0, longestPassword);
  try {
    const session = await signIn(store, website.throttle, { username, password }, opening, member);
    if (session !== undefined) return { to: ownPath(visit.site, form.get('then')), session };
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    return { html: signInPage(visit, { form: error.message }, username), status: 429 };
  }
  const faults = { form: 'Name or password is not right. Check both, and mind capital letters.' };
  return { html: signInPage(visit, faults, username), status: 422 };
}

async function takeSignOut({ store, member }: Visit): Promise<Answer> {
  if (member) await store.write((tx) => deleteSession(tx, member.user_id, member.id));
  return { to: signInPath, session: null };
}

async function takeDemo({ store, query, opening, isLocal }: Visit): Promise<Answer> {
  if (!isLocal) {
    const advice = 'This address works only on the computer where the garden runs; open it there.';
    throw new AppError('unknownItem', advice);
  }
  const link = await readEntryLink(store.reader, 'demo', query.get('key') ?? '');
  if (!link) throw spent();
  return { to: '/', session: await acceptDemo(store, link, opening) };
}

/** What the page of a one-time address says. */
const words = {
  setup: {
    title: 'Set up',
    head: 'Plant this garden',
    text: 'You opened the one-time address that the server printed. The first member looks after the garden: invites others, imports problems, keeps backups.',
    button: 'Make my account',
  },
  invitation: {
    title: 'Invitation',
    head: 'Join this garden',
    text: 'You are invited. Choose the name that others see, and a password.',
    button: 'Join',
  },
  join: {
    title: 'Join',
    head: 'Join this garden',
    text: 'Choose the name that others see, and a password.',
    button: 'Make my account',
  },
  reset: {
    title: 'New password',
    head: 'Choose a new password',
    text: 'After this you are signed in here, and signed out everywhere else.',
    button: 'Set the password',
  },
} as const;

type LinkKind = 'setup' | 'invitation' | 'reset';

/** The page of the open sign-up, which is not there while staff keep it closed. */
export const joinPage: PageRoute = {
  path: signUpPath,
  isSecret: true,
  show: async (visit) => {
    if (!(await isSignUpOpen(visit.store.reader))) throw nothingHere(visit.path);
    return { html: linkPage(visit, 'join', '') };
  },
  change: async (visit) => {
    const { store, opening, website, path } = visit;
    if (!(await isSignUpOpen(store.reader))) throw nothingHere(path);
    return takeNames(visit, 'join', '', nameIn(visit.form), async (given) => {
      await website.throttle.beginSignUp(opening.network);
      return acceptSignUp(store, given, opening);
    });
  },
};

/** The set-up address has its key in the query, the others in the path. */
function linkPages(kind: LinkKind, path: string): PageRoute {
  const keyOf = ({ params, query, form }: Visit) =>
    params['key'] ?? form.get('key') ?? query.get('key') ?? '';
  const linkOf = async (visit: Visit) => {
    const link = await readEntryLink(visit.store.reader, kind, keyOf(visit));
    if (!link) throw spent();
    return link;
  };
  return {
    path,
    isSecret: true,
    show: (asked) =>
      orSpent(asked, async (visit) => {
        await linkOf(visit);
        return { html: linkPage(visit, kind, keyOf(visit)) };
      }),
    change: (asked) =>
      orSpent(asked, async (visit) => {
        const link = await linkOf(visit);
        const { store, opening } = visit;
        const [member] = await findMembersByIds(store.reader, link.user_id === null ? [] : [link.user_id]);
        return takeNames(visit, kind, keyOf(visit), member?.username ?? nameIn(visit.form), (given) =>
          kind === 'reset'
            ? acceptReset(store, link, given.password, opening)
            : acceptEntry(store, link, given, opening),
        );
      }),
  };
}

function linkPage(visit: Visit, kind: keyof typeof words, key: string, faults: Faults = {}): Html {
  const { site, form, path, antiForgery } = visit;
  const { title, head, text, button } = words[kind];
  const name = textField('Name', 'username', faults, {
    autocomplete: 'username',
    value: nameIn(form),
    hint: 'Others see it. No spaces.',
    hasFocus: true,
  });
  const hint = 'At least 10 characters. A sentence is fine.';
  return frame(
    visit,
    { title, kind: 'p-entry', isPlain: true },
    html`<div class="card"><h1>${head}</h1><p class="soft">${text}</p>
<form class="form" method="post" action="${site.basePath}${path}">${antiForgery}<input type="hidden" name="key" value="${key}">
${kind === 'reset' ? '' : name}
${textField('Password', 'password', faults, { type: 'password', autocomplete: 'new-password', hint })}
${textField('Password again', 'password_again', faults, { type: 'password', autocomplete: 'new-password' })}
<button class="button primary wide">${button}</button></form></div>`,
  );
}

/** Reads name and password, has them accepted, and opens the session that this answers. */
async function takeNames(
  visit: Visit,
  kind: keyof typeof words,
  key: string,
  username: string,
  accept: (given: { username: string; password: string }) => Promise<Opened>,
): Promise<Answer> {
  const { form } = visit;
  const password = form.get('password') ?? '';
  const faults: Record<string, string> = {};
  const weak = passwordFault(password, username);
  if (kind !== 'reset' && !isUsername(username)) faults['username'] = nameAdvice;
  if (weak) faults['password'] = weak;
  else if (password !== form.get('password_again')) faults['password_again'] = 'The two passwords differ.';
  if (Object.keys(faults).length === 0) {
    try {
      return { to: '/', session: await accept({ username, password }) };
    } catch (error) {
      if (!(error instanceof AppError) || !['badSetting', 'alreadyExists'].includes(error.code)) throw error;
      faults['username'] = error.message;
    }
  }
  return { html: linkPage(visit, kind, key, faults), status: 422 };
}
