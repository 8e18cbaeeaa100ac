/** Pages that follow what happens while they are open: `assets/follow.js` asks for their tag. */
import { hash } from 'node:crypto';
import { roundSeconds } from '../../jobs/sync-intervals.ts';
import { frozenFrom, phaseOf, resultsShownAt } from '../../practice/rounds.ts';
import { type MemberRevisions, readRevisions } from '../../store/activity.ts';
import { countRevisions } from '../../store/following.ts';
import type { ShownRound } from '../../store/rounds.ts';
import { attr, type Html, html } from '../markup.ts';
import { followPath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';

/** What a page shows: a round, an assignment or the season of a group, or the member's own practice. */
export type Followed = { round: ShownRound } | { groupId: bigint } | 'own';

const pollSeconds = 15;

/** A digest, because nobody may learn how much others submit. */
const tagOf = (...parts: readonly unknown[]) => hash('sha256', parts.join(' ')).slice(0, 12);

/** It differs once something that the page shows has changed. */
export async function readTag({ store: { reader }, member }: MemberVisit, followed: Followed): Promise<string> {
  if (followed === 'own') return ownTag(await readRevisions(reader, member.user_id));
  if ('groupId' in followed) return tagOf(await countRevisions(reader, 'group', followed.groupId));
  const { round } = followed;
  const now = Date.now();
  // While a round runs, the page also shows the time and when results were checked.
  const turn = Math.floor(now / (roundSeconds * 1000));
  const sum = await countRevisions(reader, 'round', round.id);
  return tagOf(sum, round.updated_at, round.people, phaseOf(round, now), turn);
}

export const ownTag = ({ statuses, solves }: MemberRevisions) => tagOf(statuses, solves);

/** In seconds: a round's page asks at once when its phase changes. */
export function secondsToNextPoll(followed: Followed): number {
  if (followed === 'own' || 'groupId' in followed) return pollSeconds;
  const { round } = followed;
  const moments = [Date.parse(round.starts_at), frozenFrom(round), Date.parse(round.ends_at), resultsShownAt(round)];
  const waits = moments.map((moment = 0) => Math.ceil((moment - Date.now()) / 1000) + 1);
  return Math.min(pollSeconds, ...waits.filter((seconds) => seconds > 0));
}

/** Attributes of a page's body. `tag` is read if the page does not know it. */
export async function followAttributes(visit: MemberVisit, followed: Followed, tag?: string): Promise<Html> {
  const { site, path } = visit;
  const query = new URLSearchParams({ from: path });
  if (followed !== 'own' && 'round' in followed) query.set('round', String(followed.round.id));
  if (followed !== 'own' && 'groupId' in followed) query.set('group', String(followed.groupId));
  return html`
    ${attr('data-follow', `${site.basePath}${followPath}?${query}`)}
    ${attr('data-tag', tag ?? (await readTag(visit, followed)))}
    ${attr('data-wait', secondsToNextPoll(followed))}`;
}
