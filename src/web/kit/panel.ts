/** The parts of a page: panels with a heading, notices, the text of a document, and a secret that is shown once. */

import { raw } from 'hono/html';
import { attr, type Html, html } from '../markup.ts';
import type { Visit } from '../road/visits.ts';
import { type MessageKey, words } from '../words/words.ts';
import { type IconName, icon } from './icons.ts';

interface About {
  /** The number of its rows, where a figure leads to them. */
  total?: number | bigint | undefined;
  /** Further classes. */
  className?: string | undefined;
  /** Further attributes by their names. */
  more?: Readonly<Record<string, string | number | bigint | true | undefined>>;
}

interface PanelOptions extends About {
  /** Names the panel for links and screen readers; unique on its page. */
  id: string;
  heading: Html | string;
  /** Stands at the end of the line of the heading, such as a link. */
  beside?: Html | string | false | undefined;
}

export function panel({ id, heading, beside = '', ...about }: PanelOptions, content: Html): Html {
  return html`
    <section class="${panelClass(about)}"${attributesOf(about)} aria-labelledby="${id}">
      <div class="panel-head"><h2 id="${id}">${heading}</h2>${beside}</div>
      ${content}
    </section>`;
}

const panelClass = ({ className }: About) => (className ? `panel ${className}` : 'panel');

const attributesOf = ({ total, more }: About) =>
  more ? html`${attr('data-total', total)}${namedAttributes(more)}` : attr('data-total', total);

const namedAttributes = (named: NonNullable<About['more']>) =>
  Object.entries(named).map(([name, value]) => attr(name, value));

interface BareOptions extends About {
  /** Names it for screen readers, where its content has no heading. */
  label?: string;
  /** The id of the heading in its content. */
  labelledBy?: string;
}

/** A panel whose content has a heading of its own, or needs none. */
export function barePanel({ label, labelledBy, ...about }: BareOptions, content: Html): Html {
  const name = label === undefined ? attr('aria-labelledby', labelledBy) : attr('aria-label', label);
  return html`<section class="${panelClass(about)}"${name}${attributesOf(about)}>${content}</section>`;
}

/** A list as a panel. */
export function listPanel(about: About, items: Html | readonly Html[]): Html {
  return html`<ul class="${panelClass(about)}"${attributesOf(about)}>${items}</ul>`;
}

/** A panel that opens where its line is pressed. */
export function foldedPanel(
  line: Html | string,
  content: Html,
  { isOpen = false, ...about }: FoldedOptions = {},
): Html {
  return html`
    <details class="${panelClass(about)}"${attributesOf(about)}${attr('open', isOpen)}>
      <summary>${line}</summary>
      ${content}
    </details>`;
}

interface FoldedOptions extends About {
  isOpen?: boolean;
}

/** A panel beside others: a small heading, and no line around it. */
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
  /** The number of rows, where a figure leads to them and the page does not say it elsewhere. */
  total?: 0;
}

/** A panel that says that there is nothing yet, and what to do next. */
export function emptyPanel({ heading, text, picture, actions, more, total }: EmptyOptions): Html {
  return html`
    <section class="panel empty"${attr('data-total', total)}>
      ${picture}
      ${heading && html`<h2>${heading}</h2>`}
      <p class="soft">${text}</p>
      ${actions && html`<div class="actions">${actions}</div>`}
      ${more}
    </section>`;
}

/** `markup` comes from the renderer of Markdown, which escapes all texts and shows HTML as text. */
export function prose(markup: string): Html {
  return html`<article class="prose" lang="en" dir="ltr">${raw(markup)}</article>`;
}

type NoticeKind = 'good' | 'bad' | 'warn' | 'plain';

interface NoticeOptions {
  symbol?: IconName;
  /** A bad one and a warning are read out at once, unless they are only a status. */
  role?: 'status';
  /** Further attributes by their names. */
  more?: Readonly<Record<string, string | true>>;
}

/** A sentence about the whole page; a bad one is read out at once. */
export function notice(kind: NoticeKind, text: Html | string, options?: NoticeOptions): Html {
  return noticeOf(kind, html`<p>${text}</p>`, options);
}

/** A notice of several lines. */
export function noticeOf(kind: NoticeKind, lines: Html | readonly Html[], options: NoticeOptions = {}): Html {
  const { symbol = usualOf[kind].symbol, role = usualOf[kind].role, more } = options;
  return html`
    <div class="notice" data-kind="${kind}"${more && namedAttributes(more)}${attr('role', role)}>
      ${icon(symbol)}
      <div>${lines}</div>
    </div>`;
}

const usualOf = {
  good: { symbol: 'check', role: 'status' },
  bad: { symbol: 'warn', role: 'alert' },
  warn: { symbol: 'warn', role: 'alert' },
  plain: { symbol: 'info', role: undefined },
} as const;

/** The reason why nothing was changed. */
export function faultNotice(fault: string | undefined): Html | undefined {
  return fault === undefined ? undefined : notice('bad', fault);
}

/** On the page after a form: the sentence about what the address says was just done. */
export function doneNotice(
  { query, form }: Pick<Visit, 'query' | 'form'>,
  texts: Readonly<Record<string, MessageKey>>,
  name = 'done',
): Html | undefined {
  const done = query.get(name) ?? '';
  const text = form.size === 0 && Object.hasOwn(texts, done) ? texts[done] : undefined;
  return text && notice('good', words(text));
}

/** An address or another secret, on the one page that ever shows it. */
export function shownOnce(head: Html | string, text: string, address: string): Html {
  const lines = html`
    <h2 id="made">${head}</h2>
    <p>${text}</p>
    <p class="secret"><code data-secret>${address}</code></p>`;
  return html`<section class="new-token" aria-labelledby="made">${noticeOf('good', lines)}</section>`;
}
