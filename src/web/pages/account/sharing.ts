/** Sharing: what a member shows to everybody who has an address, which they make here and can revoke. */

import { readPreferences, setSwitch } from '../../../practice/preferences.ts';
import {
  endSharedAddress,
  makeSharedAddress,
  type PublicPage,
  pageAudiences,
  pageParts,
  readPublicPage,
  showPagePart,
  showPageTo,
} from '../../../practice/public-pages.ts';
import { listSharedAddresses, type SharedAddressesTable } from '../../../store/plants.ts';
import { type PictureKindName, pictureKinds, sizeOfPicture } from '../../drawing/member-pictures.ts';
import { past } from '../../kit/dates.ts';
import { button, form } from '../../kit/form.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { picturePath, publicPath, sharingPath } from '../../paths.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { linkTo, type MessageKey, richWords, words } from '../../words/words.ts';
import { accountPage, roomAfter } from './frame.ts';

const texts: Readonly<Record<PictureKindName, readonly [name: MessageKey, text: MessageKey]>> = {
  garden: ['sharing.garden', 'sharing.gardenText'],
  year: ['sharing.year', 'sharing.yearText'],
};

const way = { to: sharingPath };

export async function showSharing(visit: MemberVisit): Promise<Answer> {
  const { reader } = visit.store;
  const { user_id } = visit.member;
  const shared = await listSharedAddresses(reader, user_id);
  const { hidesName } = await readPreferences(reader, user_id);
  const one = (kind: PictureKindName) => {
    const picture = shared.find((made) => made.kind === kind);
    return kindPanel(visit, kind, picture, hidesName);
  };
  return accountPage(
    visit,
    { room: 'sharing/', sub: words('sharing.sub'), styles: ['garden.css', 'members.css'] },
    html`
      ${pagePanel(visit, await readPublicPage(reader, user_id))}
      ${pictureKinds.map(one)}
      ${namePanel(visit, hidesName)}
      <p class="soft">${richWords('sharing.privacy', { way: linkTo(`${visit.site.basePath}/docs/privacy/`) })}</p>`,
  );
}

/**
 * The public page: who may see it, and what is on it. Each button says what it does, so that no old tab shows the page
 * again.
 */
function pagePanel(visit: MemberVisit, { audience, shows }: PublicPage): Html {
  const { site, member } = visit;
  const path = publicPath(member.username);
  const who = pageAudiences.map(
    (one) =>
      html`
        <button class="button" name="page" value="${one}" aria-pressed="${String(one === audience)}">
          ${words(`publicPage.to.${one}`)}
        </button>`,
  );
  const parts = pageParts.map((part) =>
    shows[part]
      ? button(words(`publicPage.hide.${part}`), 'small', ['page_without', part])
      : button(words(`publicPage.show.${part}`), 'small', ['page_with', part]),
  );
  const switches = (label: string, buttons: readonly Html[]) =>
    form(visit, way, html`<div class="page-switches" role="group" aria-label="${label}">${buttons}</div>`);
  return panel(
    { id: 'page', heading: words('publicPage.heading') },
    html`
      <p class="soft">${words('publicPage.text')}</p>
      ${switches(words('publicPage.who'), who)}
      <p>${words(`publicPage.is.${audience}`)}</p>
      <p><a href="${site.basePath}${path}"><code>${site.baseUrl}${path}</code></a></p>
      ${switches(words('publicPage.what'), parts)}
      <p class="faint">${words('publicPage.never')}</p>`,
  );
}

function kindPanel(
  visit: MemberVisit,
  kind: PictureKindName,
  picture: SharedAddressesTable | undefined,
  hidesName: boolean,
): Html {
  const { site, member } = visit;
  const heading = words(texts[kind][0]);
  const text = html`<p class="soft">${words(texts[kind][1])}</p>`;
  if (!picture) {
    const make = button(words('sharing.make'), 'primary', ['share', kind], 'share');
    return panel({ id: `shared-${kind}`, heading }, html`${text}${form(visit, way, make)}`);
  }
  const file = `${picturePath}${picture.secret}.svg`;
  const address = site.baseUrl + file;
  const owner = member.first_name ?? member.username;
  const alt = hidesName ? words(`sharing.altPlain.${kind}`) : words(`sharing.alt.${kind}`, { owner });
  const [width, height] = sizeOfPicture[kind];
  const markdown = `![${alt.replaceAll(/[\\[\]]/g, '\\$&')}](${address})`;
  const copyable = (name: string, value: string) =>
    html`<p>${name}<code class="copyable" tabindex="0">${value}</code></p>`;
  return panel(
    { id: `shared-${kind}`, heading },
    html`
      ${text}
      <img
        class="shared-picture" src="${site.basePath}${file}" width="${width}" height="${height}"
        alt="${words('sharing.preview')}"
      >
      ${copyable(words('sharing.address'), address)}
      ${copyable(words('sharing.markdown'), markdown)}
      <p class="faint">${richWords('sharing.since', { when: past(picture.made_at) })} ${words('sharing.revokeText')}</p>
      ${form(visit, way, button(words('sharing.revoke'), 'danger', ['revoke', kind]))}`,
  );
}

function namePanel(visit: MemberVisit, hidesName: boolean): Html {
  const owner = visit.member.first_name ?? visit.member.username;
  const said = hidesName ? words('sharing.isUnnamed') : words('sharing.isNamed', { owner });
  const text = words(hidesName ? 'sharing.showName' : 'sharing.hideName');
  const change = form(visit, way, button(text, '', ['hide_name', String(!hidesName)]));
  return panel({ id: 'name', heading: words('sharing.name') }, html`<p class="soft">${said}</p>${change}`);
}

export async function takeSharing({ store, member, form: sent }: MemberVisit): Promise<Answer> {
  const { user_id } = member;
  const chosen = <T extends string>(name: string, known: readonly T[]) => known.find((one) => one === sent.get(name));
  const wanted = chosen('share', pictureKinds);
  const unwanted = chosen('revoke', pictureKinds);
  const audience = chosen('page', pageAudiences);
  const shown = chosen('page_with', pageParts);
  const hidden = chosen('page_without', pageParts);
  const hidesName = sent.get('hide_name');
  if (wanted) {
    await makeSharedAddress(store, user_id, wanted);
    return { to: roomAfter('sharing/', 'shared') };
  }
  if (unwanted) {
    await endSharedAddress(store, user_id, unwanted);
    return { to: roomAfter('sharing/', 'unshared') };
  }
  if (audience) {
    await showPageTo(store, user_id, audience);
    return { to: roomAfter('sharing/', audience === 'nobody' ? 'pageHidden' : 'pageShown') };
  }
  if (shown) await showPagePart(store, user_id, shown, true);
  else if (hidden) await showPagePart(store, user_id, hidden, false);
  else if (hidesName !== null) await setSwitch(store, user_id, 'hidesName', hidesName === 'true');
  return { to: sharingPath };
}
