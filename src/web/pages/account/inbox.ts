/** The inbox: the secret address to which a member sends problems, how to send, and arrivals that can be undone. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError } from '../../../errors.ts';
import { pageAt, pageFault } from '../../../judges/addresses.ts';
import { readAllowance, titleFrom } from '../../../practice/added-problems.ts';
import {
  type ArrivingProblem,
  endInbox,
  findInboxAt,
  inboxLimits,
  inboxList,
  makeInbox,
  readWaiting,
  undoArrival,
} from '../../../practice/inbox.ts';
import {
  type ArrivalWithList,
  findInboxOfMember,
  findOwnListNamed,
  type InboxesTable,
  listArrivals,
  listArrivedProblems,
} from '../../../store/inbox.ts';
import { timeAgo } from '../../kit/dates.ts';
import { actions, button, form } from '../../kit/form.ts';
import { type IconName, icon } from '../../kit/icons.ts';
import { judgeKey, problemLink, undoForm, webLink } from '../../kit/marks.ts';
import { offsetPage } from '../../kit/pager.ts';
import { copyable, notice, panel, secretNotice } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { inboxAddressPath, inboxSettingsPath, listPath, newProblemPath } from '../../paths.ts';
import { fieldText, idIn } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { commas } from '../../words/formats.ts';
import { linkTo, localizeText, type MessageKey, richWords, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';

export async function submitInbox(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: input } = visit;
  const { user_id } = member;
  if (input.has('undo')) {
    try {
      await undoArrival(store, user_id, idIn(fieldText(input, 'undo', 30), parseInt64));
      return { to: sectionAddress('inbox/', 'undone') };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'preconditionFailed') throw error;
      return { ...(await showInbox(visit, localizeText(error))), status: 409 };
    }
  }
  if (input.get('address') === 'end') {
    await endInbox(store, user_id);
    return { to: sectionAddress('inbox/', 'inboxEnded') };
  }
  if (input.get('address') !== 'make') return { to: inboxSettingsPath };
  return { to: inboxSettingsPath, flash: await makeInbox(store, user_id) };
}

export async function showInbox(visit: MemberVisit, fault?: string): Promise<{ html: Html }> {
  const { store, member, site } = visit;
  const inbox = await findInboxOfMember(store.reader, member.user_id);
  const secret = await newSecretOf(visit);
  const address = `${site.baseUrl}${inboxAddressPath}`;
  const fullAddress = secret && `${address}${secret}/`;
  const shortAddress = inbox && `${address}${inbox.beginning}…`;
  return accountPage(
    visit,
    { section: 'inbox/', subtitle: words('inbox.sub'), styles: ['garden.css', 'inbox.css'] },
    html`
      ${fault && notice('bad', fault)}
      ${fullAddress && secretNotice(words('inbox.made'), words('inbox.copyNow'), fullAddress)}
      ${addressPanel(visit, inbox, shortAddress)}
      ${instructionsPanel(
        visit,
        fullAddress ?? shortAddress ?? `${address}…`,
        fullAddress ? undefined : inbox ? 'inbox.renewToCopy' : 'inbox.makeToCopy',
      )}
      ${await arrivalsPanel(visit)}`,
  );
}

/** The secret of an address that was just made, if it is this member's. */
async function newSecretOf({ store, member, readFlash }: MemberVisit): Promise<string | undefined> {
  const secret = readFlash();
  const inbox = secret === undefined ? undefined : await findInboxAt(store.reader, secret);
  return inbox?.user_id === member.user_id ? secret : undefined;
}

function addressPanel(visit: MemberVisit, inbox: InboxesTable | undefined, shortAddress: string | undefined): Html {
  const head = {
    id: 'address',
    heading: words('inbox.address'),
    beside: html`<p class="soft">${icon('lock')} ${words('inbox.secret')}</p>`,
  };
  const limitText = html`<p class="soft">${words('inbox.can', { most: inboxLimits.perMinute })}</p>`;
  const options = { to: inboxSettingsPath };
  if (!inbox) {
    const make = button(words('sharing.make'), 'primary', ['address', 'make'], 'inbox');
    return panel(head, html`${limitText}${form(visit, options, make)}`);
  }
  const change = actions(
    button(words('inbox.renew'), '', ['address', 'make']),
    button(words('inbox.end'), 'danger', ['address', 'end']),
  );
  return panel(
    head,
    html`
      <p class="copy"><code class="copyable" tabindex="0" data-inbox>${shortAddress}</code></p>
      ${limitText}
      <p class="faint">${richWords('sharing.since', { when: timeAgo(inbox.made_at) })} ${words('inbox.renewText')}</p>
      ${form(visit, options, change)}`,
  );
}

