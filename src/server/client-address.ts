/** Whose request it is: the peer's address, or what proxies tell of it that are trusted by their addresses. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { AddressRange } from '../values.ts';

/** What a request says of who sent it: one of Node's own, or what is known of one that was not parsed. */
export type Asking = Pick<IncomingMessage, 'method' | 'headers' | 'socket'>;

export interface Client {
  address: string;
  /** How the client reached the first trusted proxy; undefined where none is trusted or none told. */
  scheme?: 'http' | 'https';
}

/** More hops than any real request has; what stands farther left is not looked at. */
const hopsAtMost = 32;

/**
 * Who sent a request. X-Forwarded-For, X-Forwarded-Proto and Forwarded (RFC 7239) are believed only if the peer is in
 * the ranges; the client is the right-most address that is not in them. Where both ways of telling disagree, one of them
 * was passed on unseen from outside, so neither counts.
 */
export function clientTeller(trusted: readonly AddressRange[]): (request: Asking) => Client {
  const ranges = new BlockList();
  for (const { address, prefix } of trusted) ranges.addSubnet(address, prefix, familyOf(address));
  const isTrusted = (address: string) => ranges.check(address, familyOf(address));
  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress ?? '');
    if (trusted.length === 0 || isIP(peer) === 0 || !isTrusted(peer)) return { address: peer };
    const told = [hopsOf(headers['x-forwarded-for']), forwardedHops(headers['forwarded'])]
      .filter((hops) => hops.length > 0)
      .map((hops) => firstUntrusted(peer, hops, isTrusted));
    const [address = peer, other = address] = told;
    const scheme = lastOf(headers['x-forwarded-proto'])?.toLowerCase();
    return {
      address: address === other ? address : peer,
      ...((scheme === 'http' || scheme === 'https') && { scheme }),
    };
  };
}

/** From right to left, as far as those who tell are trusted and what they tell is an address. */
function firstUntrusted(
  peer: string,
  hops: readonly string[],
  isTrusted: (address: string) => boolean,
): string {
  let client = peer;
  for (const hop of hops) {
    const address = addressIn(hop);
    if (address === undefined) return client;
    client = address;
    if (!isTrusted(address)) return client;
  }
  return client;
}

/** The last entries of a list in a header, the last one first. */
function hopsOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : header;
  if (!text) return [];
  return text.split(',').slice(-hopsAtMost).reverse();
}

function forwardedHops(header: string | string[] | undefined): string[] {
  return hopsOf(header).map(
    (element) => /(?:^|;)\s*for\s*=\s*("?)([^";]*)\1\s*(?:;|$)/i.exec(element)?.[2] ?? '',
  );
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return hopsOf(header)[0]?.trim();
}

/** An address with or without a port, IPv6 with or without brackets. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const bare =
    /^\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1');
  return isIP(bare) === 0 || bare.includes('%') ? undefined : plain(bare);
}

/** An IPv4 address is one however it is written: `::ffff:192.0.2.1` is how a socket for both families sees it. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
