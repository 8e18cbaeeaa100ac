/**
 * Receives problems at the secret addresses of inboxes: without a session, and gone at once when turned off. An unknown
 * address gets the same answer as any path that does not exist.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, localizedError } from '../../../errors.ts';
import { parseInboxBody } from '../../../importing/inbox.ts';
import { parseContestLink, problemAt } from '../../../judges/addresses.ts';
import {
  type ArrivalResult,
  type ArrivingProblem,
  assertRequestLimit,
  countRequest,
  findInboxAt,
  receiveProblems,
} from '../../../practice/inbox.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import type { InboxesTable } from '../../../store/inbox.ts';
import { inboxAddressPath, inboxSettingsPath, listPath, problemPath } from '../../paths.ts';
import type { Website } from '../../request/site.ts';
import { pageNotFound } from '../../request/visits.ts';

const bodyMiB = 1;
const bodyLimit = bodyMiB * 1024 * 1024;

type InboxContext = Pick<Website, 'store' | 'site' | 'judgeUrls' | 'addLimits'>;

export function serveInboxes(app: FastifyInstance, context: InboxContext): void {
  const { store, site } = context;
  const inboxes = new WeakMap<FastifyRequest, InboxesTable>();
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error: Error & { code?: string }) => {
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') throw localizedError('bodyTooLarge.inbox', { most: bodyMiB });
      throw error.code?.startsWith('FST_ERR_CTP') ? localizedError('malformedRequest.inbox', {}, error) : error;
    });
    scope.route({
      method: 'POST',
      url: `${site.basePath}${inboxAddressPath}:secret/`,
      bodyLimit,
      config: { isHidden: true },
      // Looked up before the body is read, so that a large body gets the usual answer at an unknown address.
      onRequest: async (request) => {
        const { secret = '' } = request.params as { secret?: string };
        const inbox = await findInboxAt(store.reader, secret);
        if (!inbox) throw pageNotFound(request.url.split('?', 1)[0]?.slice(site.basePath.length) ?? '');
        assertRequestLimit(inbox);
        inboxes.set(request, inbox);
      },
      handler: async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const result = await receive(context, inboxes.get(request) as InboxesTable, request, body);
        const { added, known, waiting, lost, limit } = result;
        const url = site.baseUrl + resultPath(result);
        return reply
          .headers({ 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' })
          .send(JSON.stringify({ added, known, waiting, lost, limit, see: url }));
      },
    });
  });
}

const resultPath = ({ problem, list }: ArrivalResult) =>
  problem !== undefined ? problemPath(problem) : list !== undefined ? listPath(list) : inboxSettingsPath;

async function receive(
  { store, judgeUrls, addLimits }: InboxContext,
  inbox: InboxesTable,
  request: FastifyRequest,
  body: Buffer,
): Promise<ArrivalResult> {
  try {
    const { channel, links, withoutLink } = await parseInboxBody(request.headers['content-type'] ?? '', body);
    const judgeAddresses = await listJudgeAddresses(store.reader, judgeUrls);
    const unknown: string[] = [];
    const problems = links.flatMap(({ address, ...details }): ArrivingProblem[] => {
      const problem = problemAt(address, judgeAddresses);
      // The host of a contest's address is known, but it is no problem.
      if (problem && !(problem.matchedBy === 'host' && parseContestLink(address, judgeAddresses)))
        return [{ problem, ...details }];
      unknown.push(details.title || address);
      return [];
    });
    return await receiveProblems(store, inbox, { channel, problems, lost: [...withoutLink, ...unknown] }, addLimits);
  } catch (error) {
    // A refused request counts towards the rate limit too.
    if (error instanceof AppError && error.status === 400) await countRequest(store, inbox);
    throw error;
  }
}
