/**
 * A browser without script: it keeps cookies, submits forms (HTML §4.10.22) and follows redirects. `submit` sends only what
 * a person could press or fill in.
 */
import assert from 'node:assert/strict';
import { type HTMLElement, parse } from 'node-html-parser';
import { hashPassword } from '../../src/auth/passwords.ts';
import { createMember } from '../../src/practice/members.ts';
import { findMemberByName, setPasswordHash } from '../../src/store/members.ts';
import { withStore } from './garden.ts';
import { type Ask, type Reply, send } from './http.ts';

export interface Page extends Reply {
  path: string;
  document: HTMLElement;
  hops: readonly Reply[];
}

export interface Control {
  within?: string;
  name?: string;
  value?: string;
}

export interface ChosenFile {
  name: string;
  bytes: string | Uint8Array;
}

export type Filling = Readonly<Record<string, string | readonly string[] | boolean | ChosenFile>>;

export type Browser = ReturnType<typeof browser>;

export const controls = 'input, select, textarea, button';
const redirects = [301, 302, 303, 307, 308];

export function browser(url: string, headers: Readonly<Record<string, string>> = {}) {
  /** By their names without the digest of the garden. */
  const cookies = new Map<string, string>();
  const fullNames = new Map<string, string>();
  let page: Page | undefined;

  function keep(reply: Reply): void {
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [, fullName = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      const name = fullName.replace(/-[0-9a-f]{8}$/, '');
      fullNames.set(name, fullName);
      const [, age] = /;\s*max-age=(-?\d+)/i.exec(attributes) ?? [];
      const [, date] = /;\s*expires=([^;]+)/i.exec(attributes) ?? [];
      const isGone = age !== undefined ? Number(age) <= 0 : date !== undefined && Date.parse(date) < Date.now();
      if (isGone) cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  async function ask(path: string, { headers: own, ...rest }: Ask = {}): Promise<Reply> {
    const jar = [...cookies].map(([name, value]) => `${fullNames.get(name) ?? name}=${value}`).join('; ');
    const reply = await send(url, path, {
      ...rest,
      headers: { Accept: 'text/html,*/*;q=0.8', ...(jar && { Cookie: jar }), ...headers, ...own },
    });
    keep(reply);
    return reply;
  }

  async function go(path: string, first: Ask = {}): Promise<Page> {
    const hops: Reply[] = [];
    let [at, reply] = [path, await ask(path, first)];
    while (redirects.includes(reply.status)) {
      hops.push(reply);
      assert(hops.length < 10, `the browser goes in a circle at ${at}`);
      const { location = '' } = reply.headers;
      assert.match(location, /^\/(?!\/)/, 'a redirect stays in the garden');
      // The part behind # stays in the browser (RFC 3986 §3.5).
      at = location.split('#', 1)[0] ?? '';
      reply = await ask(at);
    }
    let parsed: HTMLElement | undefined;
    page = {
      ...reply,
      path: at,
      get document() {
        parsed ??= parseHtml(reply.text);
        return parsed;
      },
      hops,
    };
    return page;
  }

  function filled(control: Control, filling: Filling = {}) {
    assert(page, 'open a page first');
    const { document, path } = page;
    const { form, pressed } = find(document, control);
    assert(form, `no form with ${JSON.stringify(control)} at ${path}: ${page.status}`);
    const target = new URL(form.getAttribute('action') || path, new URL(path, url));
    assert.equal(target.origin, new URL(url).origin, 'a form goes to its own garden');
    const owned = ownedBy(document, form);
    return {
      method: form.getAttribute('method') ?? 'get',
      path: target.pathname + target.search,
      fields: fieldsOf(owned, pressed, filling),
      /** The parts that a form with files sends, in the order of its fields (RFC 7578). */
      parts: form.getAttribute('enctype') === 'multipart/form-data' ? partsOf(owned, pressed, filling) : undefined,
    };
  }

  /** A control that is no button submits as the Enter key does. */
  async function submit(control: Control, filling?: Filling): Promise<Page> {
    const { method, path, fields, parts } = filled(control, filling);
    if (parts) return upload(path, parts);
    if (method.toLowerCase() === 'post') return post(path, fields);
    return go(`${path.split('?', 1)[0]}?${fields}`);
  }

  async function submitAt(path: string, control: Control, filling?: Filling): Promise<Page> {
    await go(path);
    return submit(control, filling);
  }

  function post(path: string, fields: URLSearchParams | Readonly<Record<string, string>>): Promise<Page> {
    return go(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: new URL(url).origin },
      body: String(new URLSearchParams(fields as Record<string, string>)),
    });
  }

  function upload(path: string, parts: readonly Part[], headers: Readonly<Record<string, string>> = {}) {
    return go(path, {
      method: 'POST',
      headers: {
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        Origin: new URL(url).origin,
        ...headers,
      },
      body: multipartBody(parts),
    });
  }

  return {
    cookies,
    ask,
    upload,
    open: (path: string) => go(path),
    filled,
    submit,
    submitAt,
    post,
    page(): Page {
      assert(page, 'open a page first');
      return page;
    },
  };
}

