/**
 * Watches the primary and its replicas, a few times a second: which replicas follow it, whether it answers, and which of
 * them may stand in for it while it does not.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { Tell } from './open.ts';
import { isLoss, isTimeout } from './postgres-errors.ts';
import type { Lookout, Position, Replica } from './postgres-replica.ts';

export interface Watch {
  isLost(): boolean;
  /** The replicas that follow the primary. However far behind they are, what they have is its history. */
  following(): readonly Replica[];
  /** Looks at the primary now; says whether it answers. */
  hear(): Promise<boolean>;
  /**
   * The servers that have everything which anybody can have been shown, as far as can be known while the primary does
   * not answer; none where that cannot be known of any.
   */
  elect(): Promise<readonly Replica[]>;
  state(): { listed: number; following: number; leftOut: number };
  end(): void;
}

interface Watched {
  /** Looks at the server that takes writes. */
  primary: Lookout;
  replicas: readonly Replica[];
  /** The name of the database. */
  instance: string;
  /** Called when the primary stops answering, and with a sentence for the log whenever something changes. */
  onLoss(): void;
  tell: Tell;
}

const pauseMs = 300;
/** One that stopped answering may still be taking the primary's commits; one that is down takes none. */
const silenceCountsMs = 5_000;

interface Member {
  replica: Replica;
  /** The start of the primary that it follows; undefined while it is not used. */
  follows: string | undefined;
  /** Where its log has to get to show that it is that primary's. */
  goal: { primary: string; server: string; position: bigint } | undefined;
  /** Whom it was last known to follow, and when. */
  followed: string | undefined;
  followedAt: number;
  isPrimary: boolean;
  /** The most that it was known to have received. */
  farthest: bigint;
  trouble: string | undefined;
}

export function watch({ primary, replicas, instance, onLoss, tell }: Watched): Watch {
  const members = replicas.map(
    (replica): Member => ({
      replica,
      follows: undefined,
      goal: undefined,
      followed: undefined,
      followedAt: Number.NEGATIVE_INFINITY,
      isPrimary: false,
      farthest: 0n,
      trouble: undefined,
    }),
  );
  const ended = new AbortController();
  /** The start of the primary that answered last, and where its log ended then. */
  let known: { server: string; position: bigint } | undefined;
  /** Who may have taken commits that were told since. */
  let electors: readonly Member[] = [];
  let isLost = false;

  const isFollowing = ({ follows }: Member) => follows !== undefined && follows === known?.server;

  const hear = sharedAmong(async () => {
    try {
      const { server, received } = await primary.look();
      known = { server, position: received };
      const since = performance.now() - silenceCountsMs;
      electors = members.filter(({ followed, followedAt }) => followed === server && followedAt > since);
      if (isLost) tell('info', 'the primary answers again');
      isLost = false;
    } catch (error) {
      if (!isLost && !ended.signal.aborted) lose(error);
    }
    return !isLost;
  });

  function lose(error: unknown): void {
    isLost = true;
    // Who was the primary is it no more, until it answers.
    for (const member of members) member.isPrimary = false;
    onLoss();
    tell(
      'warn',
      `the primary cannot be asked (${reasonOf(error)}): reads go on from replicas, changes are refused`,
    );
  }

  function leaveOut(member: Member, reason: string): void {
    if (member.trouble !== reason) tell('warn', `the replica ${member.replica.name} is left out: ${reason}`);
    Object.assign(member, { trouble: reason, follows: undefined, goal: undefined, isPrimary: false });
  }

  /** Looks at a replica and says whether that is enough for now. */
  async function examine(member: Member): Promise<boolean> {
    const { replica } = member;
    let at: Position;
    try {
      at = await replica.look();
    } catch (error) {
      replica.giveUp();
      if (isDown(error)) member.followedAt = Number.NEGATIVE_INFINITY;
      leaveOut(member, reasonOf(error));
      return true;
    }
    if (at.instance !== instance) {
      leaveOut(member, 'it has another database, or none of the garden yet');
      return true;
    }
    member.isPrimary = !at.isStandby;
    if (!at.isStandby) {
      Object.assign(member, { follows: undefined, goal: undefined, trouble: undefined });
      return true;
    }
    if (at.received > member.farthest) member.farthest = at.received;
    return isLost || follow(member, at);
  }

  /**
   * Nothing that may be asked of a standby says whose log it has. But one that follows reaches any position that the
   * primary gave after it; one that went another way, because commits were lost with the primary before, gets nothing more.
   */
  async function follow(member: Member, at: Position): Promise<boolean> {
    if (isFollowing(member) && member.goal?.server === at.server) {
      member.followedAt = performance.now();
      return true;
    }
    member.follows = undefined;
    const { goal, replica } = member;
    if (goal?.primary !== known?.server || goal?.server !== at.server) {
      if (!(await hear()) || !known) return true;
      if (known.position < at.replayed) {
        leaveOut(member, 'it is ahead of the primary, so its log is not the same');
        return true;
      }
      member.goal = { primary: known.server, server: at.server, position: known.position };
      return false;
    }
    if (!goal || at.replayed < goal.position) return true;
    member.follows = goal.primary;
    member.followed = goal.primary;
    member.followedAt = performance.now();
    member.trouble = undefined;
    if (!electors.includes(member)) electors = [...electors, member];
    tell('info', `the replica ${replica.name} is used`);
    return true;
  }

  async function elect(): Promise<readonly Replica[]> {
    const asked = members.filter((member) => electors.includes(member) || member.isPrimary);
    const answers = await Promise.all(
      asked.map(async (member) => {
        const at = await member.replica.look().catch(() => undefined);
        return { member, at: at?.instance === instance ? at : undefined };
      }),
    );
    const leader = answers.find(({ at }) => at && !at.isStandby);
    if (leader) return [leader.member.replica];
    const votes = answers.filter(({ member }) => electors.includes(member));
    // Who does not answer may be the one that has the last commit.
    if (votes.length === 0 || votes.some(({ at }) => at === undefined)) return [];
    let target = known?.position ?? 0n;
    for (const { member, at } of votes) {
      if (at && at.received > member.farthest) member.farthest = at.received;
      if (member.farthest > target) target = member.farthest;
    }
    return votes.filter(({ at }) => at && at.replayed >= target).map(({ member }) => member.replica);
  }

  async function repeat(work: () => Promise<boolean>): Promise<void> {
    while (!ended.signal.aborted) {
      const isEnough = await work();
      if (isEnough) await sleep(pauseMs, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  }

  repeat(async () => {
    await hear();
    return true;
  });
  for (const member of members) repeat(() => examine(member));
  return {
    isLost: () => isLost,
    following: () => members.filter(isFollowing).map(({ replica }) => replica),
    hear,
    elect: sharedAmong(elect),
    state: () => ({
      listed: members.length,
      following: members.filter(isFollowing).length,
      leftOut: members.filter(({ trouble }) => trouble !== undefined).length,
    }),
    end: () => ended.abort(),
  };
}

/** Who asks while the work is under way waits for the next one, together with all who ask meanwhile. */
function sharedAmong<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const own = work().finally(() => {
      if (running === own) running = undefined;
    });
    running = own;
    return own;
  };
  return () => {
    if (!running) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}

/** Whether the server refuses or has gone, rather than not answering. */
function isDown(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return isLoss(cause) && !isTimeout(cause);
}

function reasonOf(error: unknown): string {
  const { code } = ((error as Error).cause ?? error) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9]{5,}$/.test(code) ? code : 'it does not answer';
}
