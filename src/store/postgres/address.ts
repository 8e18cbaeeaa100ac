/** Reading a PostgreSQL address: pg-connection-string reads it; what it would read in another way than libpq is refused. */
import { userInfo } from 'node:os';
import type { SecureContextOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { type ConnectionOptions, parse } from 'pg-connection-string';
import { type AppError, badSetting } from '../../errors.ts';

export type Address = ReturnType<typeof readAddress>;

const defaultPort = 5432;
const known = [
  ...['host', 'port', 'user', 'password', 'dbname', 'application_name'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
];
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

/** Reads `postgres://user:password@host:port/database?parameters`. No message shows the password. */
export function readAddress(databaseUrl: string) {
  // An unencoded character of a password would otherwise end it, and the rest be shown as the name of the database.
  const [, hosts, query] =
    /^postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?([^/?#@\s]*)(?:\/[^/?#@\s]*)?(?:\?([^#\s]*))?$/.exec(databaseUrl) ??
    [];
  if (hosts === undefined) throw bad(notAnAddress);
  const parameters = new URLSearchParams(query);
  for (const parameter of parameters.keys()) {
    if (!known.includes(parameter)) {
      throw bad(`DATABASE_URL has the parameter ${JSON.stringify(parameter)}; there are ${known.join(', ')}`);
    }
  }
  if (`${hosts}${parameters.get('host')}`.includes(',')) {
    throw bad(
      'DATABASE_URL has several hosts; put HAProxy in front of them (docs/operations.md, "A cluster")',
    );
  }
  const sslmode = parameters.get('sslmode') ?? 'disable';
  // libpq's `prefer` and `allow` fall back to plain text without a warning.
  if (!sslModes.includes(sslmode)) {
    throw bad(`DATABASE_URL has sslmode=${sslmode}; it must be one of ${sslModes.join(', ')}`);
  }
  const isSystemTrusted = parameters.get('sslrootcert') === 'system';
  if (isSystemTrusted && sslmode !== 'verify-full') {
    throw bad('DATABASE_URL has sslrootcert=system, which needs sslmode=verify-full');
  }
  const read = parsed(isSystemTrusted ? databaseUrl.replace('sslrootcert=system', '') : databaseUrl);
  const host = read.host || 'localhost';
  const port = Number(read.port || defaultPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw bad('DATABASE_URL has a port that is none');
  const user = read.user || userInfo().username;
  const database = read.database || parameters.get('dbname') || user;
  const shownHost = host.startsWith('/') ? encodeURIComponent(host) : host.includes(':') ? `[${host}]` : host;
  const shownPort = port === defaultPort ? '' : `:${port}`;
  const settings: ClientConfig = {
    ...{ host, port, user, database, application_name: read.application_name ?? 'practice-garden' },
    // Without one, `pg` reads PGPASSWORD or ~/.pgpass, as libpq does.
    ...(read.password && { password: read.password }),
    ssl: sslmode !== 'disable' && { rejectUnauthorized: true, ...(read.ssl as SecureContextOptions) },
  };
  const name = `postgres://${encodeURIComponent(user)}@${shownHost}${shownPort}/${encodeURIComponent(database)}`;
  return { settings, /** For messages. */ name };
}

function parsed(databaseUrl: string): ConnectionOptions {
  try {
    decodeURIComponent(databaseUrl);
    // The query of a URL writes a space as plus; in libpq a plus is a plus.
    return parse(databaseUrl.replaceAll('+', '%2B'), { useLibpqCompat: true });
  } catch (cause) {
    const { path, code, message } = cause as NodeJS.ErrnoException;
    if (path !== undefined) throw bad(`${path}, named in DATABASE_URL, cannot be read (${code})`);
    if (message.includes('verify-ca'))
      throw bad('DATABASE_URL has sslmode=verify-ca, which needs sslrootcert');
    throw bad(notAnAddress);
  }
}

const notAnAddress =
  'DATABASE_URL is no address of a PostgreSQL database (percent-encode "/", "?" and "#" in a password)';

function bad(what: string): AppError {
  return badSetting(`${what}; write it as postgres://user:password@host:5432/garden.`);
}
