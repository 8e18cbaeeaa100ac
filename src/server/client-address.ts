/** The address that a request came from: the peer's, or the one that trusted proxies name; and what they say of its member. */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv6 } from 'node:net';

export interface ClientAddress {
  address: string;
  /** How the client reached the first trusted proxy; undefined where no proxy is trusted, or none names it. */
  scheme?: string | undefined;
}

/** More hops than any real request has; hops farther to the left are ignored. */
const hopsAtMost = 32;

/**
 * Finds the client of a request. X-Forwarded-For, X-Forwarded-Proto and Forwarded (RFC 7239) are believed only if the peer is
 * in the ranges; the client is the right-most address that is not in them. Where the two headers disagree, a proxy passed one of
 * them on from outside unread, so neither counts.
 */
export function clientFinder(ranges: BlockList | undefined): (request: IncomingMessage) => ClientAddress {
  const isTrusted = trustOf(ranges);

  /** The first address from the right that is not trusted; the walk ends at an entry that is no address. */
  function firstUntrusted(peer: string, hops: readonly string[]): string {
    let client = peer;
    for (const hop of hops) {
      const address = addressIn(hop);
      if (address === undefined) return client;
      client = address;
      if (!isTrusted(address)) return client;
    }
    return client;
  }

  return ({ socket, headers }) => {
    const peer = unmapped(socket.remoteAddress ?? '');
    if (!isTrusted(peer)) return { address: peer };
    const forwarded = hopsOf(headers['forwarded']).map(
      // No value has blanks in it: if one could, a long run of them would take cubic time.
      (element) => /(?:^|;)\s*for\s*=\s*("?)([^\s";]+)\1\s*(?:;|$)/i.exec(element)?.[2] ?? '',
    );
    const [address = peer, other = address] = [hopsOf(headers['x-forwarded-for']), forwarded]
      .filter((hops) => hops.length > 0)
      .map((hops) => firstUntrusted(peer, hops));
    const scheme = hopsOf(headers['x-forwarded-proto'])[0]?.trim().toLowerCase();
    return {
      address: address === other ? address : peer,
      scheme: scheme === 'http' || scheme === 'https' ? scheme : undefined,
    };
  };
}

/**
 * Finds the lines of the header by which a proxy signs people in; undefined for a request of any other peer, whatever its headers
 * say.
 */
export function proxyLines(
  ranges: BlockList | undefined,
  header: string | undefined,
): (request: IncomingMessage) => readonly string[] | undefined {
  if (header === undefined) return () => undefined;
  const isTrusted = trustOf(ranges);
  return ({ socket, headersDistinct }) =>
    isTrusted(unmapped(socket.remoteAddress ?? ''))
      ? (headersDistinct[header.toLowerCase()] ?? [])
      : undefined;
}

function trustOf(ranges: BlockList | undefined): (address: string) => boolean {
  return (address) =>
    isIP(address) !== 0 && (ranges?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ?? false);
}

/** The last entries of a list in a header, the last one first. */
function hopsOf(header: string | string[] = ''): string[] {
  return header === '' ? [] : String(header).split(',').slice(-hopsAtMost).reverse();
}

/** An address with or without a port, IPv6 with or without brackets. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const bare =
    /^\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1');
  return isIP(bare) === 0 || bare.includes('%') ? undefined : unmapped(bare);
}

/** An IPv4 address is one however it is written: `::ffff:192.0.2.1` is how a socket for both families sees it. */
function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
