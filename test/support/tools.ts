/** Programs that some tests run and npm does not install: a browser, curl, Python, proxies. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';

interface Tool {
  names: readonly string[];
  variable: string;
  install: string;
  versionFlag?: string;
  /** CI does without it. */
  isOptional?: boolean;
}

const chromium = {
  names: [
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  variable: 'CHROMIUM_PATH',
  install: 'apt-get install chromium',
};

const tools = {
  chromium,
  /** Debian's Chromium without windows takes half the processor time. */
  headless: { ...chromium, names: ['chromium-headless-shell', ...chromium.names] },
  curl: { names: ['curl'], variable: 'CURL_PATH', install: 'apt-get install curl' },
  python3: { names: ['python3'], variable: 'PYTHON_PATH', install: 'apt-get install python3' },
  nginx: {
    names: ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx'],
    variable: 'NGINX_PATH',
    install: 'apt-get install nginx-light',
    versionFlag: '-v',
  },
  haproxy: {
    names: ['haproxy', '/usr/sbin/haproxy', '/usr/local/sbin/haproxy'],
    variable: 'HAPROXY_PATH',
    install: 'apt-get install haproxy',
    versionFlag: '-v',
  },
  caddy: {
    names: ['caddy'],
    variable: 'CADDY_PATH',
    install: 'apt-get install caddy',
    versionFlag: 'version',
    isOptional: true,
  },
  restic: {
    names: ['restic'],
    variable: 'RESTIC_PATH',
    install: 'apt-get install restic',
    versionFlag: 'version',
    isOptional: true,
  },
  litestream: {
    names: ['litestream'],
    variable: 'LITESTREAM_PATH',
    install: 'go install github.com/benbjohnson/litestream/cmd/litestream@v0.3.13',
    versionFlag: 'version',
    isOptional: true,
  },
  promtool: { names: ['promtool'], variable: 'PROMTOOL_PATH', install: 'apt-get install prometheus', isOptional: true },
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

/** The path of the tool. Without it the test is skipped; in CI (the variable CI is set) it fails, unless it is optional. */
export function findTool(t: TestContext, name: ToolName): string | undefined {
  const { names, variable, install, versionFlag = '--version', isOptional }: Tool = tools[name];
  const asked = process.env[variable];
  const found = (asked ? [asked] : names).map((one) => onPath(one, versionFlag)).find((path) => path !== undefined);
  if (found !== undefined) return found;
  const message = `${asked ?? name} is not here: ${install}, or name it in ${variable}.`;
  if (process.env['CI'] && !isOptional) throw new Error(message);
  t.skip(message);
  return undefined;
}

function onPath(name: string, versionFlag: string): string | undefined {
  const folders = name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => isRunnable(path, versionFlag));
}

const runnable = new Map<string, boolean>();

/** Whether it starts, found out once: a name on PATH may be a wrapper around nothing. */
function isRunnable(path: string, versionFlag: string): boolean {
  const isOne = runnable.get(path) ?? starts(path, versionFlag);
  runnable.set(path, isOne);
  return isOne;
}

function starts(path: string, versionFlag: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    execFileSync(path, [versionFlag], { stdio: 'ignore', timeout: 120_000 });
    return true;
  } catch {
    return false;
  }
}
