/** The two pages of uploads: the form with recent uploads, and one upload with its report and its buttons. */

import { parseInt64 } from '../../../contract/common.ts';
import { AppError, localizedError, parseLocalizedText } from '../../../errors.ts';
import { reportOf, uploadsKept } from '../../../jobs/uploads.ts';
import { busyStates, type UploadsTable } from '../../../store/uploads.ts';
import { actions, button, checkbox, type Faults, form } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { notice, panel } from '../../kit/panel.ts';
import { readUploadFields, uploadFaults, uploadForm, uploadRequest } from '../../kit/uploads/form.ts';
import { ownerIn, shownName, type UploadSection, uploadTitle } from '../../kit/uploads/section.ts';
import { type Html, html } from '../../markup.ts';
import { idIn, type UploadedFile } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { commaList, sentence } from '../../words/formats.ts';
import { linkTo, localizeText, type MessageKey, richWords, words } from '../../words/words.ts';
import { renderReport } from './report.ts';

const refreshSeconds = 2;

const stateWord = ({ state }: UploadsTable) => words(`uploads.state.${state}`);

export function uploadPages(room: UploadSection): readonly PageRoute<MemberVisit>[] {
  return [
    {
      path: room.path,
      isUncached: true,
      takesFile: true,
      get: async (visit) => ({ html: await formPage(room, visit, {}) }),
      post: (visit, file) => submitFile(room, visit, file),
    },
    {
      path: `${room.path}:id/`,
      isUncached: true,
      get: async (visit) => showUpload(room, visit, await uploadOf(room, visit)),
      post: async (visit) => submitDecision(room, visit, await uploadOf(room, visit)),
    },
  ];
}

async function formPage(room: UploadSection, visit: MemberVisit, faults: Faults): Promise<Html> {
  const uploads = await visit.website.uploads.list(ownerIn(room, visit));
  const path = visit.site.basePath + room.path;
  const line = (upload: UploadsTable) =>
    html`
      <li class="file" data-upload="${upload.id}" data-state="${upload.state}">
        <div>
          <h3><a href="${path}${upload.id}/"><bdi>${shownName(upload.name)}</bdi></a></h3>
          <p class="soft small">
            ${upload.state === 'arriving' ? '' : `${sentence(uploadTitle(upload))} `}
            ${sentence(stateWord(upload))}
          </p>
        </div>
      </li>`;
  return room.frame(
    visit,
    html`
      ${faults['form'] && notice('bad', faults['form'])}
      ${panel(
        { id: 'new-upload', heading: words('uploads.head') },
        html`
          <p class="soft">${words('uploads.text')}</p>
          ${uploadForm(room, visit, faults)}`,
      )}
      ${
        uploads.length > 0 &&
        panel(
          { id: 'lately', heading: words('uploads.lately') },
          html`
            <ul class="files">${uploads.map(line)}</ul>
            <p class="faint">${words('uploads.kept', { most: uploadsKept })}</p>`,
        )
      }`,
  );
}

async function submitFile(
  room: UploadSection,
  visit: MemberVisit,
  file: UploadedFile | undefined,
): Promise<PageResult> {
  const refuse = async (faults: Faults, status: number): Promise<PageResult> => ({
    html: await formPage(room, visit, faults),
    status,
  });
  if (!file) return refuse({ file: words('uploads.chooseFile') }, 422);
  const owner = ownerIn(room, visit);
  try {
    const fields = await readUploadFields(room, visit);
    const upload = { ...file, name: shownName(file.name) };
    const id = await visit.website.uploads.take(owner, upload, (start) => uploadRequest(room, fields, start));
    return { to: `${room.path}${id}/` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'invalidValue' || error.code === 'badFile') return refuse(uploadFaults(error), 422);
    if (error.code === 'alreadyExists') return refuse({ form: localizeText(error) }, 409);
    throw error;
  }
}

async function uploadOf(room: UploadSection, visit: MemberVisit): Promise<UploadsTable> {
  const id = idIn(visit.params['id'], parseInt64);
  const upload = await visit.website.uploads.find(ownerIn(room, visit), id);
  if (!upload || upload.state === 'arriving') throw localizedError('unknownItem.upload');
  return upload;
}

async function showUpload(room: UploadSection, visit: MemberVisit, upload: UploadsTable): Promise<PageResult> {
  const isBusy = busyStates.includes(upload.state);
  const content = isBusy
    ? await progressContent(room, visit, upload)
    : html`${renderReport(upload)}${decisionForm(room, visit, upload)}`;
  const more = { 'data-upload': upload.id, 'data-state': upload.state };
  const shown = panel({ id: 'what', heading: uploadTitle(upload), more }, content);
  const page = room.frame(visit, shown, shownName(upload.name));
  return { html: page, ...(isBusy && { refreshSeconds }) };
}

/** The page reloads itself. The link is for browsers that do not. */
async function progressContent({ path }: UploadSection, visit: MemberVisit, upload: UploadsTable): Promise<Html> {
  const isWaiting = upload.state.startsWith('to-');
  const progress = isWaiting ? undefined : await visit.website.uploads.progressOf(upload.id);
  const share = progress === undefined ? undefined : Math.floor(100 * progress);
  const value = share !== undefined && html` max="100" value="${share}"`;
  return html`
    <p role="status">${sentence(commaList([stateWord(upload), share !== undefined && `${share}%`]))}</p>
    <p><progress aria-label="${words('uploads.howFar')}"${value}></progress></p>
    <p class="faint">${richWords('uploads.goesOn', { a: linkTo(`${visit.site.basePath}${path}${upload.id}/`) })}</p>`;
}

function decisionForm({ scope, path }: UploadSection, visit: MemberVisit, upload: UploadsTable): Html {
  if (upload.state !== 'checked')
    return html`<p class="actions">${linkButton(visit.site.basePath + path, words('uploads.another'))}</p>`;
  const report = reportOf(upload);
  const { figures: { bad = 0, read = 0 } = {}, notes = [] } = report && 'figures' in report ? report : {};
  const good = read - bad;
  const ofOther = notes
    .map((note) => parseLocalizedText(note).localized)
    .find((note) => note?.key === ('imported.otherName' satisfies MessageKey));
  const consent =
    scope === 'member' && good > 0 && ofOther && checkbox(words('uploads.otherName'), 'other_name', false, true);
  const [act, label] =
    bad === 0 ? ['import', words('uploads.importAll')] : ['import-valid', words('uploads.importGood', { count: good })];
  const buttons = actions(
    good > 0 && button(label, 'primary', ['act', act]),
    html`<button class="button quiet" name="act" value="discard" formnovalidate>${words('uploads.discard')}</button>`,
  );
  return form(visit, { to: `${path}${upload.id}/`, className: 'form' }, html`${consent}${buttons}`);
}

async function submitDecision(room: UploadSection, visit: MemberVisit, upload: UploadsTable): Promise<PageResult> {
  const { website, form: values } = visit;
  const { uploads } = website;
  const action = values.get('act');
  if (action === 'discard' && (await uploads.discard(upload))) return { to: room.path };
  const choices = { skipsBad: action === 'import-valid', takesOtherName: values.has('other_name') };
  if (action === 'import' || action === 'import-valid') await uploads.importFile(upload, choices);
  return { to: `${room.path}${upload.id}/` };
}
