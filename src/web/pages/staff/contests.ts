/** The sources of upcoming contests: feeds with their keys, calendars, and how their syncs go. */
import { localizedError } from '../../../errors.ts';
import { isPrivateHost, resolvesToPrivateHost } from '../../../jobs/public-hosts.ts';
import { requestFeedSync } from '../../../jobs/schedule.ts';
import { feedHealth, type Health } from '../../../jobs/sync-health.ts';
import { alwaysFetchedFeeds, type ContestFeed, contestFeeds, readFeedKey } from '../../../judges/contest-feeds.ts';
import { judgeName } from '../../../judges/judges.ts';
import { asStaff } from '../../../practice/staff.ts';
import {
  addCalendar,
  calendarsAtMost,
  type FeedSetting,
  readFeeds,
  removeFeed,
  saveFeed,
} from '../../../practice/upcoming.ts';
import { countListings } from '../../../store/upcoming.ts';
import { timeAgo, timeUntil } from '../../kit/dates.ts';
import { actions, button, type Faults, form, hasFaults, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { faultNotice, panel } from '../../kit/panel.ts';
import { type HealthText, healthLine, isSyncing, skippedLines } from '../../kit/sync-health.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { staffContestsPath as path, upcomingPath } from '../../paths.ts';
import { fieldText, refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { linkTo, localizeText, type MessageKey, richWords, words } from '../../words/words.ts';
import { donePath, staffPage } from './frame.ts';

const longestAddress = 500;
const longestTitle = 40;
const longestKey = 300;

/** A description of each feed, for staff who decide whether to turn it on. */
const feedTexts: Readonly<Record<string, MessageKey>> = {
  clist: 'feeds.text.clist',
  'contest-hive': 'feeds.text.contest-hive',
};

export const staffContestsPage: PageRoute<MemberVisit> = {
  path,
  isUncached: true,
  get: (visit) => contestsPage(visit),
  post: submit,
};

interface FeedsState {
  settings: ReadonlyMap<string, FeedSetting>;
  healths: ReadonlyMap<string, Health>;
  counts: ReadonlyMap<string, number>;
  isSyncing: boolean;
}

async function contestsPage(visit: MemberVisit, faults: Faults = {}): Promise<{ html: Html }> {
  const { store, site } = visit;
  const now = new Date();
  const settings = await readFeeds(store.reader);
  const feeds: FeedsState = {
    settings: new Map(settings.map((one) => [one.name, one])),
    healths: await feedHealth(store.reader, now),
    counts: await countListings(store.reader, now.toISOString()),
    isSyncing: await isSyncing(visit),
  };
  const alwaysFetched = alwaysFetchedFeeds.map(
    (source) => html`
      <li class="file" data-feed="${source}">
        <div>
          <h3>${judgeName(source)}</h3>
          <p class="soft small">${words('feeds.usual', { judge: judgeName(source) })}</p>
          <p class="faint small">${words('feeds.count', { count: feeds.counts.get(source) ?? 0 })}</p>
        </div>
      </li>`,
  );
  const calendars = settings.flatMap(({ name, calendar }) => (calendar ? [{ name, ...calendar }] : []));
  const syncForm = form(visit, { to: path }, button(words('feeds.ask'), '', ['ask', 'all'], 'sync'));
  return staffPage(
    visit,
    {
      section: 'contests/',
      sub: words('feeds.sub'),
      actions: html`
        ${settings.length > 0 && syncForm}
        ${linkButton(site.basePath + upcomingPath, words('feeds.see'), { symbol: 'today' })}`,
    },
    html`
      ${faultNotice(faults['form'])}
      ${panel(
        { id: 'feeds', heading: words('feeds.lists') },
        html`
          <ul class="files">
            ${alwaysFetched}
            ${[...contestFeeds].map((one) => feedLine(visit, one, feeds, faults))}
          </ul>`,
      )}
      ${panel(
        { id: 'calendars', heading: words('feeds.calendars') },
        html`
          <p class="soft">${words('feeds.calendarsText')}</p>
          <ul class="files">${calendars.map((one) => calendarLine(visit, one, feeds))}</ul>
          ${calendars.length < calendarsAtMost && calendarForm(visit, faults)}`,
      )}`,
  );
}

function feedLine(visit: MemberVisit, [name, feed]: [string, ContestFeed], feeds: FeedsState, faults: Faults): Html {
  const isOn = feeds.settings.has(name);
  const text = feedTexts[name];
  const formOptions = { to: path, className: 'form' };
  const { keyPage } = feed;
  const keyForm =
    keyPage !== undefined &&
    form(
      visit,
      { ...formOptions, hidden: { on: name } },
      html`
        ${textField(words('feeds.key'), 'key', faults, {
          type: 'password',
          longest: longestKey,
          hint: richWords(isOn ? 'feeds.keyKept' : 'feeds.keyHint', { link: linkTo(keyPage) }),
        })}
        ${actions(button(words(isOn ? 'feeds.changeKey' : 'feeds.turnOn'), isOn ? '' : 'primary'))}`,
    );
  const switchForm = isOn
    ? form(visit, { to: path }, button(words('feeds.turnOff'), 'small', ['off', name]))
    : keyPage === undefined && form(visit, { to: path }, button(words('feeds.turnOn'), 'small', ['on', name]));
  return html`
    <li class="file" data-feed="${name}">
      <div>
        <h3>${feed.site}</h3>
        ${text && html`<p class="soft small">${words(text)}</p>`}
        ${isOn && healthOfFeed(name, feeds)}
        ${keyForm}
      </div>
      <div class="actions">${switchForm}</div>
    </li>`;
}

function healthOfFeed(name: string, { healths, counts, isSyncing: isOn }: FeedsState): Html {
  const health = healths.get(name);
  if (!health || !isOn || health.state === 'new')
    return html`<p class="soft small">${words(isOn ? 'feeds.new' : 'feeds.syncOff')}</p>`;
  return html`
    ${healthLine(feedHealthText(health))}
    ${skippedLines(health)}
    <p class="faint small">${words('feeds.count', { count: counts.get(name) ?? 0 })}</p>`;
}

/** A sync error is shown in full, because it says what is wrong with a calendar. */
function feedHealthText({ state, goodAt, nextAt, faultText }: Health): HealthText {
  const next = timeUntil(nextAt ?? new Date());
  const when = goodAt === null ? words('time.never') : timeAgo(goodAt);
  const details = richWords('feeds.answered', { when, next });
  if (state === 'failing' && faultText) return { level: 'bad', summary: localizeText(faultText), details };
  return state === 'late'
    ? { level: 'late', summary: words('feeds.late'), details }
    : { level: 'ok', summary: words('feeds.fine'), details };
}

type Calendar = { name: string } & NonNullable<FeedSetting['calendar']>;

function calendarLine(visit: MemberVisit, { name, title, address }: Calendar, feeds: FeedsState): Html {
  return html`
    <li class="file" data-feed="${name}">
      <div>
        <h3>${bdi(title)}</h3>
        <p class="faint small"><code>${URL.parse(address)?.host}</code></p>
        ${healthOfFeed(name, feeds)}
      </div>
      <div class="actions">
        ${form(visit, { to: path }, button(words('feeds.remove'), 'small', ['off', name]))}
      </div>
    </li>`;
}

function calendarForm(visit: MemberVisit, faults: Faults): Html {
  const isWrong = faults['title'] !== undefined || faults['address'] !== undefined;
  const value = (name: string) => (isWrong ? (visit.form.get(name) ?? '') : '');
  return form(
    visit,
    { to: path, className: 'form', hidden: { add: 'calendar' } },
    html`
      ${textField(words('feeds.title'), 'title', faults, { value: value('title'), longest: longestTitle })}
      ${textField(words('feeds.address'), 'address', faults, {
        value: value('address'),
        longest: longestAddress,
        hint: words('feeds.addressHint'),
      })}
      ${actions(button(words('feeds.add')))}`,
  );
}

async function submit(visit: MemberVisit): Promise<PageResult> {
  const { form: values } = visit;
  const fieldValue = (fieldName: string) => fieldText(values, fieldName, 100);
  try {
    if (values.has('ask')) {
      await asStaff(
        visit,
        async (tx) => {
          for (const one of await readFeeds(tx)) await requestFeedSync(tx, one.name);
        },
        'contest-feed-asked',
      );
      return { to: donePath(path, 'feeds-asked') };
    }
    if (values.has('off')) {
      await asStaff(visit, (tx) => removeFeed(tx, fieldValue('off')), 'contest-feed-off');
      return { to: donePath(path, 'feed-off') };
    }
    if (values.get('add') === 'calendar') return await submitCalendar(visit);
    const feed = contestFeeds.get(fieldValue('on'));
    if (!feed) return { to: path };
    const key = feed.keyPage === undefined ? undefined : readFeedKey(fieldValue('key'));
    if (feed.keyPage !== undefined && key === undefined) return refuse(visit, { key: words('feeds.badKey') });
    const setting = { name: fieldValue('on'), ...(key !== undefined && { key }) };
    await asStaff(visit, (tx) => saveFeed(tx, setting), 'contest-feed-on');
    return { to: donePath(path, 'feed-on') };
  } catch (error) {
    return refuse(visit, { form: refusalText(error) });
  }
}

async function refuse(visit: MemberVisit, faults: Faults): Promise<PageResult> {
  return { ...(await contestsPage(visit, faults)), status: 422 };
}

async function submitCalendar(visit: MemberVisit): Promise<PageResult> {
  const { form: values, website } = visit;
  const title = fieldText(values, 'title', 1000).trim();
  const address = fieldText(values, 'address', 5000).trim();
  const url = URL.parse(address.replace(/^webcals?:/i, 'https:'));
  const isAllowed = url !== null && website.privateOrigins.has(url.origin);
  const isAddress =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === '' &&
    url.href.length <= longestAddress;
  const faults: Record<string, string> = {};
  if (!/^[^\p{C}]{1,40}$/u.test(title)) faults['title'] = words('feeds.badTitle', { most: longestTitle });
  if (!isAddress) faults['address'] = words('feeds.badAddress', { most: longestAddress });
  else if (!isAllowed && (isPrivateHost(url) || (await resolvesToPrivateHost(url))))
    faults['address'] = words('feeds.private');
  if (!url || hasFaults(faults)) return refuse(visit, faults);
  await asStaff(
    visit,
    async (tx) => {
      const added = await addCalendar(tx, { title, address: url.href });
      if (added === undefined) throw localizedError('invalidValue.calendars', { most: calendarsAtMost });
    },
    'contest-feed-on',
  );
  return { to: donePath(path, 'feed-on') };
}
