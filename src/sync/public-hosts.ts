/**
 * Connections to public addresses alone. The address is checked where the connection is made, so a name server that answers
 * otherwise a moment later (DNS rebinding) gets nowhere.
 */
import { lookup as lookupName } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/** Addresses of one's own network (RFC 6890), which the name of a judge must never lead to. */
const ownNetworks = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  ownNetworks.addSubnet(net, bits, 'ipv4');
  // A gateway may translate these to the IPv4 address in their last bits (NAT64, RFC 6052 §2.1).
  ownNetworks.addSubnet(`64:ff9b::${net}`, 96 + bits, 'ipv6');
}
for (const [net, bits] of [
  // With the IPv4 address in the last bits (RFC 4291 §2.5.5.1), the unspecified address and loopback.
  ['::', 96],
  // The same for translation (RFC 2765 §2.1).
  ['::ffff:0:0:0', 96],
  // Translation within one network (RFC 8215).
  ['64:ff9b:1::', 48],
  // Tunnels to the IPv4 address in the next bits: Teredo (RFC 4380) and 6to4 (RFC 3056).
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  // The former site-local addresses (RFC 3879).
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  ownNetworks.addSubnet(net, bits, 'ipv6');
}

/** Whether an IP address is one of a private network, of this machine, or of a group. */
export function isPrivate(address: string): boolean {
  return ownNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
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
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) done(error ?? new Error(`${host} has no address`), []);
      else if (found.some(({ address }) => isPrivate(address))) done(new PrivateAddressError(host), []);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
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
export function publicHosts(): Promise<Dispatcher> {
  dispatcher ??= dispatcherWith(publicLookup());
  return dispatcher;
}

/** Whether a URL has a private address, or a name that is always this machine (RFC 6761 §6.3). */
export function isPrivateItself(url: URL): boolean {
  const address = addressIn(url);
  return isIP(address) === 0 ? /(?:^|\.)localhost\.?$/.test(address) : isPrivate(address);
}

/** Throws PrivateAddressError for such a URL: an address is connected to without being looked up. */
export function assertNoPrivateAddress(url: URL): void {
  if (isPrivateItself(url)) throw new PrivateAddressError(addressIn(url));
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
