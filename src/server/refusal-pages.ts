/** Refusals outside the nine operations: a page for a browser, the Error body for every other client. */
import type { Exchange } from '../api/context.ts';
import { refuse } from '../api/send.ts';
import { refusalOf } from '../errors.ts';
import { prefersPage } from '../http/negotiation.ts';
import { pagePolicy, type Site } from '../web/layout.ts';
import { refusalPage } from '../web/refusal-page.ts';

/** Refuses as the Accept header likes it best. */
export type Refuse = (exchange: Exchange, error: unknown) => void;

export function refuserFor(site: Site): Refuse {
  return (exchange, error) => {
    exchange.headers.push('Vary', 'Accept');
    if (exchange.response.headersSent || !prefersPage(exchange.request.headers.accept)) {
      refuse(exchange, error);
      return;
    }
    sendPage(site, exchange, error).catch((fault) => refuse(exchange, fault));
  };
}

async function sendPage(
  site: Site,
  { id, request, response, headers }: Exchange,
  error: unknown,
): Promise<void> {
  const { status, headers: own, body } = refusalOf(error);
  const text = String(await refusalPage(site, status, body.message, id));
  response.writeHead(status, [
    ...headers,
    ...own,
    ...['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text))],
    ...['Content-Security-Policy', pagePolicy, 'Referrer-Policy', 'same-origin', 'Cache-Control', 'no-store'],
  ]);
  response.end(request.method === 'HEAD' ? undefined : text);
}
