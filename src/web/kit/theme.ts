/** The colours that a visitor chooses: the form, its present choice in words, and what browsers paint around a page. */
import { attr, type Html, html } from '../markup.ts';
import { appearancePath } from '../paths.ts';
import { currentReader, type Theme } from '../words/reader.ts';
import { type MessageKey, words } from '../words/words.ts';
import { form, type Post } from './form.ts';

const choices = [
  ['system', 'theme.system'],
  ['light', 'theme.light'],
  ['dark', 'theme.dark'],
] as const satisfies readonly (readonly [string, MessageKey])[];

/** The ground of the header in assets/site.css. */
export const headerColours: Readonly<Record<Theme, string>> = { light: '#ffffff', dark: '#151b18' };

export function themeColours(theme: Theme | undefined): Html {
  if (theme) return html`<meta name="theme-color" content="${headerColours[theme]}">`;
  const scheme = (one: Theme) =>
    html`<meta name="theme-color" content="${headerColours[one]}" media="(prefers-color-scheme: ${one})">`;
  return html`${scheme('light')}${scheme('dark')}`;
}

/** The choice as the footer names it: Theme: Dark. */
export function themeNow(): string {
  const theme = words(`theme.${currentReader().theme ?? 'system'}`);
  return words('appearance.now', { theme });
}

/** A button for each choice, which works without script; `from` is the page to go on to instead of its own. */
export function themeForm(visit: Post, { className = '', from }: { className?: string; from?: string } = {}): Html {
  const chosen = currentReader().theme ?? 'system';
  const buttons = choices.map(
    ([value, text]) =>
      html`
        <button name="theme" value="${value}"${attr('aria-pressed', String(value === chosen))}>${words(text)}</button>`,
  );
  return form(
    visit,
    {
      to: appearancePath,
      className: `theme${className && ` ${className}`}`,
      hidden: from === undefined ? {} : { from },
    },
    html`
      <span aria-hidden="true">${words('theme.title')}</span>
      <div class="segments" role="group" aria-label="${words('theme.title')}">${buttons}</div>`,
  );
}

/** The theme that such a form sent; undefined for the system's. */
export function sentTheme(form: URLSearchParams): Theme | undefined {
  const sent = form.get('theme');
  return sent === 'light' || sent === 'dark' ? sent : undefined;
}
