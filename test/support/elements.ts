/** What tests read of the elements of a page. */
import type { Page } from './forms.ts';

type Shown = Pick<Page, 'document'>;

/** With single blanks. */
export const textsOf = ({ document }: Shown, selector: string): string[] =>
  document.querySelectorAll(selector).map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());

export const attributeOf = ({ document }: Shown, selector: string, name: string): string | undefined =>
  document.querySelector(selector)?.getAttribute(name);

export const attributesOf = ({ document }: Shown, selector: string, name: string): string[] =>
  document.querySelectorAll(selector).map((one) => one.getAttribute(name) ?? '');

/** Where the links lead that match a selector. */
export const hrefsOf = (page: Shown, selector: string) => attributesOf(page, selector, 'href');

export const hrefOf = (page: Shown, selector: string) => hrefsOf(page, selector)[0] ?? '';

/** What is in the first field of this name. */
export const valueIn = (page: Shown, name: string) => attributeOf(page, `[name="${name}"]`, 'value');

/** The token that forms of this page send against forgery. */
export const csrfOf = (page: Shown) => valueIn(page, '_csrf') ?? '';

/** How many problems a list says that it has; an empty text is no number. */
export const totalIn = (page: Shown) => Number(attributeOf(page, '[data-total]', 'data-total') || undefined);
