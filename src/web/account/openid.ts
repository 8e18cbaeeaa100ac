/** Proving a handle by signing in at the judge: the way there, and what the browser brings back. */
import { html } from 'hono/html';
import { AppError } from '../../errors.ts';
import { judgeOf } from '../../judges/addresses.ts';
import { handleFault } from '../../judges/handles.ts';
import { judges } from '../../judges/judges.ts';
import { findJudgeClient } from '../../practice/judge-clients.ts';
import { proveByOpenId } from '../../practice/proofs.ts';
import { saveVisit, takeVisit } from '../../store/handle-proofs.ts';
import { beginVisit, endVisit, notBegunHere, type OpenIdPlace, visitMs } from '../../sync/openid.ts';
import type { Html } from '../layout.ts';
import { type Answer, type MemberVisit, nothingHere } from '../visits.ts';
import { richWords, words } from '../words.ts';
import { accountPage, accountPath, notice, roomAfter } from './rooms.ts';

/** Where judges send browsers back to, with the judge and a slash behind it. */
export const openIdPath = `${accountPath}handles/openid/`;

/** The button of a judge whose client staff entered. */
export async function openIdOffer(visit: MemberVisit, source: string): Promise<Html | undefined> {
  const place = await placeOf(visit, source);
  if (!place) return undefined;
  const { site, antiForgery } = visit;
  const { name: judge } = place.judge;
  return html`<p class="soft">${words('openid.text', { judge })}</p><form class="form" method="post" action="${site.basePath}${openIdPath}${source}/">${antiForgery}<div class="actions"><button class="button">${words('openid.prove', { judge })}</button></div></form>`;
}

/** The buttons of all such judges. */
export async function openIdOffers(visit: MemberVisit): Promise<Html[]> {
  const offers = await Promise.all(Object.keys(judges).map((source) => openIdOffer(visit, source)));
  return offers.filter((offer) => offer !== undefined);
}

async function placeOf({ store, site, website }: MemberVisit, source: string) {
  const judge = judgeOf(source);
  if (!judge?.openId) return undefined;
  const client = await findJudgeClient(store.reader, source);
  return (
    client && {
      judge: judge as OpenIdPlace['judge'],
      client,
      issuer: website.judgeUrls?.get(`${source}-openid`),
      returnTo: `${site.baseUrl}${openIdPath}${source}/`,
    }
  );
}

async function askedPlace(visit: MemberVisit): Promise<OpenIdPlace & { source: string }> {
  const { source = '' } = visit.params;
  const place = await placeOf(visit, source);
  if (!place) throw nothingHere(visit.path);
  return { ...place, source };
}

/** Answers a page with a link to the judge: our forms may lead nowhere else, and people see where they go. */
export async function beginOpenId(visit: MemberVisit): Promise<Answer> {
  const { store, member } = visit;
  const place = await askedPlace(visit);
  const { name: judge } = place.judge;
  return orFault(visit, judge, async () => {
    const { url, visit: kept } = await beginVisit(place);
    const begun_at = new Date().toISOString();
    await store.write((tx) =>
      saveVisit(tx, { session_id: member.id, source: place.source, ...kept, begun_at }),
    );
    const go = html`<section class="panel"><p>${words('openid.goText', { judge, host: new URL(url).host })}</p><div class="actions"><a class="button primary" href="${url}" rel="noreferrer" data-away>${words('openid.go', { judge })}</a></div></section>`;
    return { html: page(visit, judge, go) };
  });
}

/** What the judge sends the browser back with. */
export async function endOpenId(visit: MemberVisit): Promise<Answer> {
  const { store, member, query, path } = visit;
  const place = await askedPlace(visit);
  const { judge, source } = place;
  if (!['code', 'error', 'state'].some((name) => query.has(name))) throw nothingHere(path);
  return orFault(visit, judge.name, async () => {
    const kept = await store.write((tx) => takeVisit(tx, member.id));
    const isOver = !kept || kept.source !== source || Date.parse(kept.begun_at) + visitMs < Date.now();
    if (isOver) throw notBegunHere(judge.name);
    const person = await endVisit(place, query, kept);
    const fault = handleFault(judge, person.handle);
    if (fault !== undefined) throw new AppError('badSetting', fault);
    await store.write((tx) => proveByOpenId(tx, member.user_id, source, person));
    return { to: roomAfter('handles/', 'proved') };
  });
}

async function orFault(visit: MemberVisit, judge: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !['badSetting', 'judgeFailed'].includes(error.code)) throw error;
    const status = error.code === 'badSetting' ? 422 : error.status;
    return { html: page(visit, judge, notice('bad', error.message)), status };
  }
}

function page(visit: MemberVisit, judge: string, content: Html): Html {
  const back = html`<p><a href="${visit.site.basePath}${accountPath}handles/">${words('proof.back')}</a></p>`;
  return accountPage(
    visit,
    { room: 'handles/', title: words('proof.title'), sub: richWords('openid.sub', { judge }) },
    html`${content}${back}`,
  );
}
