/** Sharing: the public page of a member, and pictures at addresses that can be revoked. */

import { readPreferences, setSwitch } from '../../../practice/preferences.ts';
import {
  makeSharedAddress,
  type PublicPage,
  pageAudiences,
  pageParts,
  readPublicPage,
  revokeSharedAddress,
  showPagePart,
  showPageTo,
} from '../../../practice/public-pages.ts';
import { listSharedAddresses, type SharedAddressesTable } from '../../../store/plants.ts';
import { type PictureKindName, pictureKinds, sizeOfPicture } from '../../drawing/member-pictures.ts';
import { timeAgo } from '../../kit/dates.ts';
import { button, form } from '../../kit/form.ts';
import { copyable, panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { picturePath, profilePath, sharingPath } from '../../paths.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { linkTo, type MessageKey, richWords, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';

const pictureTexts: Readonly<Record<PictureKindName, readonly [name: MessageKey, text: MessageKey]>> = {
  garden: ['sharing.garden', 'sharing.gardenText'],
  year: ['sharing.year', 'sharing.yearText'],
};

const formOptions = { to: sharingPath };

export async function showSharing(visit: MemberVisit): Promise<PageResult> {
  const { reader } = visit.store;
  const { user_id } = visit.member;
  const shared = await listSharedAddresses(reader, user_id);
  const { hidesName } = await readPreferences(reader, user_id);
  const picturePanelOf = (kind: PictureKindName) => {
    const picture = shared.find((address) => address.kind === kind);
    return picturePanel(visit, kind, picture, hidesName);
  };
  return accountPage(
    visit,
    { section: 'sharing/', subtitle: words('sharing.sub'), styles: ['garden.css', 'members.css'] },
    html`
      ${publicPagePanel(visit, await readPublicPage(reader, user_id))}
      ${pictureKinds.map(picturePanelOf)}
      ${namePanel(visit, hidesName)}
      <p class="soft">${richWords('sharing.privacy', { way: linkTo(`${visit.site.basePath}/docs/privacy/`) })}</p>`,
  );
}

/** Each button sends the new state and toggles nothing, so that an old tab does not show a hidden page again. */
function publicPagePanel(visit: MemberVisit, { audience, shows }: PublicPage): Html {
  const { site, member } = visit;
  const path = profilePath(member.username);
  const audienceButtons = pageAudiences.map(
    (one) =>
      html`
        <button class="button" name="page" value="${one}" aria-pressed="${String(one === audience)}">
          ${words(`publicPage.to.${one}`)}
        </button>`,
  );
  const partButtons = pageParts.map((part) =>
    shows[part]
      ? button(words(`publicPage.hide.${part}`), 'small', ['page_without', part])
      : button(words(`publicPage.show.${part}`), 'small', ['page_with', part]),
  );
  const buttonGroup = (label: string, buttons: readonly Html[]) =>
    form(visit, formOptions, html`<div class="page-switches" role="group" aria-label="${label}">${buttons}</div>`);
  return panel(
    { id: 'page', heading: words('publicPage.heading') },
    html`
      <p class="soft">${words('publicPage.text')}</p>
      ${buttonGroup(words('publicPage.who'), audienceButtons)}
      <p>${words(`publicPage.is.${audience}`)}</p>
      <p><a href="${site.basePath}${path}"><code>${site.baseUrl}${path}</code></a></p>
      ${buttonGroup(words('publicPage.what'), partButtons)}
      <p class="faint">${words('publicPage.never')}</p>`,
  );
}

function picturePanel(
  visit: MemberVisit,
  kind: PictureKindName,
  picture: SharedAddressesTable | undefined,
  hidesName: boolean,
): Html {
  const { site, member } = visit;
  const heading = words(pictureTexts[kind][0]);
  const text = html`<p class="soft">${words(pictureTexts[kind][1])}</p>`;
  if (!picture) {
    const shareButton = button(words('sharing.make'), 'primary', ['share', kind], 'share');
    return panel({ id: `shared-${kind}`, heading }, html`${text}${form(visit, formOptions, shareButton)}`);
  }
  const file = `${picturePath}${picture.secret}.svg`;
  const address = site.baseUrl + file;
  const owner = member.first_name ?? member.username;
  const alt = hidesName ? words(`sharing.altPlain.${kind}`) : words(`sharing.alt.${kind}`, { owner });
  const [width, height] = sizeOfPicture[kind];
  const markdown = `![${alt.replaceAll(/[\\[\]]/g, '\\$&')}](${address})`;
  const since = richWords('sharing.since', { when: timeAgo(picture.made_at) });
  return panel(
    { id: `shared-${kind}`, heading },
    html`
      ${text}
      <img
        class="shared-picture" src="${site.basePath}${file}" width="${width}" height="${height}"
        alt="${words('sharing.preview')}"
      >
      <p>${words('sharing.address')}${copyable(address)}</p>
      <p>${words('sharing.markdown')}${copyable(markdown)}</p>
      <p class="faint">${since} ${words('sharing.revokeText')}</p>
      ${form(visit, formOptions, button(words('sharing.revoke'), 'danger', ['revoke', kind]))}`,
  );
}

function namePanel(visit: MemberVisit, hidesName: boolean): Html {
  const owner = visit.member.first_name ?? visit.member.username;
  const explanation = hidesName ? words('sharing.isUnnamed') : words('sharing.isNamed', { owner });
  const text = words(hidesName ? 'sharing.showName' : 'sharing.hideName');
  const change = form(visit, formOptions, button(text, '', ['hide_name', String(!hidesName)]));
  return panel({ id: 'name', heading: words('sharing.name') }, html`<p class="soft">${explanation}</p>${change}`);
}

export async function submitSharing({ store, member, form: input }: MemberVisit): Promise<PageResult> {
  const { user_id } = member;
  const oneOf = <T extends string>(name: string, values: readonly T[]) => values.find((one) => one === input.get(name));
  const pictureToShare = oneOf('share', pictureKinds);
  const pictureToRevoke = oneOf('revoke', pictureKinds);
  const audience = oneOf('page', pageAudiences);
  const partToShow = oneOf('page_with', pageParts);
  const partToHide = oneOf('page_without', pageParts);
  const hidesName = input.get('hide_name');
  if (pictureToShare) {
    await makeSharedAddress(store, user_id, pictureToShare);
    return { to: sectionAddress('sharing/', 'shared') };
  }
  if (pictureToRevoke) {
    await revokeSharedAddress(store, user_id, pictureToRevoke);
    return { to: sectionAddress('sharing/', 'unshared') };
  }
  if (audience) {
    await showPageTo(store, user_id, audience);
    return { to: sectionAddress('sharing/', audience === 'nobody' ? 'pageHidden' : 'pageShown') };
  }
  const part = partToShow ?? partToHide;
  const isShown = partToShow !== undefined;
  if (part) await showPagePart(store, user_id, part, isShown);
  else if (hidesName !== null) await setSwitch(store, user_id, 'hidesName', hidesName === 'true');
  return { to: sharingPath };
}
