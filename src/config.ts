/** Every setting: its name, allowed values, default and help. No other module reads the environment. */
import { BlockList, isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { dayMs, durationMs } from './durations.ts';
import { invalidValue } from './errors.ts';
import { type LanguageTag, languageTags, lookUp, rangesOfGettext } from './words/languages.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const workersAtMost = 64;
/** PostgreSQL allows 100 by default, and other programs need some. */
const connectionsAtMost = 80;

/** `allowed` completes "it must be …"; `read` returns undefined for a value that is not allowed. */
function valueType<T>(placeholder: string, allowed: string, read: (text: string) => T | undefined) {
  return { placeholder, allowed, read };
}
type ValueType<T> = ReturnType<typeof valueType<T>>;

const anyText = (placeholder: string, allowed: string) => valueType(placeholder, allowed, (text) => text);

const integer = (least: number, most: number) =>
  valueType('number', `an integer from ${least} to ${most}`, (text) => {
    const value = /^(?:0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  });

const hostName = valueType('address', 'a host name or an IP address', (text) =>
  /^[A-Za-z0-9.:_-]+$/.test(text) ? text : undefined,
);

const baseUrl = valueType('url', 'an http or https address without query, fragment or password', (text) => {
  const { protocol = '', search, hash, username, password, href } = URL.parse(text) ?? {};
  const isPlain = search === '' && hash === '' && username === '' && password === '';
  return isPlain && /^https?:$/.test(protocol) ? href?.replace(/\/+$/, '') : undefined;
});

const onOrOff = valueType('word', 'on or off', (text) =>
  /^(?:on|off)$/.test(text) ? text === 'on' : undefined,
);

const addresses = valueType(
  'addresses',
  'names and http addresses with commas between, such as codeforces=http://127.0.0.1:8090/api',
  (text) => {
    const pairs = text.split(',').map((pair) => pair.trim().split(/=(.*)/s));
    const isValid = pairs.every(
      ([name = '', url = '']) =>
        /^(?:contest-hive|[a-z]+(?:-openid|-ratings|-cn)?)$/.test(name) && baseUrl.read(url) !== undefined,
    );
    return isValid
      ? new Map(pairs.map(([name = '', url = '']) => [name, baseUrl.read(url) ?? '']))
      : undefined;
  },
);

const origins = valueType(
  'origins',
  'http or https addresses without a path, with commas between, such as https://login.school.lan',
  (text) => {
    const urls = text.split(',').map((one) => URL.parse(one.trim()));
    const isOrigin = (url: URL | null) =>
      url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
    return urls.every(isOrigin) ? new Set(urls.map((url) => url?.origin ?? '')) : undefined;
  },
);

const duration = valueType('duration', 'a number with s, m, h or d from 1s to 365d, such as 24h', (text) => {
  const ms = durationMs(text);
  return ms && ms <= 365 * dayMs ? ms : undefined;
});

const ranges = valueType(
  'ranges',
  'IP addresses and CIDR ranges with commas between, such as 127.0.0.1,10.0.0.0/8,::1',
  (text) => {
    const list = new BlockList();
    return text.split(',').every((range) => addRange(list, range.trim())) ? list : undefined;
  },
);

const headerName = valueType('header', 'the name of a header, such as Remote-User', (text) =>
  /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(text) ? text : undefined,
);

const isReadOnly = valueType('word', 'off or read-only', (text) =>
  /^(?:off|read-only)$/.test(text) ? text === 'read-only' : undefined,
);

const languageNamesInEnglish = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Systems set LANGUAGE for gettext to languages that the garden may lack, so only what is no language is refused. */
const language = valueType(
  'language',
  `one of ${languageTags.join(', ')}`,
  (text): LanguageTag | undefined => {
    const ranges = rangesOfGettext(text);
    const match = lookUp(ranges, languageTags);
    if (match) return match;
    const isNamed = (range: string) => {
      if (/^(?:C|POSIX)$/.test(range)) return true;
      try {
        return (
          /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(range) && languageNamesInEnglish.of(range) !== undefined
        );
      } catch {
        // Intl throws for a malformed tag.
        return false;
      }
    };
    return ranges.every(isNamed) ? 'en' : undefined;
  },
);

const logLevel = valueType('level', `one of ${logLevels.join(', ')}`, (text) =>
  logLevels.find((level) => level === text),
);

/** The keys are the names that commander derives from the flags. */
const definitions = {
  host: setting('HOST', '127.0.0.1', hostName, 'Address to listen on, 0.0.0.0 for every network'),
  port: setting('PORT', '8080', integer(0, 65_535), 'Port to listen on, 0 for a free one'),
  baseUrl: setting('BASE_URL', 'http://localhost:PORT', baseUrl, 'Address of the website, used in links'),
  databaseUrl: setting(
    'DATABASE_URL',
    'sqlite:./data/garden.db',
    anyText('url', 'sqlite:PATH or postgres://…'),
    'Where the database is',
  ),
  databasePool: optional('DATABASE_POOL', 'auto', integer(1, 1000), 'Connections of a process to PostgreSQL'),
  workers: optional('WORKERS', 'auto', integer(1, workersAtMost), 'Server processes; auto: one per core'),
  rateLimit: setting('RATE_LIMIT', '1000', integer(0, 1_000_000), 'Requests per second and token, 0 is off'),
  language: setting(
    'LANGUAGE',
    'en',
    language,
    'Language of messages, and of pages for visitors whose browser prefers none of ours',
  ),
  addedPerDay: setting('ADDED_PER_DAY', '50', integer(0, 100_000), 'Problems that a member can add in a day'),
  addedPerMember: setting(
    'ADDED_PER_MEMBER',
    '2000',
    integer(0, 1_000_000),
    'Problems that a member can add in all',
  ),
  programs: setting('PROGRAMS', 'on', onOrOff, 'Whether programs may read and write for their members'),
  programWrites: setting(
    'PROGRAM_WRITES',
    '60',
    integer(0, 1_000_000),
    'Writes by programs in a minute and member, 0 is off',
  ),
  trustedProxies: optional('TRUSTED_PROXIES', 'none', ranges, 'Proxies whose X-Forwarded-For is trusted'),
  trustHeader: optional(
    'TRUST_HEADER',
    'none',
    headerName,
    'Header by which a trusted proxy signs members in',
  ),
  metricsPort: optional('METRICS_PORT', 'none', integer(1, 65_535), 'Port of metrics for Prometheus'),
  metricsHost: setting('METRICS_HOST', '127.0.0.1', hostName, 'Address to serve metrics on'),
  backupEvery: optional(
    'BACKUP_EVERY',
    'none',
    duration,
    'Back up automatically when the newest backup is this old',
  ),
  backupKeep: setting('BACKUP_KEEP', '7', integer(1, 9999), 'How many automatic backups are kept'),
  backupDir: optional(
    'BACKUP_DIR',
    'auto',
    anyText('folder', 'a path'),
    'Backup folder; auto: beside the database',
  ),
  sync: setting('SYNC', 'on', onOrOff, 'Whether the server imports from judges automatically'),
  liveMb: setting(
    'LIVE_MB_PER_DAY',
    '250',
    integer(0, 100_000),
    'Megabytes a day that the live feed of a judge may take, 0 is off',
  ),
  judgeUrls: optional('JUDGE_URLS', 'none', addresses, 'Other addresses of the judges’ APIs'),
  privatePlaces: optional('PRIVATE_PLACES', 'none', origins, 'Private addresses that the server may contact'),
  demo: setting('DEMO', 'off', isReadOnly, 'Whether this is a public demo that nobody can change'),
  logLevel: setting('LOG_LEVEL', 'info', logLevel, 'How much is logged to standard error'),
  adminUsername: optional(
    'ADMIN_USERNAME',
    'none',
    anyText('text', 'a text'),
    'Username of the first administrator, in a database without members',
  ),
  adminPassword: withoutFlag(
    optional('ADMIN_PASSWORD', 'none', anyText('secret', 'a text'), 'Password of that administrator'),
  ),
  adminPasswordFile: optional(
    'ADMIN_PASSWORD_FILE',
    'none',
    anyText('file', 'a path'),
    'File whose first line is that password',
  ),
};

export type SettingKey = keyof typeof definitions;

export interface Setting<T = unknown> extends ValueType<T> {
  env: string;
  /** Other users of the machine can read the command line, so a secret has none. */
  flag: string | undefined;
  default: string;
  help: string;
  /** Stands for no value, such as none or auto. */
  unsetWord?: string;
}

function setting<T>(env: string, defaultText: string, type: ValueType<T>, summary: string): Setting<T> {
  const flag = env.toLowerCase().replaceAll('_', '-');
  return { ...type, env, flag, default: defaultText, help: `${summary}: ${type.allowed}` };
}

function optional<T>(
  env: string,
  unsetWord: string,
  type: ValueType<T>,
  summary: string,
): Setting<T | undefined> {
  const allowed = `${unsetWord} or ${type.allowed}`;
  return { ...setting(env, unsetWord, { ...type, allowed }, summary), unsetWord };
}

function withoutFlag<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, flag: undefined };
}

