/** The machine's ceiling: nginx that serves our answers as static files, from a configuration written for the run. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kept } from './data.ts';
import type { Command } from './lifecycle.ts';
import { pages } from './requests.ts';
import type { Setting } from './targets.ts';

/** Lays the answers out as files, and says how to start nginx on them. */
export function nginxCommand({ data, port }: Setting): Command {
  const folder = join(data.folder, `nginx-${port}`);
  for (const { path, coding, file } of JSON.parse(readFileSync(data.answersFile, 'utf8')) as Kept[]) {
    const place = pages.findIndex((page) => page.path === path);
    const target = place < 0 ? join(folder, 'www', path) : join(folder, 'www', 'pages', String(place));
    mkdirSync(target, { recursive: true });
    copyFileSync(file, join(target, coding === 'gzip' ? 'index.json.gz' : 'index.json'));
  }
  const pageOf = pages.map((page, place) => `"${page.path}" /pages/${place}/index.json;`);
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, pageOf));
  return { command: 'nginx', args: ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')] };
}

const configuration = (folder: string, port: number, pageOf: readonly string[]) => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=2000;
  default_type "application/json; charset=utf-8";
  gzip_static on;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  map_hash_bucket_size 256;
  map $request_uri $page { default ""; ${pageOf.join(' ')} }
  server {
    listen 127.0.0.1:${port};
    root ${folder}/www;
    index index.json;
    location = /problem_list/api/problems/ {
      if ($page) { rewrite ^ $page last; }
    }
  }
}
`;
