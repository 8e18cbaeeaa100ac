/** Proxies in front of a server, each from a small configuration in a temporary folder, in the foreground on a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { root, temporaryFolder } from './garden.ts';
import { freePort } from './ports.ts';
import { findTool } from './tools.ts';
import { until } from './waiting.ts';

export type FrontName = 'nginx' | 'haproxy' | 'caddy';

const clientSeconds = 2;

const nginxConfig = (folder: string, port: number, upstream: string) => `
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
  upstream garden { server ${upstream}; keepalive 32; keepalive_timeout 10s; }
  server {
    listen 127.0.0.1:${port};
    server_name garden.test;
    location / {
      proxy_pass http://garden;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header Forwarded "";
    }
  }
}
`;

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

/** deploy/proxies/Caddyfile, without its certificate and the interface for changes while it runs. */
function caddyConfig(port: number, upstream: string): string {
  const site = readFileSync(join(root, 'deploy', 'proxies', 'Caddyfile'), 'utf8');
  const here = site
    .replace(/^garden\.example\.org \{/m, `http://127.0.0.1:${port} {`)
    .replace('127.0.0.1:8080 {', `${upstream} {`);
  return `{\n\tadmin off\n\tauto_https off\n}\n${here}`;
}

const configs = {
  nginx: nginxConfig,
  haproxy: (_folder: string, port: number, upstream: string) => haproxyConfig(port, upstream),
  caddy: (_folder: string, port: number, upstream: string) => caddyConfig(port, upstream),
};

export async function startFront(
  t: TestContext,
  name: FrontName,
  url: string,
  asked?: number,
): Promise<string | undefined> {
  const program = findTool(t, name);
  if (program === undefined) return undefined;
  const folder = await temporaryFolder(t);
  const port = asked ?? (await freePort());
  const file = join(folder, `${name}.conf`);
  const upstream = new URL(url).host;
  writeFileSync(file, configs[name](folder, port, upstream));
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