export const settings: Readonly<Record<SettingKey, Setting>> = definitions;
const keys = Object.keys(settings) as SettingKey[];

export type SettingFlags = Readonly<Partial<Record<SettingKey, string>>>;

export interface SettingValue extends Setting {
  text: string;
  maskedText: string;
  source: 'flag' | 'environment' | 'default';
}

/** A flag takes precedence over the environment, and that over the default. */
export function readSettings(flags: SettingFlags): SettingValue[] {
  return keys.map((key) => readSetting(key, flags));
}

function readSetting(key: SettingKey, flags: SettingFlags): SettingValue {
  const definition = settings[key];
  // Compose files and shells set an empty variable for "not set".
  const explicit = flags[key] ?? (process.env[definition.env] || undefined);
  const text = explicit ?? definition.default.replace('PORT', () => readSetting('port', flags).text);
  const maskedText = maskSecrets(definition, text);
  const source = flags[key] !== undefined ? 'flag' : explicit !== undefined ? 'environment' : 'default';
  return { ...definition, text, maskedText, source };
}

/** Why links that are handed out would open on this computer alone; undefined where BASE_URL is set. */
export function localLinksWarning(flags: SettingFlags): string | undefined {
  const { source, text } = readSetting('baseUrl', flags);
  if (source !== 'default') return undefined;
  return `Links lead to ${text}, which only this computer can open; set BASE_URL to the address that members use.`;
}

