/** Answers that may be given again: by a name that says all that they were made of, so that none is ever stale. */
import { LRUCache } from 'lru-cache';

/** For everything that is kept, in bytes: bodies, names and headers. */
const keptAtMost = 8 * 1024 * 1024;
/** A larger body is kept where large bodies are made (collections.ts). */
const bodyAtMost = 64 * 1024;
/** A body of so many bytes is kept as text: Node writes it together with the head, in one piece. */
const textAtMost = 4096;
/** What an entry takes beside its texts. */
const overhead = 500;

/** `text` is Latin-1; `release` is to be called once the bytes are sent, or never will be. */
export type Body = { bytes: Buffer; release?(): void } | { text: string };

export interface Kept {
  tag: string;
  /** All that a 200 has and that does not depend on the request: names and values in turn. */
  headers: readonly string[];
  body: Body;
}

export interface KeptAnswers {
  find(name: string): Kept | undefined;
  /** Answers the body as it is to be sent. */
  keep(name: string, tag: string, headers: Kept['headers'], bytes: Buffer): Body;
}

export function keptAnswers(): KeptAnswers {
  const answers = new LRUCache<string, Kept>({
    maxSize: keptAtMost,
    sizeCalculation: ({ headers, body }, name) =>
      overhead + 2 * (name.length + headers.join().length) + ('text' in body ? body.text : body.bytes).length,
  });
  return {
    find: (name) => answers.get(name),
    keep: (name, tag, headers, bytes) => {
      const body = bytes.length > textAtMost ? { bytes } : { text: bytes.toString('latin1') };
      if (bytes.length <= bodyAtMost) answers.set(name, { tag, headers, body });
      return body;
    },
  };
}
