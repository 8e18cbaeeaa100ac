/** Every setting, once: environment name, flag, default, help. The only place that reads the environment. */
import { availableParallelism } from 'node:os';
import { AppError } from './errors.ts';
import { type AddressRange, maskedUrl, readBaseUrl, readRanges } from './values.ts';

export interface Config {
  host: string;
  port: number;
  /** Without a trailing slash. */
  baseUrl: string;
  databaseUrl: string;
  /** Connections of each process to a database server, at most. */
  databasePool: number;
  workers: number;
  /** Requests per second and token; 0 is off. */
  rateLimit: number;
  /** Whose word on the client's address is believed. */
  trustedProxies: readonly AddressRange[];
  /** Where metrics are served; undefined: nowhere. */
  metricsPort: number | undefined;
  metricsHost: string;
  /** How old the newest backup may get; undefined: none is made unasked. */
  backupEveryMs: number | undefined;
  /** How many backups are kept. */
  backupKeep: number;
  /** The folder of backups; undefined: beside the database. */
  backupDir: string | undefined;
  logLevel: LogLevel;
}

const workersAtMost = 64;
/** What a PostgreSQL server allows, as it comes, less some for others. */
const connectionsInAll = 80;
const backupEveryMsAtMost = 365 * 86_400_000;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a setting is called in the program; those with a unit there are durations as text here. */
export type SettingKey = Exclude<keyof Config, 'backupEveryMs'> | 'backupEvery';

export interface Option {
  key: SettingKey;
  env: string;
  flag: string;
  placeholder: string;
  default: string;
  help: string;
  /** Whether the value can carry a password, which is then masked wherever it is shown. */
  hasSecret: boolean;
}

export const options: readonly Option[] = [
  option('host', 'HOST', 'address', '127.0.0.1', 'Address to listen on; 0.0.0.0 for every network'),
  option('port', 'PORT', 'number', '8080', 'Port to listen on; 0 takes a free one'),
  option(
    'baseUrl',
    'BASE_URL',
    'url',
    'http://localhost:PORT',
    'Address that members use; links are built from it',
  ),
  option('databaseUrl', 'DATABASE_URL', 'url', 'sqlite:./data/garden.db', 'sqlite:PATH or postgres://…'),
  option(
    'databasePool',
    'DATABASE_POOL',
    'number',
    'auto',
    'Connections of each process to PostgreSQL, at most; auto: 10, fewer where many processes share the server',
  ),
  option('workers', 'WORKERS', 'number', 'auto', 'Server processes; auto: one for each core'),
  option('rateLimit', 'RATE_LIMIT', 'number', '1000', 'Requests per second and token; 0 is off'),
  option(
    'trustedProxies',
    'TRUSTED_PROXIES',
    'ranges',
    'none',
    'Proxies whose X-Forwarded-For is believed: addresses and CIDR ranges with commas between, or none',
  ),
  option('metricsPort', 'METRICS_PORT', 'number', 'none', 'Port to serve metrics for Prometheus on, or none'),
  option('metricsHost', 'METRICS_HOST', 'address', '127.0.0.1', 'Address to serve metrics on'),
  option(
    'backupEvery',
    'BACKUP_EVERY',
    'duration',
    'none',
    'Back up when the newest backup is this old: a number with s, m, h or d, or none',
  ),
  option('backupKeep', 'BACKUP_KEEP', 'number', '7', 'Backups made so that are kept'),
  option(
    'backupDir',
    'BACKUP_DIR',
    'folder',
    'auto',
    'Folder of backups; auto: the folder backups beside the database',
  ),
  option(
    'logLevel',
    'LOG_LEVEL',
    'level',
    'info',
    `How much is logged to standard error: ${logLevels.join(', ')}`,
  ),
];

function option(key: SettingKey, env: string, placeholder: string, byDefault: string, help: string): Option {
  const flag = env.toLowerCase().replaceAll('_', '-');
  return { key, env, flag, placeholder, default: byDefault, help, hasSecret: placeholder.startsWith('url') };
}

/** Settings that stand on the command line. */
export type Flags = Readonly<Partial<Record<SettingKey, string>>>;

export interface Setting {
  option: Option;
  value: string;
  source: 'flag' | 'environment' | 'default';
}

