/** Panels and notices. */

import { raw } from 'hono/html';
import { attr, type Html, html } from '../markup.ts';
import { isLoopback } from '../request/site.ts';
import type { MemberVisit, Visit } from '../request/visits.ts';
import { type MessageKey, words } from '../words/words.ts';
import { type IconName, icon } from './icons.ts';

interface BaseOptions {
  /** The number of rows; tests compare it with the figures that link here. */
  total?: number | bigint | undefined;
  className?: string | undefined;
  more?: Readonly<Record<string, string | number | bigint | true | undefined>>;
}

interface PanelOptions extends BaseOptions {
  /** Names the panel for links and screen readers; unique on its page. */
  id: string;
  heading: Html | string;
  beside?: Html | string | false | undefined;
}

export function panel({ id, heading, beside = '', ...options }: PanelOptions, content: Html): Html {
  return html`
    <section class="${panelClass(options)}"${attributesOf(options)} aria-labelledby="${id}">
      <div class="panel-head"><h2 id="${id}">${heading}</h2>${beside}</div>
      ${content}
    </section>`;
}

const panelClass = ({ className }: BaseOptions) => (className ? `panel ${className}` : 'panel');

const attributesOf = ({ total, more }: BaseOptions) =>
  more ? html`${attr('data-total', total)}${attributesFrom(more)}` : attr('data-total', total);

const attributesFrom = (values: NonNullable<BaseOptions['more']>) =>
  Object.entries(values).map(([name, value]) => attr(name, value));

interface BareOptions extends BaseOptions {
  label?: string;
  labelledBy?: string;
}

export function unheadedPanel({ label, labelledBy, ...options }: BareOptions, content: Html): Html {
  const name = label === undefined ? attr('aria-labelledby', labelledBy) : attr('aria-label', label);
  return html`<section class="${panelClass(options)}"${name}${attributesOf(options)}>${content}</section>`;
}

export function listPanel(options: BaseOptions, items: Html | readonly Html[]): Html {
  return html`<ul class="${panelClass(options)}"${attributesOf(options)}>${items}</ul>`;
}

export function collapsiblePanel(
  summary: Html | string,
  content: Html,
  { isOpen = false, ...options }: CollapsibleOptions = {},
): Html {
  return html`
    <details class="${panelClass(options)}"${attributesOf(options)}${attr('open', isOpen)}>
      <summary>${summary}</summary>
      ${content}
    </details>`;
}

interface CollapsibleOptions extends BaseOptions {
  isOpen?: boolean;
}

export function slimPanel(heading: string, content: Html, id?: string): Html {
  return html`
    <section class="panel slim"${attr('aria-labelledby', id)}>
      <h2${attr('id', id)}>${heading}</h2>
      ${content}
    </section>`;
}

interface EmptyOptions {
  heading?: string;
  text: Html | string;
  picture?: Html | false | undefined;
  actions?: Html | undefined;
  more?: Html;
  total?: 0;
}

export function emptyPanel({ heading, text, picture, actions, more, total }: EmptyOptions): Html {
  return html`
    <section class="panel empty"${attr('data-total', total)}>
      ${picture}
      ${heading && html`<h2>${heading}</h2>`}
      ${text && html`<p class="soft">${text}</p>`}
      ${actions && html`<div class="actions">${actions}</div>`}
      ${more}
    </section>`;
}

/** `markup` comes from the renderer of Markdown, which escapes HTML. */
export function prose(markup: string): Html {
  return html`<article class="prose" lang="en" dir="ltr">${raw(markup)}</article>`;
}

type NoticeKind = 'good' | 'bad' | 'warn' | 'plain';

interface NoticeOptions {
  symbol?: IconName;
  /** Screen readers read `bad` and `warn` at once, unless this is set. */
  role?: 'status';
  more?: Readonly<Record<string, string | true>>;
}

export function notice(kind: NoticeKind, text: Html | string, options?: NoticeOptions): Html {
  return noticeOf(kind, html`<p>${text}</p>`, options);
}

export function noticeOf(kind: NoticeKind, lines: Html | readonly Html[], options: NoticeOptions = {}): Html {
  const { symbol = defaultsOf[kind].symbol, role = defaultsOf[kind].role, more } = options;
  return html`
    <div class="notice" data-kind="${kind}"${more && attributesFrom(more)}${attr('role', role)}>
      ${icon(symbol)}
      <div>${lines}</div>
    </div>`;
}

const defaultsOf = {
  good: { symbol: 'check', role: 'status' },
  bad: { symbol: 'warn', role: 'alert' },
  warn: { symbol: 'warn', role: 'alert' },
  plain: { symbol: 'info', role: undefined },
} as const;

export function faultNotice(fault: Html | string | undefined): Html | undefined {
  return fault === undefined ? undefined : notice('bad', fault);
}

export function successNotice(
  { query, form }: Pick<Visit, 'query' | 'form'>,
  texts: Readonly<Record<string, MessageKey>>,
  name = 'done',
): Html | undefined {
  const done = query.get(name) ?? '';
  const text = form.size === 0 && Object.hasOwn(texts, done) ? texts[done] : undefined;
  return text && notice('good', words(text));
}

/** Copies the element before it. The script of all pages changes the button to say that it is copied. */
export const copyButton = () => html`
  <button class="button small for-script" type="button" data-copy="${words('copy.done')}">${words('copy.do')}</button>`;

export const copyable = (text: string, about: Html | '' = ''): Html => html`
  <span class="copy">
    <code class="copyable" tabindex="0"${about}>${text}</code>
    ${copyButton()}
  </span>`;

/** Above links for other people, where BASE_URL leads only to this computer. */
export const localLinksNotice = (address: string, { role }: Pick<MemberVisit['member'], 'role'>): Html | '' =>
  isLoopback(address)
    ? notice('warn', words('members.localLinks', { address: new URL(address).origin, role }), { role: 'status' })
    : '';

/** Lines to copy. */
export const copyableLines = (lines: Html): Html => html`
  <div class="copy"><pre class="copyable" tabindex="0">${lines}</pre>${copyButton()}</div>`;

export function secretNotice(heading: Html | string, text: string, secret: string, code: Html | '' = ''): Html {
  const lines = html`
    <h2 id="made">${heading}</h2>
    <p>${text}</p>
    <p>${copyable(secret, html` data-secret`)}</p>
    ${code}`;
  return html`<section class="new-token" aria-labelledby="made">${noticeOf('good', lines)}</section>`;
}
