/** The address of a client, which trusted proxies report, and the header by which these sign people in. */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv6 } from 'node:net';

export interface ClientAddress {
  address: string;
  scheme?: string | undefined;
}

const hopsAtMost = 32;

/**
 * X-Forwarded-* and Forwarded (RFC 7239) count only from a trusted peer. The client is the rightmost untrusted address. If
 * the two headers disagree, a proxy forwarded one of them unread, so neither counts.
 */
export function clientFinder(ranges: BlockList | undefined): (request: IncomingMessage) => ClientAddress {
  const isTrusted = trustCheck(ranges);

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
    const peer = unmapIpv4(socket.remoteAddress ?? '');
    if (!isTrusted(peer)) return { address: peer };
    const forwarded = hopsOf(headers['forwarded']).map(
      // The value excludes blanks, because a long run of them would take cubic time.
      (element) => /(?:^|;)\s*for\s*=\s*("?)([^\s";]+)\1\s*(?:;|$)/i.exec(element)?.[2] ?? '',
    );
    const [address = peer, otherAddress = address] = [hopsOf(headers['x-forwarded-for']), forwarded]
      .filter((hops) => hops.length > 0)
      .map((hops) => firstUntrusted(peer, hops));
    const scheme = hopsOf(headers['x-forwarded-proto'])[0]?.trim().toLowerCase();
    return {
      address: address === otherAddress ? address : peer,
      scheme: scheme === 'http' || scheme === 'https' ? scheme : undefined,
    };
  };
}

/** The function returned answers undefined unless the peer is a trusted proxy. */
export function proxyHeaderValues(
  ranges: BlockList | undefined,
  header: string | undefined,
): (request: IncomingMessage) => readonly string[] | undefined {
  if (header === undefined) return () => undefined;
  const isTrusted = trustCheck(ranges);
  return ({ socket, headersDistinct }) =>
    isTrusted(unmapIpv4(socket.remoteAddress ?? ''))
      ? (headersDistinct[header.toLowerCase()] ?? [])
      : undefined;
}

function trustCheck(ranges: BlockList | undefined): (address: string) => boolean {
  return (address) =>
    isIP(address) !== 0 && (ranges?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ?? false);
}

function hopsOf(header: string | string[] = ''): string[] {
  return header === '' ? [] : String(header).split(',').slice(-hopsAtMost).reverse();
}

function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const withoutPort =
    /^\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1');
  return isIP(withoutPort) === 0 || withoutPort.includes('%') ? undefined : unmapIpv4(withoutPort);
}

/** A socket for both families reports IPv4 addresses as `::ffff:192.0.2.1`. */
function unmapIpv4(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
