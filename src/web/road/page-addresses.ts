/** Rules for all addresses of pages: the methods that read, and the slash at the end. */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';

/** Serves GET and HEAD as one route. Fastify would make a second one for HEAD, which takes as long at every start. */
export function serveReads(
  app: FastifyInstance,
  url: string,
  handler: RouteHandlerMethod,
  config?: FastifyContextConfig,
): void {
  app.route({ method: ['GET', 'HEAD'], url, handler, ...(config && { config }) });
}

/** Whether the path of this address, which may have a query, ends with a slash. */
export function hasSlash(address: string): boolean {
  return address.split('?', 1)[0]?.endsWith('/') ?? false;
}

export function leadToSlash(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path, query = ''] = request.url.split(/(\?.*)/s);
  return reply.redirect(`${path}/${query}`, 308);
}