/** Where each setting comes from: a flag, else the environment, else its default. */
export function readSettings(flags: Flags): Setting[] {
  return options.map((option) => {
    const flag = flags[option.key];
    if (flag !== undefined) return { option, value: flag, source: 'flag' };
    const fromEnvironment = process.env[option.env];
    // An empty variable is how compose files and shells say "not set".
    if (fromEnvironment) return { option, value: fromEnvironment, source: 'environment' };
    return { option, value: option.default, source: 'default' };
  });
}

/** The settings as the program uses them. Throws badSetting that names the variable, its value and what is allowed. */
export function readConfig(flags: Flags): Config {
  const settings = new Map(readSettings(flags).map((setting) => [setting.option.key, setting]));
  const text = (key: SettingKey) => settings.get(key)?.value ?? '';
  const refuse = (key: SettingKey, allowed: string): never => {
    const setting = settings.get(key);
    const name = setting?.source === 'flag' ? `--${setting.option.flag}` : setting?.option.env;
    throw new AppError('badSetting', `${name} is ${JSON.stringify(masked(setting))}; it must be ${allowed}.`);
  };
  const integer = (key: SettingKey, least: number, most: number, orElse = ''): number => {
    const digits = text(key);
    const value = /^(?:0|[1-9][0-9]{0,9})$/.test(digits) ? Number(digits) : Number.NaN;
    if (value >= least && value <= most) return value;
    return refuse(key, `${orElse}an integer from ${least} to ${most}`);
  };
  const integerOr = <T>(word: string, instead: T, key: SettingKey, least: number, most: number) =>
    text(key) === word ? instead : integer(key, least, most, `${word} or `);
  const host = (key: 'host' | 'metricsHost'): string =>
    /^[A-Za-z0-9.:_-]+$/.test(text(key)) ? text(key) : refuse(key, 'a host name or an IP address');
  const port = integer('port', 0, 65_535);
  const workers = integerOr(
    'auto',
    Math.min(availableParallelism(), workersAtMost),
    'workers',
    1,
    workersAtMost,
  );
  const pool = Math.max(1, Math.min(10, Math.floor(connectionsInAll / workers)));
  const backupEveryMs = text('backupEvery') === 'none' ? undefined : durationMs(text('backupEvery'));
  if (text('backupEvery') !== 'none' && !(backupEveryMs && backupEveryMs <= backupEveryMsAtMost)) {
    refuse('backupEvery', 'none, or a number with s, m, h or d from 1s to 365d, such as 24h');
  }
  const isDefaultBase = settings.get('baseUrl')?.source === 'default';
  const baseUrl = isDefaultBase ? `http://localhost:${port}` : readBaseUrl(text('baseUrl'));
  const logLevel = logLevels.find((level) => level === text('logLevel'));
  return {
    host: host('host'),
    port,
    baseUrl: baseUrl ?? refuse('baseUrl', 'an http or https address without query or fragment'),
    databaseUrl: text('databaseUrl'),
    databasePool: integerOr('auto', pool, 'databasePool', 1, 1000),
    workers,
    rateLimit: integer('rateLimit', 0, 1_000_000),
    trustedProxies:
      readRanges(text('trustedProxies')) ??
      refuse(
        'trustedProxies',
        'none, or IP addresses and CIDR ranges with commas between, such as 127.0.0.1,10.0.0.0/8,::1',
      ),
    metricsPort: integerOr('none', undefined, 'metricsPort', 1, 65_535),
    metricsHost: host('metricsHost'),
    backupEveryMs,
    backupKeep: integer('backupKeep', 1, 9999),
    backupDir: text('backupDir') === 'auto' ? undefined : text('backupDir'),
    logLevel: logLevel ?? refuse('logLevel', `one of ${logLevels.join(', ')}`),
  };
}

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A number with s, m, h or d, in milliseconds; undefined where the text is none. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unitMs[unit] ?? 0);
}

/** The environment of a program started from here, with these settings. */
export function environmentWith(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...settings };
}

/** A setting's value for showing: a password in a URL becomes ***. */
export function masked(setting: Setting | undefined): string {
  const value = setting?.value ?? '';
  return setting?.option.hasSecret ? maskedUrl(value) : value;
}

/** Whether stacks of faults are shown. Reads no other setting, since one of them may be the fault. */
export function isDebugging(): boolean {
  return process.env['LOG_LEVEL'] === 'debug' || process.env['LOG_LEVEL'] === 'trace';
}
