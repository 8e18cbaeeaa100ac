/**
 * Connections to public addresses alone. The address is checked where the connection is made, so a name server that answers
 * otherwise a moment later (DNS rebinding) gets nowhere.
 */

import { lookup as lookupName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AppError } from '../errors.ts';
import { judgeFault } from '../judges/faults.ts';

/** A gateway translates these to the IPv4 address in their last bits (NAT64, RFC 6052 §2.1). */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** The former form of IPv4 addresses in IPv6 (RFC 4291 §2.5.5.1), which the library takes for public. */
const compatible = ipaddr.IPv6.parseCIDR('::/96');

/** Whether an IP address is one of a private network, of this machine, or of a group, or else reserved (RFC 6890). */
export function isPrivate(text: string): boolean {
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6) {
    if (address.match(compatible)) return true;
    if (address.match(nat64)) return isPrivate(address.toByteArray().slice(-4).join('.'));
  }
  return address.range() !== 'unicast';
}

/** The error for a name that leads into the server's own network. */
export class PrivateAddressError extends Error {
  readonly host: string;

  constructor(host: string) {
    super(`${host} points into this server's own network`);
    this.host = host;
  }
}

/** Looks names up, and fails where any address of one is private. Addresses that stand in a URL never come here. */
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

/** For `fetch`, whose types are those of another minor release of undici. */
export async function dispatcherWith(lookup: LookupFunction): Promise<Dispatcher> {
  // Its hundred modules take an eighth of the start of every process; most processes ask no judge.
  const { Agent } = await import('undici');
  return new Agent({ connect: { lookup } }) as never;
}

let dispatcher: Promise<Dispatcher> | undefined;

/** For `fetch` to hosts that nobody may have set up inside. */
function publicHosts(): Promise<Dispatcher> {
  dispatcher ??= dispatcherWith(publicLookup());
  return dispatcher;
}

/** Whether a URL has a private address, or a name that is always this machine (RFC 6761 §6.3). */
export function isPrivateItself(url: URL): boolean {
  const address = addressIn(url);
  return isIP(address) === 0 ? /(?:^|\.)localhost\.?$/.test(address) : isPrivate(address);
}

/** Throws PrivateAddressError for such a URL: an address is connected to without being looked up. */
function assertNoPrivateAddress(url: URL): void {
  if (isPrivateItself(url)) throw new PrivateAddressError(addressIn(url));
}

export interface FetchBounds {
  mayBePrivate: boolean;
  answerMs: number;
  signal?: AbortSignal | undefined;
}

/** Sends a request, whose answer comes in time or fails. Throws PrivateAddressError. */
export async function fetchWithin(
  url: URL,
  request: RequestInit,
  { mayBePrivate, answerMs, signal }: FetchBounds,
): Promise<Response> {
  if (!mayBePrivate) assertNoPrivateAddress(url);
  const timeout = AbortSignal.timeout(answerMs);
  return fetch(url, {
    ...request,
    // A redirect would lead to a host that nobody configured.
    redirect: 'error',
    ...(!mayBePrivate && { dispatcher: await publicHosts() }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
}

/** A word for the cause of a failed request, and the kind of fault that it is. */
const kinds = {
  private: 'refused',
  timeout: 'down',
  redirect: 'odd answer',
  'unknown-host': 'down',
  unreachable: 'down',
} as const;

/** Why `fetchWithin`, or reading its answer, failed: the host that is private, and the system's code or message. */
function causeOf(error: unknown) {
  const cause = (error as Error).cause as { code?: string; message?: string; syscall?: string } | undefined;
  const inside = [error, cause].find((one) => one instanceof PrivateAddressError);
  const wordOf = (): keyof typeof kinds => {
    if (inside) return 'private';
    if ((error as Error).name === 'TimeoutError') return 'timeout';
    if (cause?.message === 'unexpected redirect') return 'redirect';
    return cause?.syscall === 'getaddrinfo' ? 'unknown-host' : 'unreachable';
  };
  return { word: wordOf(), host: inside?.host ?? '', why: cause?.code ?? (error as Error).message };
}

/** In a word that pages know. A name that leads inside gets the same one as a name that nobody has. */
export function faultWordOf(error: unknown): string {
  const { word } = causeOf(error);
  return word === 'private' && !(error instanceof PrivateAddressError) ? 'unknown-host' : word;
}

/** The cause of a failed request, and how many seconds it had. */
export type Unreached = ReturnType<typeof causeOf> & { seconds: number };

/** The fault of a site that could not be asked; `say` makes its sentence. */
export function networkFault(
  error: unknown,
  answerMs: number,
  sentenceOf: (cause: Unreached) => AppError,
): AppError {
  const cause = causeOf(error);
  return judgeFault(kinds[cause.word], sentenceOf({ ...cause, seconds: answerMs / 1000 }));
}

/** Whether a URL leads inside now; no for a name that cannot be looked up. */
export function leadsInside(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    if (isIP(addressIn(url)) !== 0) resolve(isPrivate(addressIn(url)));
    else publicLookup()(url.hostname, {}, (error) => resolve(error instanceof PrivateAddressError));
  });
}

/** IPv6 addresses stand in brackets. */
function addressIn({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
