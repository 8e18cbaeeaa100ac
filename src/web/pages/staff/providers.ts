/**
 * Where people may sign in besides with a password: the list, and a page for each place with its client and its rules.
 */

import { AppError, badSetting } from '../../../errors.ts';
import { openIdJudges } from '../../../judges/openid.ts';
import { countAccounts } from '../../../store/openid-accounts.ts';
import { deleteProvider, findProvider, listProviders, saveProvider } from '../../../store/openid-providers.ts';
import type { OpenIdProvidersTable } from '../../../store/openid-tables.ts';
import type { Faults } from '../../kit/form.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { staffPath } from '../../paths.ts';
import { faultOf, field } from '../../road/fields.ts';
import { placeOf } from '../../road/openid-place.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { act } from './acts.ts';
import { donePath, faultNotice, staffFrame } from './frame.ts';
import { newKey, providerForm, readProvider } from './provider-form.ts';

const path = `${staffPath}providers/`;

export const providersPage: PageRoute<MemberVisit> = { path, isSecret: true, show: showAll };
export const providerPage: PageRoute<MemberVisit> = {
  path: `${path}:key/`,
  isSecret: true,
  show: async (visit) => ({ html: await page(visit, await askedProvider(visit)) }),
  change: take,
};

async function showAll(visit: MemberVisit): Promise<Answer> {
  const { store, site } = visit;
  const known = await listProviders(store.reader);
  const judges = [...openIdJudges].filter(([source]) => !known.some(({ key }) => key === source));
  const line = (key: string, name: string, state: string, text: Html | string) =>
    html`
      <li class="file" data-provider="${key}">
        <div><h3><bdi>${name}</bdi></h3><p class="soft small">${state}</p><p class="faint small">${text}</p></div>
        <div class="actions">
          <a class="button small" href="${site.basePath}${path}${key}/">
            ${richWords(state === words('providers.judge') ? 'providers.setUp' : 'providers.change', {
              name: html`<bdi>${name}</bdi>`,
            })}
          </a>
        </div>
      </li>`;
  const lines = await Promise.all(
    known.map(async (one) => {
      const { all } = await countAccounts(store.reader, one.key);
      const text = richWords('providers.line', { issuer: html`<code>${one.issuer}</code>`, all });
      return line(one.key, one.name, stateOf(one), text);
    }),
  );
  const more = judges.map(([source, { name }]) =>
    line(source, name, words('providers.judge'), words('providers.judgeText')),
  );
  const add = html`<a class="button primary" href="${site.basePath}${path}${newKey}/">${words('providers.add')}</a>`;
  return {
    html: staffFrame(
      visit,
      { title: words('providers.title'), room: 'providers/', sub: words('providers.sub'), actions: add },
      html`
        ${panel('places', words('providers.places'), html`<ul class="files">${lines}${more}</ul>`)}
        <p class="faint">
          ${richWords('providers.password', {
            how: linkTo(`${site.basePath}/docs/operations/#signing-in-with-a-school-or-a-club`),
          })}
        </p>`,
    ),
  };
}

function stateOf(provider: OpenIdProvidersTable): string {
  const { admits, makes_members } = provider;
  const isNew = makes_members !== 0n && admits !== 'nobody' && admits !== 'joined';
  return isNew ? `${whoEnters(provider)} ${words('providers.makes')}` : whoEnters(provider);
}

function whoEnters({ admits, claim, wanted }: OpenIdProvidersTable): string {
  if (admits === 'domain') return words('providers.whoseDomain', { wanted });
  if (admits === 'claim') return words('providers.whoseClaim', { claim, wanted });
  return words(`providers.who.${admits}`);
}

/** What the page is about: a provider, a judge that has no client yet, or a new one. */
interface Asked {
  key: string;
  found: OpenIdProvidersTable | undefined;
}

async function askedProvider({ store, params, path: asked }: MemberVisit): Promise<Asked> {
  const { key = '' } = params;
  const found = /^[a-z0-9-]{1,40}$/.test(key) ? await findProvider(store.reader, key) : undefined;
  if (!found && key !== newKey && !openIdJudges.has(key)) throw nothingHere(asked);
  return { key, found };
}

async function page(visit: MemberVisit, { key, found }: Asked, faults: Faults = {}): Promise<Html> {
  const { store, site, antiForgery } = visit;
  const title = found?.name ?? openIdJudges.get(key)?.name ?? words('providers.add');
  const begin = html`<form class="form" method="post" action="${site.basePath}${path}${key}/">${antiForgery}`;
  const counts = found && (await countAccounts(store.reader, key));
  const removal =
    counts &&
    panel(
      'remove',
      words('providers.remove'),
      html`
        ${begin}
        <p class="soft">
          ${words('providers.removeText', { all: counts.all })} ${
            counts.all === 0n ? '' : words('providers.onlyWay', { only: counts.only })
          }
        </p>
        <div class="actions">
          <button class="button danger" name="act" value="remove">${words('providers.removeIt')}</button>
        </div>
        </form>`,
    );
  return staffFrame(
    visit,
    { title, room: 'providers/', above: words('providers.title') },
    html`
      ${faultNotice(faults['form'])}
      ${panel('client', words('providers.client'), providerForm(visit, { key, found, begin, faults }))}
      ${removal ?? ''}`,
  );
}

async function take(visit: MemberVisit): Promise<Answer> {
  const { store, form } = visit;
  const asked = await askedProvider(visit);
  const { key, found } = asked;
  const refuse = async (faults: Faults) => ({ html: await page(visit, asked, faults), status: 422 });
  if (field(form, 'act', 20) === 'remove') {
    if (!found) return refuse({});
    await act(visit, async (tx) => ({ what: 'provider-removed', result: await deleteProvider(tx, key) }));
    return { to: donePath(path, 'provider-removed') };
  }
  const { row, faults } = await readProvider(visit, asked);
  if (!row) return refuse(faults);
  if (!found) {
    if (await findProvider(store.reader, row.key)) return refuse({ key: words('providers.keyTaken') });
    // So that a wrong address is noticed by those who typed it.
    try {
      const { tryPlace } = await import('../../../sync/openid.ts');
      await tryPlace(placeOf(visit, row, 'set-up'));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return refuse({ form: error.message });
    }
  }
  try {
    await act(visit, async (tx) => {
      const present = (await findProvider(tx, row.key))?.changed_at ?? '';
      if (present !== (found ? field(form, 'seen', 40) : '')) throw badSetting(words('providers.overtaken'));
      return { what: 'provider-saved', result: await saveProvider(tx, row) };
    });
    return { to: donePath(path, 'provider-saved') };
  } catch (error) {
    return refuse({ form: faultOf(error) });
  }
}
