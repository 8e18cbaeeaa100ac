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

/** How many problems a list says that it has. */
export const totalIn = (page: Shown) => attributeOf(page, '[data-total]', 'data-total');
