/** Every setting, once: environment name, flag, default, help. The only place that reads the environment. */
import { AppError } from './errors.ts';

export interface Config {
  host: string;
  port: number;
  /** Without a trailing slash. */
  baseUrl: string;
  databaseUrl: string;
  workers: number;
  /** Requests per second and token; 0 is off. */
  rateLimit: number;
  logLevel: LogLevel;
}

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Option {
  key: keyof Config;
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
  option('databaseUrl', 'DATABASE_URL', 'url', 'sqlite:./data/garden.db', 'Database: sqlite: and a path'),
  option('workers', 'WORKERS', 'number', '1', 'Server processes'),
  option('rateLimit', 'RATE_LIMIT', 'number', '1000', 'Requests per second and token; 0 is off'),
  option(
    'logLevel',
    'LOG_LEVEL',
    'level',
    'info',
    `How much is logged to standard error: ${logLevels.join(', ')}`,
  ),
];

function option(
  key: keyof Config,
  env: string,
  placeholder: string,
  byDefault: string,
  help: string,
): Option {
  const flag = env.toLowerCase().replaceAll('_', '-');
  return { key, env, flag, placeholder, default: byDefault, help, hasSecret: placeholder === 'url' };
}

export interface Setting {
  option: Option;
  value: string;
  source: 'flag' | 'environment' | 'default';
}

/** Where each setting comes from: a flag, else the environment, else its default. */
export function readSettings(flags: Readonly<Partial<Record<keyof Config, string>>>): Setting[] {
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
export function readConfig(flags: Readonly<Partial<Record<keyof Config, string>>>): Config {
  const settings = new Map(readSettings(flags).map((setting) => [setting.option.key, setting]));
  const text = (key: keyof Config) => settings.get(key)?.value ?? '';
  const refuse = (key: keyof Config, allowed: string): never => {
    const setting = settings.get(key);
    const name = setting?.source === 'flag' ? `--${setting.option.flag}` : setting?.option.env;
    throw new AppError('badSetting', `${name} is ${JSON.stringify(masked(setting))}; it must be ${allowed}.`);
  };
  const integer = (key: keyof Config, least: number, most: number): number => {
    const digits = text(key);
    const value = /^(?:0|[1-9][0-9]{0,9})$/.test(digits) ? Number(digits) : Number.NaN;
    return value >= least && value <= most ? value : refuse(key, `an integer from ${least} to ${most}`);
  };
  const port = integer('port', 0, 65_535);
  const isDefaultBase = settings.get('baseUrl')?.source === 'default';
  const baseUrl = isDefaultBase ? `http://localhost:${port}` : readBaseUrl(text('baseUrl'));
  const logLevel = logLevels.find((level) => level === text('logLevel'));
  return {
    host: /^[A-Za-z0-9.:_-]+$/.test(text('host'))
      ? text('host')
      : refuse('host', 'a host name or an IP address'),
    port,
    baseUrl: baseUrl ?? refuse('baseUrl', 'an http or https address without query or fragment'),
    databaseUrl: text('databaseUrl'),
    workers: integer('workers', 1, 64),
    rateLimit: integer('rateLimit', 0, 1_000_000),
    logLevel: logLevel ?? refuse('logLevel', `one of ${logLevels.join(', ')}`),
  };
}

/** A setting's value for showing: a password in a URL becomes ***. */
export function masked(setting: Setting | undefined): string {
  if (!setting?.option.hasSecret) return setting?.value ?? '';
  return setting.value
    .replace(/(:\/\/[^:@/]*):.*@/s, '$1:***@')
    .replace(/([?&](?:ssl)?password=)[^&]*/gi, '$1***');
}

/** Whether whoever runs this wants to see where a fault comes from. Asks nothing of the other settings: they may be at fault. */
export function isDebugging(): boolean {
  return process.env['LOG_LEVEL'] === 'debug' || process.env['LOG_LEVEL'] === 'trace';
}

function readBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href.replace(/\/+$/, '');
}
