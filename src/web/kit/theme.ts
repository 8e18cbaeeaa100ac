/** The choice of light or dark colours. */
import { attr, type Html, html } from '../markup.ts';
import { appearancePath } from '../paths.ts';
import { currentViewer, type Theme } from '../words/viewer.ts';
import { type MessageKey, words } from '../words/words.ts';
import { type FormContext, form } from './form.ts';

const choices = [
  ['system', 'theme.system'],
  ['light', 'theme.light'],
  ['dark', 'theme.dark'],
] as const satisfies readonly (readonly [string, MessageKey])[];

/** The background of the header in assets/site.css. */
export const headerColours: Readonly<Record<Theme, string>> = { light: '#ffffff', dark: '#151b18' };

export function themeColours(theme: Theme | undefined): Html {
  if (theme) return html`<meta name="theme-color" content="${headerColours[theme]}">`;
  const scheme = (theme: Theme) =>
    html`<meta name="theme-color" content="${headerColours[theme]}" media="(prefers-color-scheme: ${theme})">`;
  return html`${scheme('light')}${scheme('dark')}`;
}

/** Such as "Theme: Dark". */
export function themeLabel(): string {
  const theme = words(`theme.${currentViewer().theme ?? 'system'}`);
  return words('appearance.now', { theme });
}

export function themeForm(
  visit: FormContext,
  { className = '', from }: { className?: string; from?: string } = {},
): Html {
  const now = currentViewer().theme ?? 'system';
  const buttons = choices.map(
    ([value, text]) =>
      html`
        <button name="theme" value="${value}"${attr('aria-pressed', String(value === now))}>${words(text)}</button>`,
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

export function themeIn(form: URLSearchParams): Theme | undefined {
  const value = form.get('theme');
  return value === 'light' || value === 'dark' ? value : undefined;
}
