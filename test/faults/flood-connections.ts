/**
 * The bytes and the endings of a flood's connections, made from a seed: each connection is the same in every run of that
 * seed. Bodies hold deletions of plants that must stay, with the token of their owner; none of them is a request.
 */
import { head } from '../hostile/inputs.ts';
import { problems } from '../support/http.ts';

export interface FloodWorld {
  /** The token of a member without plants: no mutation of its requests can delete one. */
  token: string;
  owner: string;
  kept: readonly string[];
}

const endings = ['read', 'half', 'reset sending', 'reset receiving', 'never read', 'read slowly'] as const;

export interface Plan {
  kind: string;
  bytes: string;
  packets: number;
  ending: (typeof endings)[number];
  share: number;
  holdMs: number;
}

export type Random = () => number;

/** Mulberry32: numbers from 0 to 1 that follow from the seed. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (random: Random, end: number) => Math.floor(random() * end);
const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T;

const methods =
  'CONNECT PRI DESCRIBE ANNOUNCE FLUSH GET_PARAMETER SETUP PLAY SOURCE QUERY PROPFIND TRACE BREW get POST PUT HEAD OPTIONS DELETE GET'.split(
    ' ',
  );
const targets = [
  '/plants/1',
  '/x',
  '*',
  '/',
  '//',
  '/%zz',
  problems,
  `${problems}7/`,
  'example.org:443',
  ...['a', 'a:b', 'a%00', '[', 'a:99999', ':80', '@'].map((authority) => `http://${authority}/`),
];
const versions = 'HTTP/1.1 HTTP/1.0 HTTP/2.0 HTTP/0.9 HTTP/9.9 RTSP/1.0 RTSP/1.1 ICE/1.0'.split(' ');

type Maker = (random: Random, world: FloodWorld) => string;

const bearer = (token: string) => `Authorization: Bearer ${token}`;

const goodRequest: Maker = (random, { token }) => {
  const target = oneOf(random, [`${problems}${1 + below(random, 1000)}/`, `${problems}?limit=20`, `${problems}7/`]);
  return head(`GET ${target} HTTP/1.1`, bearer(token));
};

const mutations: readonly ((random: Random, text: string) => string)[] = [
  (random, text) => {
    const place = below(random, text.length);
    return splice(text, place, 1, String.fromCharCode(text.charCodeAt(place) ^ (1 << below(random, 8))));
  },
  (random, text) => text.slice(0, below(random, text.length)),
  (random, text) => {
    const lines = text.split('\r\n');
    lines.splice(below(random, lines.length), 0, oneOf(random, lines));
    return lines.join('\r\n');
  },
  (random, text) =>
    splice(text, below(random, text.length), 0, oneOf(random, ['\r', '\n', '\0', '\r\n', '\t', '\xff', ' ', ':'])),
  (random, text) => splice(text, below(random, text.length), 1 + below(random, 20), ''),
  (random, text) => text.replaceAll('\r\n', oneOf(random, ['\n', '\r', '\r\r\n'])),
];

function splice(text: string, start: number, removed: number, added: string): string {
  return text.slice(0, start) + added + text.slice(start + removed);
}

const smuggling: Maker = (random, { token, owner, kept }) => {
  const inner = head(`DELETE /plants/${oneOf(random, kept)} HTTP/1.1`, bearer(owner));
  const line = oneOf(random, [`GET ${problems}7/`, 'DELETE /plants/404', 'POST /plants/404', 'PUT /x']);
  const outer = (...headers: string[]) => head(`${line} HTTP/1.1`, bearer(token), ...headers);
  const { length } = inner;
  const chunked = 'Transfer-Encoding: chunked';
  const chunk = (extension: string, trailer: string) =>
    `${length.toString(16)}${extension}\r\n${inner}\r\n0\r\n${trailer}\r\n`;
  const lengths = [`+${length}`, `0, ${length}`, '-1', 'abc', '', '0x0', `${length} 0`, '1_0'];
  const codings = ['xchunked', 'chunked, identity', '\x0bchunked', 'identity', 'gzip, chunked', '"chunked"', ''];
  const byLength = `Content-Length: ${length}`;
  return oneOf(random, [
    () => outer(byLength) + inner,
    () => outer(oneOf(random, ['Upgrade: x', 'Upgrade: h2c']), 'Connection: Upgrade', byLength) + inner,
    () => outer('Expect: 100-continue', byLength) + inner,
    () => outer('Expect: something', byLength) + inner,
    () => outer('Connection: close') + inner,
    () => outer(byLength, chunked) + `0\r\n\r\n${inner}`,
    () => outer('Content-Length: 0', byLength) + inner,
    () => outer(`Content-Length: ${oneOf(random, lengths)}`) + inner,
    () => outer(`Transfer-Encoding: ${oneOf(random, codings)}`) + `0\r\n\r\n${inner}`,
    () => outer('Transfer-Encoding : chunked') + `0\r\n\r\n${inner}`,
    () => outer(chunked) + chunk('', ''),
    () => outer(chunked) + chunk(';a=b', ''),
    () => outer(chunked) + chunk(`;a="${'x'.repeat(below(random, 3000))}"`, ''),
    () => outer(chunked) + chunk('', `Content-Length: ${length}\r\nX-A: b\r\n`),
    () => outer(chunked) + `${oneOf(random, ['zz', '-1', '0x1', '10000000000000000'])}\r\n${inner}`,
    () => outer(...Array<string>(1000).fill('a:'), byLength) + inner,
    () => outer(`X-Pad: ${'a'.repeat(17_000)}`) + inner,
    () => outer('X Y: z') + inner,
    () => `${head('CONNECT example.org:443 HTTP/1.1')}${inner}`,
    () => `${line} HTTP/1.1\nHost: x\n${bearer(token)}\n\n${inner}`,
  ])();
};

const kinds: Record<string, { weight: number; make: Maker; endings: readonly Plan['ending'][] }> = {
  good: {
    weight: 15,
    make: (random, world) => goodRequest(random, world).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    endings: ['read'],
  },
  mutated: {
    weight: 25,
    make: (random, world) => {
      let text = goodRequest(random, world);
      for (let count = 1 + below(random, 3); count > 0 && text !== ''; count--)
        text = oneOf(random, mutations)(random, text);
      return text;
    },
    endings,
  },
  'odd start lines': {
    weight: 15,
    make: (random, { token }) =>
      head(
        `${oneOf(random, methods)} ${oneOf(random, targets)} ${oneOf(random, versions)}`,
        ...(random() < 0.5 ? [bearer(token)] : []),
      ) + oneOf(random, ['', 'SM\r\n\r\n', '\0\0\0', 'nonsense\r\n\r\n']),
    endings,
  },
  'large heads': {
    weight: 4,
    make: (random, { token }) =>
      oneOf(random, [
        () => head(`GET ${problems}7/ HTTP/1.1`, bearer(token), ...Array<string>(below(random, 5000)).fill('a:')),
        () => head(`GET ${problems}7/ HTTP/1.1`, `X-Pad: ${'a'.repeat(below(random, 100_000))}`),
        () => head(`GET /${'a'.repeat(below(random, 100_000))} HTTP/1.1`),
        () => head('GET / HTTP/1.1', `${'a'.repeat(below(random, 50_000))}: x`),
      ])(),
    endings,
  },
  'Upgrade and Expect': {
    weight: 8,
    make: (random, world) =>
      goodRequest(random, world).replace(
        '\r\n\r\n',
        `\r\n${oneOf(random, [
          'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
          'Upgrade: x',
          'Expect: 100-continue',
          'Expect: a miracle',
          'Expect: 100-continue\r\nContent-Length: 5',
        ])}\r\n\r\n`,
      ) + oneOf(random, ['', goodRequest(random, world), 'nonsense\r\n\r\n', '\x81\x85abcd']),
    endings,
  },
  smuggling: { weight: 20, make: smuggling, endings },
  pipelined: {
    weight: 4,
    make: (random, world) => {
      const requests = [goodRequest(random, world), head(`GET ${problems} HTTP/1.1`, bearer(world.token))];
      const [item = '', whole = ''] = requests;
      return random() < 0.9 ? item.repeat(2 + below(random, 199)) : whole.repeat(2 + below(random, 8));
    },
    endings: ['never read', 'read slowly', 'reset receiving', 'reset sending', 'half'],
  },
  silent: { weight: 7, make: () => '', endings: ['never read', 'half', 'reset receiving', 'read'] },
};
const deck = Object.entries(kinds).flatMap((entry) => Array<typeof entry>(entry[1].weight).fill(entry));

export function planOf(seed: number, number: number, world: FloodWorld): Plan {
  const random = randomOf(Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b));
  const [kind, chosen] = oneOf(random, deck);
  return {
    kind,
    bytes: chosen.make(random, world),
    packets: random() < 0.8 ? 1 : 2 + below(random, 4),
    ending: oneOf(random, chosen.endings),
    share: random(),
    holdMs: random() < 0.02 ? 2_000 : 20 + below(random, 130),
  };
}
