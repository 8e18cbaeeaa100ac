/**
 * What a User-Agent header says in words, such as "Firefox on Linux": for people who look for a browser that is not
 * theirs.
 */
import { words } from '../../words/words.ts';

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/** Most browsers also name the ones that they descend from, so the special come first. */
const browsers: Names = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: Names = [
  [/\biP(?:hone|ad|od)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

export function browserName(userAgent: string): string {
  const nameIn = (names: Names) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (browser) return system ? words('sessions.browserOn', { browser, system }) : browser;
  const [, program, version] = /^([\w.-]{1,30})\/([\d.]{1,20})/.exec(userAgent) ?? [];
  if (program !== undefined && program !== 'Mozilla') return `${program} ${version}`;
  return system ? words('sessions.someBrowserOn', { system }) : words('sessions.unknownBrowser');
}
