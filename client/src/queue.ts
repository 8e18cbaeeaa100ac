/** The problems that wait to be sent to an inbox. They stay in a small file until they are sent, for a day at most. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withoutControls } from './usage.ts';

/** A problem as Competitive Companion sends it, without what an inbox does not need. */
export interface CompanionProblem {
  name: string;
  group: string;
  url: string;
  batch: { id: string; size: number };
}

/** The problems of one batch. */
interface Waiting {
  /** When the first of them came, in milliseconds since 1970. */
  at: number;
  problems: CompanionProblem[];
}

export interface Queue {
  add(problem: CompanionProblem): void;
  /** Ends the work; what is not sent stays in the file. */
  close(): Promise<void>;
}

export interface QueueOptions {
  inbox: string;
  file: string;
  say(line: string): void;
  /** Called when the inbox address cannot work any more. */
  onDeadAddress(sentence: string): void;
}

const gatherMs = 10_000;
const dayMs = 86_400_000;
const answerMs = 30_000;
const firstRetryMs = 2_000;
const longestRetryMs = 600_000;
const waitingAtMost = 1000;
/** An inbox takes no more at once. */
const sentAtOnce = 100;
const longestText = 2000;

/** The meaning of an answer of the garden for the problems that were sent. */
type Outcome =
  | { is: 'sent' }
  | { is: 'refused' | 'dead'; sentence: string }
  | { is: 'later'; afterMs?: number };

const counted = (count: number) => `${count} problem${count === 1 ? '' : 's'}`;

const plain = (text: string) => withoutControls(text).slice(0, 300);

