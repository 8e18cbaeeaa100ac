/**
 * The forms about the webhook of a group or a member: they make, change, test and remove it, and give it another
 * secret.
 */
import { removeWebhook, renewSecret, saveWebhook, sendTest, type WebhookWishes } from '../../practice/webhooks.ts';
import type { Db } from '../../store/tables.ts';
import { listDeliveries } from '../../store/webhook-deliveries.ts';
import { findWebhookOf, type WebhookOwner } from '../../store/webhooks.ts';
import { isWebhookAddress } from '../../sync/webhook-sending.ts';
import { faultOf, field } from '../road/fields.ts';
import { type MemberVisit, nothingHere } from '../road/visits.ts';
import { words } from '../words/words.ts';
import { type Done, longestUrl, type Refused } from './webhook-panel.ts';

type Write = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
type Taken = { to: string; once?: string } | Refused;

/** Does what a form about the webhook asks for; `write` is how its owner may write. */
export async function takeWebhook(visit: MemberVisit, owner: WebhookOwner, page: string, write: Write): Promise<Taken> {
  const { form, member, path } = visit;
  const what = form.get('webhook');
  if (what === 'remove') {
    await write((tx) => removeWebhook(tx, owner));
    return { to: afterwards(page, 'removed') };
  }
  if (what === 'renew') {
    const secret = await write((tx) => renewSecret(tx, owner));
    if (secret === undefined) throw nothingHere(path);
    return { to: afterwards(page, 'secret'), once: secret };
  }
  if (what !== 'test') return save(visit, owner, page, write);
  return orRefused(async () => {
    if (!(await write((tx) => sendTest(tx, owner, member.user_id)))) throw nothingHere(path);
    return { to: afterwards(page, 'test') };
  });
}

async function save(
  { form, website, member }: MemberVisit,
  owner: WebhookOwner,
  page: string,
  write: Write,
): Promise<Taken> {
  const typed = field(form, 'url', 20_000).trim();
  const wishes = {
    // As the browser would send it: without ends of lines and what no address may have, such as NUL.
    url: URL.parse(typed)?.href ?? typed,
    sendsWeeks: form.get('weeks') === 'true',
    sendsDues: form.get('dues') === 'true',
  };
  const faults: Record<string, string> = {};
  if (wishes.url.length > longestUrl) faults['url'] = words('form.atMost', { longest: longestUrl });
  else if (!isWebhookAddress(wishes.url, website.privatePlaces)) faults['url'] = words('webhooks.badUrl');
  if (!wishes.sendsWeeks && !wishes.sendsDues) faults['what'] = words('webhooks.chooseOne');
  if (Object.keys(faults).length > 0) return { faults, wishes };
  const given = { seen: field(form, 'version', 20_000), memberId: member.user_id };
  return orRefused(async () => {
    const saved = await write((tx) => saveWebhook(tx, owner, wishes, given));
    if (saved === 'overtaken') return { faults: { form: words('webhooks.overtaken') } };
    if (saved.secret === undefined) return { to: afterwards(page, 'saved') };
    return { to: afterwards(page, 'secret'), once: saved.secret };
  }, wishes);
}

/** A secret stands above the panel. */
const afterwards = (page: string, done: Done) => `${page}?webhook=${done}#${done === 'secret' ? 'made' : 'webhook'}`;

/** Says in the panel why the work was refused. */
async function orRefused(work: () => Promise<Taken>, wishes?: WebhookWishes): Promise<Taken> {
  try {
    return await work();
  } catch (error) {
    return { faults: { form: faultOf(error) }, ...(wishes && { wishes }) };
  }
}

/** How soon the page is to be loaded again: while a test waits, so that what becomes of it is seen. */
export async function refreshOf(
  { query, store }: MemberVisit,
  owner: WebhookOwner,
): Promise<{ refreshSeconds?: number }> {
  if (query.get('webhook') !== 'test') return {};
  const hook = await findWebhookOf(store.reader, owner);
  const [newest] = hook ? await listDeliveries(store.reader, hook.id, 1) : [];
  return newest?.state === 'waiting' && newest.tries === 0n ? { refreshSeconds: 4 } : {};
}
