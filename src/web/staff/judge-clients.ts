/** The garden's own client at judges where people can sign in. Its secret goes in, and never comes out. */
import { html } from 'hono/html';
import type { Judge } from '../../judges/judge.ts';
import { judges } from '../../judges/judges.ts';
import { findJudgeClient, forgetJudgeClient, saveJudgeClient } from '../../practice/judge-clients.ts';
import { openIdPath } from '../account/openid.ts';
import { field } from '../fields.ts';
import { type Faults, textField } from '../forms.ts';
import type { Html } from '../layout.ts';
import type { MemberVisit } from '../visits.ts';
import { linkTo, richWords, words } from '../words.ts';
import { act, faultOf } from './acts.ts';
import { panel } from './parts.ts';

/** A panel for each such judge; `begin` is the start of a form to the page. */
export async function clientPanels(visit: MemberVisit, begin: Html, faults: Faults): Promise<Html[]> {
  const panels = Object.entries<Judge>(judges).map(async ([source, { name, openId }]) => {
    if (!openId) return undefined;
    const client = await findJudgeClient(visit.store.reader, source);
    const typed =
      faults['client_id'] === undefined ? (client?.id ?? '') : (visit.form.get('client_id') ?? '');
    const remove = html`${begin}<div class="actions"><button class="button danger" name="remove_client" value="${source}">${words('clients.remove')}</button></div></form>`;
    return panel(
      `client-${source}`,
      words('clients.title', { judge: name }),
      html`<p class="soft" data-client="${client ? 'set' : 'unset'}">${client ? richWords('clients.set', { id: client.id }) : richWords('clients.unset')}</p>
<p class="soft">${richWords('clients.text', { judge: name, place: linkTo(openId.registration), address: openId.registration })}</p><p class="soft"><code>${visit.site.baseUrl}${openIdPath}${source}/</code></p>
${begin}${textField(words('clients.id'), 'client_id', faults, { value: typed, longest: 500 })}${textField(words('clients.secret'), 'client_secret', faults, { type: 'password', longest: 500 })}<div class="actions"><button class="button" name="save_client" value="${source}">${words('clients.save')}</button></div></form>${client ? remove : ''}`,
    );
  });
  return (await Promise.all(panels)).filter((one) => one !== undefined);
}

/** Does what such a panel was sent with; undefined for any other form. */
export async function takeClient(
  visit: MemberVisit,
): Promise<{ faults: Faults } | { done: 'client-saved' | 'client-removed' } | undefined> {
  const { form } = visit;
  const named = (name: string) => {
    const source = field(form, name, 50);
    const isJudge = Object.hasOwn(judges, source) && 'openId' in judges[source as keyof typeof judges];
    return isJudge ? source : undefined;
  };
  const [saved, removed] = [named('save_client'), named('remove_client')];
  if (removed !== undefined) {
    await act(visit, async (tx) => ({
      what: 'judge-client-removed',
      result: await forgetJudgeClient(tx, removed),
    }));
    return { done: 'client-removed' };
  }
  if (saved === undefined) return undefined;
  const client = {
    id: field(form, 'client_id', 500).trim(),
    secret: field(form, 'client_secret', 500).trim(),
  };
  try {
    await act(visit, async (tx) => ({
      what: 'judge-client-set',
      result: await saveJudgeClient(tx, saved, client),
    }));
    return { done: 'client-saved' };
  } catch (error) {
    return { faults: { client_id: faultOf(error) } };
  }
}