/** Reads a problem that somebody sent; undefined for anything else. */
export function problemOf(value: unknown): CompanionProblem | undefined {
  const { name, group, url, batch } = Object(value);
  const { id, size } = Object(batch);
  const text = (one: unknown) => (typeof one === 'string' ? one.slice(0, longestText) : '');
  if (typeof url !== 'string' || url.length > longestText || !/^https?:\/\//i.test(url)) return undefined;
  const isBatch = typeof id === 'string' && id !== '' && id.length <= 100;
  const known = isBatch && Number.isSafeInteger(size) && size > 0 ? { id, size } : undefined;
  return {
    name: text(name),
    group: text(group),
    url,
    batch: known ?? { id: crypto.randomUUID(), size: 1 },
  };
}

/** Opens the queue with what the file holds from before. */
const limitTexts: ReadonlyMap<unknown, string> = new Map([
  ['day', 'today’s limit is reached'],
  ['total', 'the limit in total is reached'],
  ['off', 'adding problems is turned off'],
]);

export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { inbox, say, onDeadAddress } = options;
  const store = fileOf(options);
  const ending = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  let waiting = await store.read();
  let isSending = false;
  let retryMs = firstRetryMs;

  const isWhole = ({ problems }: Waiting) => problems.length >= (problems[0]?.batch.size ?? 1);
  const isReady = (one: Waiting) => isWhole(one) || Date.now() - one.at >= gatherMs;
  const save = () => store.write(waiting);

  function sendIn(ms: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void sendAll();
    }, ms);
    timers.add(timer);
  }

  function add(problem: CompanionProblem): void {
    const { id } = problem.batch;
    const known = waiting.find((one) => one.problems[0]?.batch.id === id && !isReady(one));
    const batch = known ?? { at: Date.now(), problems: [] };
    if (!known) {
      waiting.push(batch);
      sendIn(gatherMs);
    }
    if (!batch.problems.some(({ url }) => url === problem.url)) batch.problems.push(problem);
    while (waiting.length > 1 && waiting.reduce((sum, one) => sum + one.problems.length, 0) > waitingAtMost)
      drop(waiting[0] as Waiting, 'because too many wait');
    void save();
    if (isReady(batch)) void sendAll();
  }

  function drop(one: Waiting, why: string): void {
    waiting = waiting.filter((other) => other !== one);
    say(`Dropped ${counted(one.problems.length)} ${why}.`);
  }

  async function sendAll(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      for (const one of waiting)
        if (Date.now() - one.at > dayMs) drop(one, 'that could not be sent for a day');
      for (let next = waiting.find(isReady); next && !ending.signal.aborted; next = waiting.find(isReady)) {
        const outcome = await deliver(next.problems);
        if (ending.signal.aborted) return;
        if (outcome.is === 'dead') return onDeadAddress(outcome.sentence);
        if (outcome.is === 'later') {
          sendIn(outcome.afterMs ?? retryMs);
          retryMs = Math.min(2 * retryMs, longestRetryMs);
          return;
        }
        retryMs = firstRetryMs;
        if (outcome.is === 'refused') drop(next, `that the garden refused: ${outcome.sentence}`);
        else waiting = waiting.filter((other) => other !== next);
        await save();
      }
    } finally {
      isSending = false;
    }
  }

  async function deliver(problems: readonly CompanionProblem[]): Promise<Outcome> {
    for (let at = 0; at < problems.length; at += sentAtOnce) {
      const outcome = await post(problems.slice(at, at + sentAtOnce));
      if (outcome.is !== 'sent') return outcome;
    }
    return { is: 'sent' };
  }

  async function post(some: readonly CompanionProblem[]): Promise<Outcome> {
    try {
      const response = await fetch(inbox, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(some),
        redirect: 'manual',
        signal: AbortSignal.any([ending.signal, AbortSignal.timeout(answerMs)]),
      });
      const body = (await response.text()).slice(0, 10_000);
      return outcomeOf(response, body, some.length);
    } catch {
      if (!ending.signal.aborted)
        say(`The garden cannot be reached; ${counted(some.length)} will be sent later.`);
      return { is: 'later' };
    }
  }

  function outcomeOf({ status, headers }: Response, body: string, count: number): Outcome {
    const said = Object(readJson(body));
    if (status === 200) {
      const { added, known, waiting: beyond, lost, limit, see } = said;
      if (typeof added !== 'number') return dead('What answers there is not an inbox of Practice Garden.');
      const waitingText =
        beyond > 0 ? `, ${Number(beyond)} waiting (${limitTexts.get(limit) ?? 'limited'})` : '';
      const lostText = lost > 0 ? `, ${Number(lost)} not understood or over your limit` : '';
      say(
        `Sent ${counted(count)}: ${added} added, ${Number(known)} already there${waitingText}${lostText}. ${plain(String(see))}`,
      );
      return { is: 'sent' };
    }
    if (status >= 300 && status < 400)
      return dead('The garden answers with a redirect; use the address exactly as its Inbox page shows it.');
    if (status === 404 || status === 410)
      return dead('This inbox address no longer works; create a new one on the Inbox page of your garden.');
    if (status === 408 || status === 429 || status >= 500) {
      say(`The garden answers ${status}; ${counted(count)} will be sent later.`);
      const seconds = Number(headers.get('retry-after') ?? Number.NaN);
      const afterMs = Math.min(Math.max(seconds * 1000, retryMs), longestRetryMs);
      return Number.isNaN(afterMs) ? { is: 'later' } : { is: 'later', afterMs };
    }
    return { is: 'refused', sentence: plain(String(said.message ?? status)) };
  }

  if (waiting.length > 0) {
    say(`${counted(waiting.reduce((sum, one) => sum + one.problems.length, 0))} wait from before.`);
    sendIn(0);
    sendIn(gatherMs);
  }
  return {
    add,
    close: async () => {
      ending.abort();
      for (const timer of timers) clearTimeout(timer);
      await save();
    },
  };
}

const dead = (sentence: string): Outcome => ({ is: 'dead', sentence });

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The file, which is replaced as a whole, so that a crash leaves the old one or the new one. Only its owner may read it. */
function fileOf({ file, say }: QueueOptions) {
  let writing: Promise<void> = Promise.resolve();
  let hasFailed = false;

  async function replace(text: string): Promise<void> {
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) say(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
      hasFailed = true;
    }
  }

  return {
    write: (waiting: readonly Waiting[]): Promise<void> => {
      const text = `${JSON.stringify({ format: 'garden-companion/1', waiting })}\n`;
      writing = writing.then(() => replace(text));
      return writing;
    },
    read: async (): Promise<Waiting[]> => {
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text === undefined) return [];
      const { waiting } = Object(readJson(text));
      if (!Array.isArray(waiting)) {
        say(`${file} is not a file of this command and is replaced.`);
        return [];
      }
      return waiting.flatMap((one): Waiting[] => {
        const { at, problems } = Object(one);
        const known = Array.isArray(problems)
          ? problems.map(problemOf).filter((each) => each !== undefined)
          : [];
        return typeof at === 'number' && known.length > 0 ? [{ at, problems: known }] : [];
      });
    },
  };
}