type Values = { [K in SettingKey]: (typeof definitions)[K] extends Setting<infer T> ? T : never };

export interface Config extends Omit<Values, 'databasePool' | 'workers' | 'backupEvery'> {
  databasePool: number;
  workers: number;
  backupEveryMs: number | undefined;
}

/** Throws invalidValue. */
export function readConfig(flags: SettingFlags): Config {
  const entries = keys.map((key) => [key, readValue(readSetting(key, flags))]);
  const {
    databasePool,
    workers: requestedWorkers,
    backupEvery,
    ...values
  }: Values = Object.fromEntries(entries);
  if (values.trustHeader !== undefined && values.trustedProxies === undefined) {
    throw invalidValue(
      'TRUST_HEADER needs TRUSTED_PROXIES; set it to the addresses of the proxy that signs people in.',
    );
  }
  const hosts = new Set([values.host, values.metricsHost]);
  const isSameHost = hosts.size === 1 || hosts.has('0.0.0.0') || hosts.has('::');
  if (values.metricsPort === values.port && isSameHost)
    throw invalidValue(`METRICS_PORT and PORT are both ${values.port}; choose another METRICS_PORT.`);
  const workers = requestedWorkers ?? Math.min(availableParallelism(), workersAtMost);
  const pool = Math.max(1, Math.min(10, Math.floor(connectionsAtMost / workers)));
  // In a demo nobody else may be signed in or created by a proxy.
  const { sync, trustHeader } = values.demo ? { sync: false, trustHeader: undefined } : values;
  return {
    ...values,
    sync,
    trustHeader,
    databasePool: databasePool ?? pool,
    workers,
    backupEveryMs: backupEvery,
  };
}

function readValue({ env, flag, unsetWord, read, allowed, text, maskedText, source }: SettingValue): unknown {
  if (text === unsetWord) return undefined;
  const value = read(text);
  if (value !== undefined) return value;
  const name = source === 'flag' ? `--${flag}` : env;
  throw invalidValue(`${name} is ${JSON.stringify(maskedText)}; it must be ${allowed}.`);
}

function addRange(ranges: BlockList, range: string): boolean {
  const [, address = '', bits] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(range) ?? [];
  const [family, width] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
  const prefix = Number(bits ?? width);
  // All IPv4 addresses in the form of IPv6 begin with these 96 bits, so a shorter prefix would match all of them.
  if (/^::ffff:[\d.]+$/i.test(address) && prefix < 96) return false;
  try {
    ranges.addSubnet(address, prefix, family);
    return true;
  } catch {
    return false;
  }
}

function maskSecrets({ placeholder, unsetWord }: Setting, text: string): string {
  if (placeholder === 'secret') return text === unsetWord ? text : '***';
  return placeholder === 'url' ? maskPassword(text) : text;
}

function maskPassword(url: string): string {
  return url.replace(/(:\/\/[^:@/]*):.*@/s, '$1:***@').replace(/([?&](?:ssl)?password=)[^&]*/gi, '$1***');
}

/** Reads the environment directly, because another setting may be the fault. */
export function isDebugging(): boolean {
  return process.env['LOG_LEVEL'] === 'debug' || process.env['LOG_LEVEL'] === 'trace';
}
