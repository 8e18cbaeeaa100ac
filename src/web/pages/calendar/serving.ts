/** Calendars at secret addresses, for calendar programs: without a session, and gone at once when revoked. */

import type { FastifyInstance } from 'fastify';
import { readLanguage } from '../../../practice/preferences.ts';
import { recordAddressUse } from '../../../practice/public-pages.ts';
import { findSharedAddress } from '../../../store/plants.ts';
import { english, languageOf } from '../../../words/catalogue.ts';
import { calendarPath } from '../../paths.ts';
import { sendUnlistedText } from '../../request/responses.ts';
import type { Website } from '../../request/site.ts';
import { serveGetAndHead } from '../../request/static-routes.ts';
import { pageNotFound } from '../../request/visits.ts';
import { withViewer } from '../../words/viewer.ts';
import { dueCalendar } from './due-calendar.ts';

export function serveCalendars(app: FastifyInstance, { store, site }: Pick<Website, 'store' | 'site'>): void {
  serveGetAndHead(app, `${site.basePath}${calendarPath}:file`, async (request, reply) => {
    const { file } = request.params as { file: string };
    const secret = /^([A-Za-z0-9_-]{20,100})\.ics$/.exec(file)?.[1];
    const shared = secret === undefined ? undefined : await findSharedAddress(store.reader, secret);
    if (shared?.kind !== 'calendar') throw pageNotFound(`${calendarPath}${file}`);
    await recordAddressUse(store, shared);
    const language = languageOf([(await readLanguage(store.reader, shared.user_id)) ?? site.language]) ?? english;
    const text = await withViewer({ language }, () => dueCalendar(store, site, shared.user_id, Date.now()));
    reply.headers({
      // No shared cache may store it, so that it is gone when the address is revoked.
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept-Encoding',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    });
    return sendUnlistedText(request, reply, text, 'text/calendar; charset=utf-8');
  });
}
