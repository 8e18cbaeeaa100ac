/** Reading a PostgreSQL address: the URL form of libpq, several hosts included, and TLS by its sslmode. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { type AppError, badSetting } from '../../errors.ts';

/** The host is a name, an IP address, or the folder of a Unix socket. */
export type Host = { host: string; port: number };
export type Address = ReturnType<typeof readAddress>;

const defaultPort = 5432;
const known = [
  ...['host', 'port', 'user', 'password', 'dbname', 'application_name', 'target_session_attrs'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
];
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(?:ql)?:/.test(databaseUrl);
}

/** Reads `postgres://user:password@host:port,host2/database?parameters`. No message shows the password. */
export function readAddress(databaseUrl: string) {
  const [, credentials = '', hostsText, rest = ''] =
    /^postgres(?:ql)?:\/\/([^/?#]*@)?([^/?#@]*)((?:\/[^/?#@]*)?(?:\?[^#]*)?)$/.exec(databaseUrl) ?? [];
  if (hostsText === undefined) {
    throw bad(
      'DATABASE_URL is no address of a PostgreSQL database (percent-encode "/", "?" and "#" in a password)',
    );
  }
  // A URL has one host, and its query writes a space as plus; in libpq neither is so.
  const url = new URL(`postgres://${credentials}hosts${rest.replaceAll('+', '%2B')}`);
  const parameters = url.searchParams;
  for (const parameter of parameters.keys()) {
    if (!known.includes(parameter)) {
      throw bad(`DATABASE_URL has the parameter ${JSON.stringify(parameter)}; there are ${known.join(', ')}`);
    }
  }
  const user = decode(url.username) || parameters.get('user') || userInfo().username;
  const password = decode(url.password) || parameters.get('password') || undefined;
  const database = decode(url.pathname.slice(1)) || parameters.get('dbname') || user;
  const hosts = readHosts(hostsText, parameters);
  const wanted = parameters.get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any');
  if (!['any', 'read-write', 'primary'].includes(wanted)) {
    throw bad(`DATABASE_URL has target_session_attrs=${wanted}; it must be read-write, primary or any`);
  }
  return {
    hosts,
    user,
    /** Undefined leaves the password to PGPASSWORD and ~/.pgpass, as libpq does. */
    password,
    database,
    applicationName: parameters.get('application_name') ?? 'practice-garden',
    tls: readTls(parameters),
    /** Whether the pool skips hosts that take no writes (libpq's target_session_attrs=read-write). */
    needsPrimary: wanted !== 'any',
    /** For messages. */
    name: `postgres://${encodeURIComponent(user)}@${hosts.map(hostText).join()}/${encodeURIComponent(database)}`,
  };
}

function hostText({ host, port }: Host): string {
  const name = host.startsWith('/') ? encodeURIComponent(host) : host.includes(':') ? `[${host}]` : host;
  return port === defaultPort ? name : `${name}:${port}`;
}

function readHosts(text: string, parameters: URLSearchParams): Host[] {
  const ports = (parameters.get('port') ?? '').split(',');
  const texts = text === '' ? (parameters.get('host') ?? 'localhost').split(',') : text.split(',');
  return texts.map((one, place) => {
    const [, bracketed, plain = '', digits] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d*))?$/.exec(one) ?? [];
    const host = bracketed ?? decode(plain);
    const port = Number(digits || ports[place] || ports[0] || defaultPort);
    if (host === '' || !Number.isInteger(port) || port < 1 || port > 65_535) {
      // The message leaves the text out, because it may be part of a password that is not percent-encoded.
      throw bad('DATABASE_URL names a host that is no host:port');
    }
    return { host, port };
  });
}

/** Reads libpq's sslmode. `prefer` and `allow` are refused, because they fall back to plain text without a warning. */
function readTls(parameters: URLSearchParams): ConnectionOptions | false {
  const mode = parameters.get('sslmode') ?? 'disable';
  if (!sslModes.includes(mode)) {
    throw bad(`DATABASE_URL has sslmode=${mode}; it must be one of ${sslModes.join(', ')}`);
  }
  if (mode === 'disable') return false;
  const root = parameters.get('sslrootcert');
  const files: ConnectionOptions = {};
  for (const [name, part] of Object.entries({ sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const)) {
    const path = parameters.get(name);
    if (path !== null && !(part === 'ca' && path === 'system')) files[part] = readPem(path);
  }
  if (mode === 'verify-full') return { ...files, rejectUnauthorized: true };
  // Like libpq: when a root certificate is given, `require` verifies the server's certificate too.
  if (mode === 'require' && root === null) return { ...files, rejectUnauthorized: false };
  return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined };
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw bad(`${path}, named in DATABASE_URL, cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw bad('DATABASE_URL is not percent-encoded UTF-8');
  }
}

function bad(what: string): AppError {
  return badSetting(`${what}; write it as postgres://user:password@host:5432/garden.`);
}
