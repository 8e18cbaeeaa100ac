/** Connects only to public addresses. The address is checked when connecting, so DNS rebinding cannot get around it. */

import { lookup as lookupName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AppError } from '../errors.ts';
import { judgeFault } from '../judges/faults.ts';

/** NAT64 (RFC 6052 §2.1): the last 32 bits are an IPv4 address. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Public addresses are assigned in here (RFC 4291 §2.4); those outside may contain a private IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Reserved addresses (RFC 6890) count as private. */
export function isPrivate(text: string): boolean {
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6) {
    if (address.match(nat64)) return isPrivate(address.toByteArray().slice(-4).join('.'));
    if (!address.match(globalUnicast)) return true;
  }
  return address.range() !== 'unicast';
}

export class PrivateAddressError extends Error {
  readonly host: string;

  constructor(host: string) {
    super(`${host} points into this server's own network`);
    this.host = host;
  }
}

/** Fails if any address of a name is private. Addresses in URLs are not looked up, so they never come here. */
export function publicLookup(lookup: typeof lookupName = lookupName): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) callback(error ?? new Error(`${host} has no address`), []);
      else if (addresses.some(({ address }) => isPrivate(address)))
        callback(new PrivateAddressError(host), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

type Dispatcher = NonNullable<RequestInit['dispatcher']>;

export async function dispatcherWith(lookup: LookupFunction): Promise<Dispatcher> {
  // The hundred modules of undici take an eighth of a process's start, and most processes never fetch.
  const { Agent } = await import('undici');
  return new Agent({ connect: { lookup } }) as never;
}

let dispatcher: Promise<Dispatcher> | undefined;

function publicDispatcher(): Promise<Dispatcher> {
  dispatcher ??= dispatcherWith(publicLookup());
  return dispatcher;
}

/** RFC 6761 §6.3: names ending in localhost are this computer. */
export function isPrivateHost(url: URL): boolean {
  const address = addressIn(url);
  return isIP(address) === 0 ? /(?:^|\.)localhost\.?$/.test(address) : isPrivate(address);
}

function assertNoPrivateAddress(url: URL): void {
  if (isPrivateHost(url)) throw new PrivateAddressError(addressIn(url));
}

export interface FetchBounds {
  mayBePrivate: boolean;
  answerMs: number;
  signal?: AbortSignal | undefined;
}

export async function fetchWithin(
  url: URL,
  request: RequestInit,
  { mayBePrivate, answerMs, signal }: FetchBounds,
): Promise<Response> {
  if (!mayBePrivate) assertNoPrivateAddress(url);
  const timeout = AbortSignal.timeout(answerMs);
  return fetch(url, {
    // A redirect could lead to a host that nobody configured, so none is followed.
    redirect: 'error',
    ...request,
    ...(!mayBePrivate && { dispatcher: await publicDispatcher() }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
}

const faultKinds = {
  private: 'refused',
  timeout: 'down',
  redirect: 'odd answer',
  'unknown-host': 'down',
  unreachable: 'down',
} as const;

function causeOf(error: unknown) {
  const cause = (error as Error).cause as { code?: string; message?: string; syscall?: string } | undefined;
  const privateError = [error, cause].find((one) => one instanceof PrivateAddressError);
  const codeOf = (): keyof typeof faultKinds => {
    if (privateError) return 'private';
    if ((error as Error).name === 'TimeoutError') return 'timeout';
    if (cause?.message === 'unexpected redirect') return 'redirect';
    return cause?.syscall === 'getaddrinfo' ? 'unknown-host' : 'unreachable';
  };
  return { word: codeOf(), host: privateError?.host ?? '', why: cause?.code ?? (error as Error).message };
}

/**
 * Returns a word that pages know. A name with a private address looks like an unknown one, so that it reveals no
 * internal names.
 */
export function faultCodeOf(error: unknown): string {
  const { word } = causeOf(error);
  return word === 'private' && !(error instanceof PrivateAddressError) ? 'unknown-host' : word;
}

export type NetworkFailure = ReturnType<typeof causeOf> & { seconds: number };

export function networkFault(
  error: unknown,
  answerMs: number,
  sentenceOf: (cause: NetworkFailure) => AppError,
): AppError {
  const cause = causeOf(error);
  return judgeFault(faultKinds[cause.word], sentenceOf({ ...cause, seconds: answerMs / 1000 }));
}

export function resolvesToPrivateHost(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    if (isIP(addressIn(url)) !== 0) resolve(isPrivate(addressIn(url)));
    else publicLookup()(url.hostname, {}, (error) => resolve(error instanceof PrivateAddressError));
  });
}

/** URLs write IPv6 addresses in brackets. */
function addressIn({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
