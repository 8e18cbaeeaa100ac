/** Proxies in front of a server, each from a small configuration in a temporary folder, in the foreground on a free port. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { blocksOf } from './documents.ts';
import { temporaryFolder } from './garden.ts';
import { freePort } from './ports.ts';
import { findTool } from './tools.ts';
import { until } from './waiting.ts';

export type FrontName = 'nginx' | 'haproxy' | 'caddy';
/** The program beside the proxy that signs people in. */
interface SignIn {
  header: string;
  port: number;
}

const clientSeconds = 2;

const nginxConfig = (folder: string, port: number, upstream: string, signIn?: SignIn) => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_header_timeout ${clientSeconds}s;
  client_body_timeout ${clientSeconds}s;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${nginxSite(upstream, signIn)
    .replace('443 ssl', `127.0.0.1:${port}`)
    .replaceAll(/ssl_.*;/g, '')}
}
`;

const behind = 'docs/operations.md#behind-nginx-or-caddy';
const signedIn = 'docs/operations.md#sign-in-by-a-proxy';

/** A block of operations.md, with the addresses of this machine. */
function documented(language: string, upstream: string, signIn?: SignIn): string {
  const block = blocksOf('docs/operations.md').find(
    ({ place, language: own, text }) =>
      own === language && place === (signIn ? signedIn : behind) && text.includes(signIn?.header ?? ''),
  );
  assert.ok(block);
  return block.text
    .replaceAll('127.0.0.1:8080', upstream)
    .replaceAll(/127\.0\.0\.1:9\d{3}/g, `127.0.0.1:${signIn?.port}`);
}

function nginxSite(upstream: string, signIn?: SignIn): string {
  const site = documented('nginx', upstream);
  if (signIn === undefined) return site;
  const [, lines = ''] = /location \/ \{\n(.*?)^ {2}\}/ms.exec(site) ?? [];
  const locations = documented('nginx', upstream, signIn).replace('# …and the lines of the location below', lines);
  return site.replace(/location \/ \{.*?^ {2}\}/ms, () => locations);
}

const haproxyConfig = (port: number, upstream: string) => `
global
  maxconn 1000
defaults
  mode http
  timeout connect 5s
  timeout client 15s
  timeout server 30s
  timeout http-request ${clientSeconds}s
  timeout http-keep-alive 10s
frontend public
  bind 127.0.0.1:${port}
  option disable-h2-upgrade
  option forwardfor
  http-request del-header Forwarded
  default_backend garden
backend garden
  http-reuse always
  server garden ${upstream}
`;

/** Without its certificate and the interface for changes while it runs. */
function caddyConfig(port: number, upstream: string, signIn?: SignIn): string {
  const site = documented('', upstream, signIn);
  return `{\n\tadmin off\n\tauto_https off\n}\n${site.replace('garden.example.org', `http://127.0.0.1:${port}`)}`;
}

const configs = {
  nginx: nginxConfig,
  haproxy: (_folder: string, port: number, upstream: string) => haproxyConfig(port, upstream),
  caddy: (_folder: string, port: number, upstream: string, signIn?: SignIn) => caddyConfig(port, upstream, signIn),
};

export async function startFront(
  t: TestContext,
  name: FrontName,
  url: string,
  asked?: number,
  signIn?: SignIn,
): Promise<string | undefined> {
  const program = findTool(t, name);
  if (program === undefined) return undefined;
  const folder = await temporaryFolder(t);
  const port = asked ?? (await freePort());
  const file = join(folder, `${name}.conf`);
  const upstream = new URL(url).host;
  writeFileSync(file, configs[name](folder, port, upstream, signIn));
  const args = {
    nginx: ['-p', folder, '-c', file, '-e', join(folder, 'error.log')],
    haproxy: ['-db', '-f', file],
    caddy: ['run', '--config', file, '--adapter', 'caddyfile'],
  }[name];
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await until(`${name} that listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${said}`);
    return isListening(port);
  }).catch((error: Error) => {
    throw new Error(`${error.message}; it said: ${said}`, { cause: error });
  });
  return `http://127.0.0.1:${port}`;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