export type Part = readonly [name: string, value: string | ChosenFile];

export const boundary = '----test-7c1f0b2a9e';

export function multipartBody(parts: readonly Part[]): Buffer {
  const quoted = (text: string) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const pieces = parts.flatMap(([name, value]) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
    if (typeof value === 'string') return [`${head}\r\n\r\n${value}\r\n`];
    const type = 'Content-Type: application/octet-stream';
    return [`${head}; filename="${quoted(value.name)}"\r\n${type}\r\n\r\n`, value.bytes, '\r\n'];
  });
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
}

/** A page as elements; `pre` and `noscript` have children too. */
export function parseHtml(text: string): HTMLElement {
  return parse(text, { blockTextElements: { script: true, style: true } });
}

export function textOf(page: Pick<Page, 'document'>, selector: string): string {
  return (page.document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

export function remarksIn({ document }: Pick<Page, 'document'>): string[] {
  const lines = document.querySelectorAll('[data-filters] p');
  return lines.map((one) => one.textContent.replace(/\s+/g, ' ').trim());
}

function find(document: HTMLElement, { within, name, value }: Control) {
  const scope = within === undefined ? document : document.querySelector(within);
  assert(scope, `nothing is ${within}`);
  const isMeant = (one: HTMLElement) =>
    (name === undefined || one.getAttribute('name') === name) &&
    (value === undefined || one.getAttribute('value') === value);
  const found = scope.querySelectorAll(controls).filter(isMeant);
  // A row may itself be the form.
  const control = found.find((one) => ownerOf(document, one)) ?? scope.closest('form') ?? undefined;
  const form = control && ownerOf(document, control);
  const isButton = control !== undefined && name !== undefined && isSendButton(control);
  const byDefault = form && ownedBy(document, form).find(isSendButton);
  return { form, pressed: isButton ? control : byDefault };
}

export const isSendButton = (one: HTMLElement) =>
  one.rawTagName.toLowerCase() === 'button'
    ? !['button', 'reset'].includes(one.getAttribute('type') ?? '')
    : one.getAttribute('type') === 'submit';

/** The form that a control belongs to, also from outside it (`form="id"`). */
export function ownerOf(document: HTMLElement, control: HTMLElement): HTMLElement | undefined {
  const id = control.getAttribute('form');
  if (id !== undefined) return document.getElementById(id) ?? undefined;
  // By a loop: a selector would be parsed for each control.
  let at: HTMLElement | null = control;
  while (at && at.rawTagName?.toLowerCase() !== 'form') at = at.parentNode;
  return at ?? undefined;
}

function ownedBy(document: HTMLElement, form: HTMLElement): HTMLElement[] {
  const isOwn = (one: HTMLElement) => ownerOf(document, one) === form && !one.hasAttribute('disabled');
  return document.querySelectorAll(controls).filter(isOwn);
}

export function fieldsOf(
  owned: readonly HTMLElement[],
  pressed: HTMLElement | undefined,
  filling: Filling,
): URLSearchParams {
  const fields = new URLSearchParams();
  const names = new Set(owned.map((one) => one.getAttribute('name')));
  for (const name of Object.keys(filling)) assert(names.has(name), `this form has no field ${name}`);
  for (const one of owned) {
    const name = one.getAttribute('name');
    if (!name) continue;
    if (isSendButton(one)) {
      if (one === pressed) fields.append(name, one.getAttribute('value') ?? '');
    } else if (one.rawTagName.toLowerCase() !== 'button') {
      for (const value of valuesOf(one, filling[name])) {
        fields.append(name, value.replace(/\r\n?|\n/g, '\r\n'));
      }
    }
  }
  return fields;
}

function partsOf(owned: readonly HTMLElement[], pressed: HTMLElement | undefined, filling: Filling): Part[] {
  return owned.flatMap((one): Part[] => {
    const name = one.getAttribute('name') ?? '';
    if (name !== '' && one.getAttribute('type') === 'file') {
      const chosen = filling[name];
      return [[name, isFile(chosen) ? chosen : { name: '', bytes: '' }]];
    }
    const texts = Object.entries(filling).filter(([asked, value]) => asked === name && !isFile(value));
    return [...fieldsOf([one], pressed, Object.fromEntries(texts))];
  });
}

const isFile = (value: Filling[string] | undefined): value is ChosenFile =>
  typeof value === 'object' && 'bytes' in value;

function valuesOf(one: HTMLElement, asked: Filling[string] | undefined): readonly string[] {
  const type = one.getAttribute('type') ?? 'text';
  if (type === 'file') return [isFile(asked) ? asked.name : ''];
  const texts = typeof asked === 'string' ? [asked] : Array.isArray(asked) ? asked : undefined;
  if (one.rawTagName.toLowerCase() === 'select') {
    const options = one.querySelectorAll('option');
    const worthOf = (option: HTMLElement) => option.getAttribute('value') ?? option.textContent.trim();
    if (texts) {
      for (const text of texts)
        assert(
          options.some((option) => worthOf(option) === text),
          `nothing to choose is ${text}`,
        );
      return texts;
    }
    const chosen = options.filter((option) => option.hasAttribute('selected'));
    if (one.hasAttribute('multiple')) return chosen.map(worthOf);
    return [chosen.at(-1) ?? options[0]].flatMap((option) => (option ? [worthOf(option)] : []));
  }
  if (type === 'checkbox' || type === 'radio') {
    const value = one.getAttribute('value') ?? 'on';
    const isTicked = texts ? texts.includes(value) : (asked ?? one.hasAttribute('checked'));
    return isTicked ? [value] : [];
  }
  if (texts) return texts;
  const isArea = one.rawTagName.toLowerCase() === 'textarea';
  return [isArea ? one.textContent.replace(/^\n/, '') : (one.getAttribute('value') ?? '')];
}

export const usualPassword = 'a lantern beside the well';

/** A digest takes 20 ms, so gardens share it. Each member has another one, which identifies the member's devices. */
const digests = new Map<string, Promise<string>>();

export async function memberWithPassword(
  databaseUrl: string,
  username: string,
  { role = 'member' as 'member' | 'staff', password = usualPassword } = {},
): Promise<bigint> {
  const who = `${username}\n${password}`;
  const digest = digests.get(who) ?? hashPassword(password);
  digests.set(who, digest);
  const hash = await digest;
  return withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      const { id } = (await findMemberByName(tx, username)) ?? (await createMember(tx, { username, role }));
      await setPasswordHash(tx, id, hash);
      return id;
    }),
  );
}

export async function signIn(
  url: string,
  username: string,
  password = usualPassword,
  { basePath = '', headers = {} }: { basePath?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Browser> {
  const own = browser(url, headers);
  await own.open(`${basePath}/authentication/sign-in/`);
  const page = await own.submit({ name: 'password' }, { username, password });
  assert.equal(page.hops[0]?.status, 303, `${username} is not signed in: ${textOf(page, 'main')}`);
  return own;
}
