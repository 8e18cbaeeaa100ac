/** What an open page asks: its tag, and a bar about what was solved meanwhile. */
import { parseInt64 } from '../../../contract/common.ts';
import { hourMs } from '../../../durations.ts';
import { findLatestFirstSolve, listJudgedSolvesAfter } from '../../../store/following.ts';
import { findJoinedGroup } from '../../../store/groups.ts';
import { findVisibleRound } from '../../../store/rounds.ts';
import { type Followed, readTag, secondsToNextPoll } from '../../kit/follow.ts';
import { spriteFor } from '../../kit/icons.ts';
import { problemLink, undoBar } from '../../kit/marks.ts';
import { attr, type Html, html } from '../../markup.ts';
import { followPath, problemPath } from '../../paths.ts';
import { localPath } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';

export const followPages: readonly PageRoute<MemberVisit>[] = [{ path: followPath, get: showNews, isUncached: true }];

async function showNews(visit: MemberVisit): Promise<PageResult> {
  const { store, member, query } = visit;
  const followed = await readFollowed(visit);
  const tag = await readTag(visit, followed);
  const after = query.get('after') ?? '';
  const isFirst = Number.isNaN(Date.parse(after));
  const latest = isFirst || tag !== query.get('tag') ? await findLatestFirstSolve(store.reader, member.user_id) : after;
  const wait = secondsToNextPoll(followed);
  const bar = !isFirst && latest !== after ? await solvedBar(visit, after) : undefined;
  return {
    html: html`
      <!doctype html>
      <html lang="${visit.language.tag}">
        <title>${tag}</title>
        <body${attr('data-tag', tag)}${attr('data-after', latest ?? '1970')}${attr('data-wait', wait)}>
          ${bar && html`${spriteFor(bar)}${bar}`}
        </body>
      </html>`,
  };
}

async function readFollowed({ store: { reader }, member, query, path }: MemberVisit): Promise<Followed> {
  const [roundId, groupId] = [query.get('round'), query.get('group')].map((text) => parseInt64(text ?? ''));
  if (roundId !== undefined) {
    const round = await findVisibleRound(reader, roundId, member.user_id);
    if (!round) throw pageNotFound(path);
    return { round };
  }
  if (groupId === undefined) return 'own';
  if (!(await findJoinedGroup(reader, groupId, member.user_id))) throw pageNotFound(path);
  return { groupId };
}

/** The import of a history is no news. */
const newsMs = hourMs;

async function solvedBar(visit: MemberVisit, after: string): Promise<Html | undefined> {
  const { store, member, site, query } = visit;
  const since = new Date(Math.max(Date.parse(after), Date.now() - newsMs)).toISOString();
  const [latest, ...others] = await listJudgedSolvesAfter(store.reader, member.user_id, since);
  if (!latest) return undefined;
  const forms = { ...visit, from: localPath(site, query.get('from')) };
  if (others.length > 0)
    return undoBar(
      forms,
      richWords('follow.solved', { subject: words('problem.count', { count: others.length + 1 }) }),
    );
  const text = richWords('follow.solved', { subject: problemLink(site.basePath, latest) });
  return undoBar(forms, text, 'practicing', { to: problemPath(latest.id), name: 'status' });
}
