/** Answers that may be given again: by a name that says all that they were made of, so that none is ever stale. */
import { LRUCache } from 'lru-cache';

/** For everything that is kept, in bytes: bodies, names and headers. */
const keptAtMost = 20 * 1024 * 1024;
/** A body of so many bytes is kept as text: Node writes it together with the head, in one piece. */
const textAtMost = 4096;
/** What an entry takes beside its texts. */
const overhead = 500;

/** Few bytes as text in Latin-1, or bytes. */
export type Body = string | Buffer;

export interface Kept {
  tag: string;
  /** All that a 200 has and that does not depend on the request: names and values in turn. */
  headers: readonly string[];
  body: Body;
}

export interface KeptAnswers {
  find(name: string): Kept | undefined;
  keep(name: string, tag: string, headers: Kept['headers'], bytes: Buffer): Kept;
}

export function keptAnswers(): KeptAnswers {
  const answers = new LRUCache<string, Kept>({
    maxSize: keptAtMost,
    sizeCalculation: ({ headers, body }, name) =>
      overhead + 2 * (name.length + headers.join().length) + body.length,
  });
  return {
    find: (name) => answers.get(name),
    keep: (name, tag, headers, bytes) => {
      const kept = { tag, headers, body: bytes.length > textAtMost ? bytes : bytes.toString('latin1') };
      answers.set(name, kept);
      return kept;
    },
  };
}