/** Shows how to send problems. `copyHint` says how to get commands with the full address, where it is shortened. */
function instructionsPanel({ site }: MemberVisit, address: string, copyHint: MessageKey | undefined): Html {
  const guide = (part: string) => linkTo(`${site.basePath}/docs/inbox/#${part}`);
  const code = (text: string) => html`
    ${
      copyHint
        ? html`
          <span class="copy"><code class="copyable" tabindex="0">${text}</code></span>
          <p class="faint">${words(copyHint)}</p>`
        : copyable(text)
    }`;
  const sendingMethod = (
    symbol: IconName,
    [name, audience]: readonly [string, string],
    instructions: Html | string,
    explanation: Html | string,
    example?: Html,
  ) => html`
    <li>
      <span class="face">${icon(symbol)}</span>
      <div>
        <h3>${name} <span class="soft">${audience}</span></h3>
        <p>${instructions}</p>
        ${example}
        <p class="soft">${explanation}</p>
      </div>
    </li>`;
  const bookmark =
    `javascript:location='${site.baseUrl}${newProblemPath}?url='+encodeURIComponent(location)` +
    `+'&title='+encodeURIComponent(document.title)`;
  return panel(
    { id: 'ways', heading: words('inbox.ways') },
    html`
      <ul class="inbox-ways">
        ${sendingMethod(
          'globe',
          [words('inbox.companion'), words('inbox.companionWho')],
          words('inbox.companionText'),
          richWords('inbox.companionFact', { guide: guide('competitive-companion') }),
          code(`garden-client companion --inbox ${address}`),
        )}
        ${sendingMethod(
          'star',
          [words('inbox.bookmark'), words('inbox.bookmarkWho')],
          words('inbox.bookmarkText'),
          words('inbox.bookmarkFact'),
          html`
            <a class="button bookmarklet" href="${bookmark}">
              ${icon('plus')}
              <span>${words('inbox.bookmarkName')}</span>
            </a>`,
        )}
        ${sendingMethod(
          'device',
          [words('inbox.phone'), words('inbox.phoneWho')],
          richWords('inbox.phoneText', { guide: guide('phones') }),
          words('inbox.phoneFact'),
        )}
        ${sendingMethod(
          'key',
          [words('inbox.programs'), words('inbox.programsWho')],
          words('inbox.programsDo'),
          richWords('inbox.programsText', { guide: guide('programs') }),
          code(`curl -d url=https://codeforces.com/contest/4/problem/A ${address}`),
        )}
      </ul>`,
  );
}

type ArrivedProblem = Awaited<ReturnType<typeof listArrivedProblems>>[number];

async function arrivalsPanel(visit: MemberVisit): Promise<Html> {
  const { store, member, site } = visit;
  const arrivals = await listArrivals(store.reader, member.user_id);
  const list = await findOwnListNamed(store.reader, member.user_id, inboxList);
  const { shown, more } = offsetPage(visit, inboxSettingsPath, arrivals);
  const problems = Map.groupBy(
    await listArrivedProblems(
      store.reader,
      shown.map(({ id }) => id),
    ),
    ({ arrival_id }) => arrival_id,
  );
  const listLink =
    list && html`<a href="${site.basePath}${listPath(list.id)}">${words('inbox.openList', { list: inboxList })}</a>`;
  return panel(
    { id: 'received', heading: words('inbox.received'), beside: listLink },
    arrivals.length === 0
      ? html`<p class="soft">${words('inbox.none')}</p>`
      : html`
        ${arrivals.some(({ waiting }) => waiting !== null) && (await waitingNotice(visit))}
        <ul class="received">${shown.map((one) => arrivalItem(visit, one, problems.get(one.id) ?? []))}</ul>
        ${more}
        ${
          arrivals.length >= inboxLimits.arrivals &&
          html`<p class="faint">${words('inbox.kept', { count: inboxLimits.arrivals })}</p>`
        }`,
  );
}

async function waitingNotice({ store, member, website }: MemberVisit): Promise<Html> {
  const { limit, most } = await readAllowance(store.reader, member.user_id, website.addLimits);
  return notice('plain', words('inbox.whyWaiting', { limit, most }));
}

function arrivalItem(visit: MemberVisit, arrival: ArrivalWithList, problems: readonly ArrivedProblem[]): Html {
  const { id, channel: arrivalChannel, arrived_at, undone_at } = arrival;
  const isNew = problems.some(({ is_new }) => is_new === 1n);
  const waiting = readWaiting(arrival);
  const kind =
    problems.length === 0
      ? waiting.length > 0
        ? 'waiting'
        : 'lost'
      : problems.length > 1
        ? 'list'
        : isNew
          ? 'added'
          : 'known';
  const icons = {
    lost: icon('warn'),
    waiting: icon('clock'),
    list: icon('list'),
    added: icon('plus'),
    known: icon('check'),
  };
  const canUndo =
    waiting.length > 0 ||
    problems.some(
      (one) => one.is_new + one.is_listed > 0n || (one.status_change ?? one.note_change ?? one.solution_id) !== null,
    );
  const undoneText = html`<span class="faint">${words('inbox.undone')}</span>`;
  return html`
    <li data-arrival="${id}" data-kind="${kind}">
      <span class="received-mark">${icons[kind]}</span>
      <div>
        <p class="received-name">${nameOf(visit, arrival, problems, waiting)}</p>
        <p class="soft">${factsOf(visit, arrival, problems, waiting)}</p>
      </div>
      <span class="soft">${words(`inbox.channel.${arrivalChannel}`)}</span>
      <span class="soft">${timeAgo(arrived_at)}</span>
      <span>
        ${undone_at !== null ? undoneText : canUndo && undoForm(visit, inboxSettingsPath, id, words('inbox.undo'))}
      </span>
    </li>`;
}

function nameOf(
  { site }: MemberVisit,
  arrival: ArrivalWithList,
  problems: readonly ArrivedProblem[],
  [firstWaiting]: readonly ArrivingProblem[],
): Html {
  const { unmatched_text: unmatchedText, list_id, list } = arrival;
  const [first] = problems;
  if (!first && firstWaiting) {
    const { problem, title } = firstWaiting;
    return webLink(problem.url, bdi(titleFrom({ ...problem, title }))) ?? bdi(problem.url);
  }
  if (!first) return bdi(words('inbox.quoted', { text: unmatchedText ?? '' }));
  if (problems.length > 1) {
    const count = words('problem.count', { count: problems.length });
    return list_id === null
      ? html`${count}`
      : html`
        <a href="${site.basePath}${listPath(list_id)}">${bdi(list)}</a> <span class="soft">${count}</span>`;
  }
  const { problem_id: id, own_title, title } = first;
  return id === null ? bdi(title) : html`<bdi>${problemLink(site.basePath, { id, title: own_title ?? title })}</bdi>`;
}

function factsOf(
  { site }: MemberVisit,
  arrival: ArrivalWithList,
  problems: readonly ArrivedProblem[],
  waiting: readonly ArrivingProblem[],
): Html {
  const { list_id, list, makes_list, over_limit, unmatched_text } = arrival;
  const page = pageAt(unmatched_text ?? '', new Map());
  const [first] = problems;
  const isOne = problems.length === 1;
  const added = problems.filter(({ is_new }) => is_new === 1n).length;
  const unmatchedCount = Number(arrival.unmatched);
  const facts = [
    isOne && words(first?.is_new ? 'inbox.added' : 'inbox.known'),
    isOne && first?.source && first.source_key && judgeKey({ source: first.source, source_key: first.source_key }),
    isOne &&
      list_id !== null &&
      list !== null &&
      list !== inboxList &&
      richWords('inbox.intoList', {
        list: html`<a href="${site.basePath}${listPath(list_id)}">${bdi(list)}</a>`,
      }),
    problems.length > 1 && words(makes_list === 1n ? 'inbox.newList' : 'inbox.addedToList'),
    !isOne && added > 0 && words('inbox.addedMany', { count: added }),
    problems.some(({ status_change }) => status_change !== null) && words('inbox.marked'),
    problems.some(({ note_change }) => note_change !== null) && words('inbox.note'),
    isOne && first?.minutes != null && words('inbox.minutes', { count: first.minutes }),
    problems.some(({ solution_id }) => solution_id !== null) && words('inbox.code'),
    waiting.length > 0 && words('inbox.waiting', { count: waiting.length }),
    over_limit > 0n && words('inbox.overLimit', { count: over_limit }),
    unmatchedCount > 0 &&
      (first || waiting.length > 0
        ? words('inbox.lost', { count: unmatchedCount })
        : page
          ? localizeText(pageFault(page))
          : words('inbox.noLink')),
  ].filter((fact) => fact !== false && fact !== undefined && fact !== null && fact !== '');
  return html`${facts.map((fact, at) => html`${at > 0 && commas()}${fact}`)}`;
}
