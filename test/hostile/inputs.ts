/** The shape of the tables of hostile inputs: what is sent, byte for byte, and what has to be answered. */

/** Values that the bytes of a table are made with. */
export interface Fixtures {
  /** Authorization lines: a member's with all scopes, a staff member's, a member's with one scope. */
  member: string;
  staff: string;
  narrow: string;
  expired: string;
  revoked: string;
  disabled: string;
  /** The token in `member`, alone. */
  token: string;
  /** A cursor of listProblems in its own order. */
  cursor: string;
  /** The plant of the request that is smuggled; without one a canary. */
  smuggledPlant?: string;
}

export interface Hostile {
  name: string;
  /** Several are sent one after the other, each in a packet of its own. A character is a byte. */
  bytes: string | readonly string[];
  /** A number of the error registry, or the status of an answer that is no refusal. */
  answer: number;
  /** Whether the server ends the connection after its answer. */
  closes: boolean;
  /** The statuses of the answers to the requests before it on its connection. */
  before?: readonly number[];
  headers?: Readonly<Record<string, string | RegExp>>;
  /** Matches the sentence of the refusal, where the number alone does not show that the sentence is true. */
  message?: RegExp;
  /** Waits for a time-out of the server. */
  isSlow?: boolean;
}

export type Table = (fixtures: Fixtures) => Hostile[];

type More = Partial<Pick<Hostile, 'before' | 'headers' | 'message' | 'isSlow'>>;

/** An input after which the connection goes on. */
export function answered(name: string, bytes: Hostile['bytes'], answer: number, more: More = {}): Hostile {
  return { name, bytes, answer, closes: false, ...more };
}

/** An input after which nothing on the connection can be trusted. */
export function ended(name: string, bytes: Hostile['bytes'], answer: number, more: More = {}): Hostile {
  return { name, bytes, answer, closes: true, ...more };
}

/** Inputs with one answer that differ in one part of their bytes, each part under the name of its input. */
export function alike<Part>(
  make: typeof answered,
  bytesOf: (part: Part) => Hostile['bytes'],
  answer: number | readonly [answer: number, more: More],
  parts: Readonly<Record<string, Part>>,
): Hostile[] {
  const [number, more] = typeof answer === 'number' ? [answer] : answer;
  return Object.entries(parts).map(([name, part]) => make(name, bytesOf(part), number, more));
}

/** A request without a body: a start line and header lines, Host first. */
export function head(startLine: string, ...headers: string[]): string {
  return [startLine, 'Host: garden.test', ...headers, '', ''].join('\r\n');
}

/** The same without a Host. */
export function bareHead(startLine: string, ...headers: string[]): string {
  return [startLine, ...headers, '', ''].join('\r\n');
}

/** Shows that a connection goes on, and ends it. */
export const probe = head('OPTIONS /plants/1 HTTP/1.1', 'Connection: close');

/** A request that would delete a canary, were it read as one. */
export function smuggled({ staff, smuggledPlant = '1' }: Fixtures): string {
  return head(`DELETE /plants/${smuggledPlant} HTTP/1.1`, staff);
}

/** The headers of an Upgrade to a WebSocket. */
export const webSocket = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
