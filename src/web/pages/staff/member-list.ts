/** Many members at once: a list is pasted or uploaded, and each person gets a one-time address to hand out. */

import { AppError } from '../../../errors.ts';
import { addressOf, createPeople, handOutCsv, nameOf, readPeople } from '../../../importing/member-list.ts';
import type { Entered } from '../../../practice/joining.ts';
import type { Faults } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import type { SentFile } from '../../road/file-parts.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { words } from '../../words/words.ts';
import { act } from './acts.ts';
import { table } from './frame.ts';

/** Makes all of a list, or nobody. Answers what is wrong as a text. */
export async function makeListed(visit: MemberVisit, file?: SentFile): Promise<Entered[] | string> {
  const pasted = async function* () {
    yield Buffer.from(visit.form.get('people') ?? '');
  };
  try {
    const people = await readPeople(file?.bytes ?? pasted());
    return await act(visit, async (tx) => {
      const result = await createPeople(tx, people, { role: 'member', madeBy: visit.member.user_id });
      return { what: 'member-made', memberIds: result.map(({ member }) => member.id), result };
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'badFile') return error.message;
    throw error;
  }
}

export function listPanel({ form, antiForgery }: MemberVisit, action: string, faults: Faults): Html {
  const fault = (name: string) =>
    faults[name] ? html`<span class="fault" id="${name}-fault">${faults[name]}</span>` : '';
  const about = (name: string) => (faults[name] ? html` aria-invalid="true" aria-describedby="${name}-fault"` : '');
  return panel(
    'several',
    words('members.several'),
    html`
      <form class="form" method="post" action="${action}">
        ${antiForgery}
        <label class="field">
          ${words('members.list')}
          <textarea
            name="people" rows="6" spellcheck="false" required
            placeholder="${words('members.listExample')}"${about('people')}
          >
${form.get('people') ?? ''}</textarea>
          <span class="faint">${words('members.listHint')}</span>
          ${fault('people')}
        </label>
        <div class="actions"><button class="button primary">${words('members.makeAll')}</button></div>
      </form>
      <form class="form" method="post" enctype="multipart/form-data" action="${action}">
        ${antiForgery}
        <label class="field">
          ${words('members.file')}
          <input type="file" name="file" accept=".csv,text/csv" required${about('file')}>
          ${fault('file')}
        </label>
        <div class="actions"><button class="button">${words('members.makeAll')}</button></div>
      </form>`,
  );
}

/** The addresses, on the one page that ever shows them. */
export function handOut(made: readonly Entered[], baseUrl: string): Html {
  const file = `data:text/csv;charset=utf-8,${encodeURIComponent(handOutCsv(made, baseUrl))}`;
  const rows = made.map((one) => ({
    about: html` data-made="${one.member.id}"`,
    cells: [one.member.username, nameOf(one), html`<code data-secret>${addressOf(one, baseUrl)}</code>`],
  }));
  const heads = [words('door.name'), words('members.name'), words('members.address')];
  const title = words('members.added', { count: made.length });
  return html`
    <section class="panel new-token" aria-labelledby="made">
      <div class="stack">
        <div class="notice" data-kind="good" role="status">
          ${icon('check')}
          <div><h2 id="made">${title}</h2><p>${words('members.handOutText')}</p></div>
        </div>
        <p class="actions">
          <a class="button" href="${file}" download="members.csv">
            ${icon('download')}
            <span>${words('members.csv')}</span>
          </a>
        </p>
        ${table(title, heads, rows)}
      </div>
    </section>`;
}
