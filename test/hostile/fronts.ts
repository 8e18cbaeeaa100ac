/** Inputs that a proxy rewrites into another request before it passes them on, with the answer to that request and the reason. */
import type { FrontName } from '../support/fronts.ts';

interface Normalised {
  why: string;
  /** A number of the registry or a status, as in the tables; 0 for a body without a head, as HTTP/0.9 has it. */
  answer: number;
  names: readonly string[];
}

const bothReadMore: Normalised[] = [
  {
    why: 'the proxy takes a line that ends with LF alone for one that ends with CR and LF',
    answer: 204,
    names: ['headers: lines that end with LF alone', 'framing: a chunk size that ends with a bare LF'],
  },
];

export const normalised: Readonly<Record<Exclude<FrontName, 'caddy'>, readonly Normalised[]>> = {
  nginx: [
    ...bothReadMore,
    {
      why: 'nginx speaks HTTP/0.9 with its client, and HTTP/1.1 with us',
      answer: 0,
      names: ['startLines: a deletion in HTTP/0.9', 'startLines: HTTP/0.9 without a version'],
    },
    {
      why: 'nginx reads any version 1.x as 1.1, and lets a space follow it',
      answer: 204,
      names: ['startLines: HTTP/1.2', 'startLines: HTTP/1.10', 'startLines: a space after the version'],
    },
    {
      why: 'nginx adds a header line of its own to the thousand',
      answer: 43100,
      names: ['headers: 1,000 header lines'],
    },
    {
      why: 'nginx passes on the name in Host without its port',
      answer: 204,
      names: [
        'headers: a Host with a port of letters',
        'headers: a Host with a port of six digits',
        'headers: a Host with two ports',
        'targets: a whole URL of the host a:99999',
      ],
    },
    {
      why: 'nginx passes on the path alone, whatever the scheme before it',
      answer: 204,
      names: ['targets: an ftp URL'],
    },
    {
      why: 'nginx leaves out header lines that are malformed',
      answer: 204,
      names: [
        'headers: a header without a colon',
        'headers: a header name with a bracket',
        'headers: a header name beyond ASCII',
      ],
    },
    {
      why: 'nginx deals with Expect itself and passes on none',
      answer: 204,
      names: [
        'headers: Expect a miracle',
        'headers: Expect nothing',
        'headers: Expect 100-continue and more',
        'headers: Expect 200-ok',
      ],
    },
  ],
  haproxy: [
    ...bothReadMore,
    {
      why: 'HAProxy goes by Transfer-Encoding and leaves out Content-Length (RFC 9112 §6.3)',
      answer: 204,
      names: [
        'framing: both framings, length first',
        'framing: both framings, length zero',
        'framing: both framings, coding first',
        'framing: a second request with both framings',
      ],
    },
    {
      why: 'HAProxy makes one header of several that are alike (RFC 9110 §8.6)',
      answer: 204,
      names: [
        'framing: Content-Length as a list of one length',
        'framing: Content-Length twice, alike',
        'headers: two Hosts, alike',
      ],
    },
    {
      why: 'HAProxy passes on a request of any version as 1.1',
      answer: 204,
      names: [
        'startLines: HTTP/2.0 by name',
        'startLines: HTTP/2.0 that asks to be kept alive',
        'startLines: HTTP/3.0',
        'startLines: HTTP/9.9',
        'startLines: HTTP/1.2',
      ],
    },
    {
      why: 'HAProxy takes a tab in the start line for a space',
      answer: 204,
      names: ['startLines: a tab after the method', 'startLines: a tab in the target'],
    },
    {
      why: 'HAProxy joins a line that begins with a space to the one before (RFC 9112 §5.2)',
      answer: 204,
      names: ['headers: a Host on a folded line', 'headers: a folded header'],
    },
  ],
};
