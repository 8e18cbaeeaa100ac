/**
 * The public page of a member: the garden, the year and the lists that they share, and nothing else. Visitors who may
 * not see it get the same 404 as for an unknown name; one SQL statement checks that at each request (decision 0032).
 */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeName, judgeOf } from '../../../judges/judges.ts';
import { isUsername } from '../../../practice/members.ts';
import { type PublicPage, readPublicPage } from '../../../practice/public-pages.ts';
import { findVisibleList, listGardenListsOf, type ShownList } from '../../../store/lists.ts';
import { type CurrentRating, listCurrentRatings } from '../../../store/ratings.ts';
import { findPageOwner, type PageOwner } from '../../../store/settings.ts';
import { rankName, rankOf } from '../../drawing/charts/rating-picture.ts';
import { type PictureKindName, pictureKinds, readPicture, sizeOfPicture } from '../../drawing/member-pictures.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { changedOn, listStyles, sharedListView } from '../../kit/list-parts.ts';
import { notice, panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { listPath, membersPath, profileListPath, profilePicturePath, sharingPath } from '../../paths.ts';
import { type PageResult, type PageRoute, pageNotFound, type Visit } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

const memberPath = `${membersPath}:name/`;

export const publicPages: readonly PageRoute[] = [
  { path: memberPath, get: showPage },
  ...pictureKinds.map((kind) => ({
    path: `${memberPath}${kind}/`,
    get: (visit: Visit) => showPicture(visit, kind),
  })),
  { path: `${memberPath}lists/:list/`, get: showList },
];

async function getPublicPage({ store, params, member, path }: Visit): Promise<PublicPage & { owner: PageOwner }> {
  const name = params['name'] ?? '';
  const owner = isUsername(name) ? await findPageOwner(store.reader, name, member?.user_id) : undefined;
  if (!owner) throw pageNotFound(path);
  return { owner, ...(await readPublicPage(store.reader, owner.id)) };
}

/** The picture carries the username, as the page does, and not the name in the profile. */
const pictureOf = ({ store }: Visit, { id, username }: PageOwner, kind: PictureKindName) =>
  readPicture(store.reader, kind, id, username);

async function showPicture(visit: Visit, kind: PictureKindName): Promise<PageResult> {
  const { owner, shows } = await getPublicPage(visit);
  if (!shows[kind]) throw pageNotFound(visit.path);
  return { picture: (await pictureOf(visit, owner, kind)).draw() };
}

async function showList(visit: Visit): Promise<PageResult> {
  const { store, params, path, member } = visit;
  const { owner, shows } = await getPublicPage(visit);
  const id = parseInt64(params['list'] ?? '');
  const list = id === undefined || !shows.lists ? undefined : await findVisibleList(store.reader, id, member?.user_id);
  if (!list || list.owner_id !== owner.id || list.visibility !== 'garden') throw pageNotFound(path);
  return { html: await sharedListView(visit, list, profileListPath(owner.username, list.id)) };
}

async function showPage(visit: Visit): Promise<PageResult> {
  const { store, site, member } = visit;
  const { owner, shows, audience } = await getPublicPage(visit);
  const { username } = owner;
  const kinds = pictureKinds.filter((kind) => shows[kind]);
  const pictures: Html[] = [];
  for (const kind of kinds) {
    const { counts } = await pictureOf(visit, owner, kind);
    pictures.push(pictureFigure(visit, owner, kind, counts));
  }
  const lists = shows.lists ? await listGardenListsOf(store.reader, owner.id, member?.user_id) : [];
  const sharingLink = linkTo(site.basePath + sharingPath);
  const isOwnPage = member?.user_id === owner.id;
  const listSection = html`
    <section aria-labelledby="lists">
      <h2 id="lists">${words('publicPage.lists')}</h2>
      <ul class="list-cards" data-total="${lists.length}">${lists.map((list) => listCard(visit, owner, list))}</ul>
    </section>`;
  const ratings = shows.ratings ? await listCurrentRatings(store.reader, [owner.id]) : [];
  const isEmpty = pictures.length + lists.length + ratings.length === 0;
  const content = html`
    ${pageHead(bdi(username), { sub: words('publicPage.sub') })}
    <div class="stack" data-member="${username}">
      ${isOwnPage && notice('good', richWords(`publicPage.own.${audience}`, { way: sharingLink }))}
      ${pictures}
      ${ratings.length > 0 && ratingsPanel(ratings)}
      ${lists.length > 0 && listSection}
      ${isEmpty && html`<p class="soft">${words('publicPage.nothing')}</p>`}
    </div>`;
  const styles = ['garden.css', ...listStyles, 'members.css'] as const;
  return { html: frame(visit, { title: username, kind: 'p-member', styles, isUnlisted: true }, content) };
}

/** At each judge, the present and the best rating of the member's handle that was rated last there. */
function ratingsPanel(ratings: readonly CurrentRating[]): Html {
  const row = ([source, rows]: [string, CurrentRating[]]) => {
    // The handle that was rated last comes first.
    const [latest] = rows;
    if (!latest) return '';
    const { rating, best } = latest;
    const rank = rankOf(judgeOf(source)?.ranks ?? [], Number(rating));
    const rankAndBest = commaList([rank && rankName(rank), words('publicPage.best', { rating: String(best) })]);
    return html`
      <div data-judge="${source}">
        <dt>${judgeName(source)}</dt>
        <dd>
          <b class="big">${rating}</b> <span class="soft">${rankAndBest}</span>
        </dd>
      </div>`;
  };
  return panel(
    { id: 'ratings', heading: words('ratings.title') },
    html`<dl class="facts-line">${[...Map.groupBy(ratings, ({ source }) => source)].map(row)}</dl>`,
  );
}

/** The caption repeats the figures of the picture, which are too small to read on a narrow screen. */
function pictureFigure({ site }: Visit, { username }: PageOwner, kind: PictureKindName, counts: string): Html {
  const [width, height] = sizeOfPicture[kind];
  const alt = words(`sharing.alt.${kind}`, { owner: username });
  const picture = html`
    <img
      class="shared-picture" src="${site.basePath}${profilePicturePath(username, kind)}" width="${width}"
      height="${height}" alt="${alt}"
    >`;
  // A year is wider than a narrow screen, so it scrolls sideways.
  const image =
    kind === 'year'
      ? html`<div class="picture-scroll" role="region" aria-label="${alt}" tabindex="0">${picture}</div>`
      : picture;
  return html`
    <figure class="member-picture" data-kind="${kind}">
      ${image}
      <figcaption class="soft">${counts}</figcaption>
    </figure>`;
}

/** A member follows the link to the list that shows their own statuses, a visitor to the public view. */
function listCard(
  { site, member }: Visit,
  { username }: PageOwner,
  { id, name, problems, updated_at }: ShownList,
): Html {
  const listAddress = member ? listPath(id) : profileListPath(username, id);
  return html`
    <li class="panel" data-list="${id}">
      <h3><a href="${site.basePath}${listAddress}">${bdi(name)}</a></h3>
      <p class="faint small"><span>${words('problem.count', { count: problems })}</span>${changedOn(updated_at)}</p>
    </li>`;
}
