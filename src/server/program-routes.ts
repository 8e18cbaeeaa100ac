/** Passes requests below /practice/v1 to the operations for programs, and those to /practice/mcp to the MCP server. */
import { refuse } from '../api/answers.ts';
import type { Exchange } from '../api/context.ts';
import { versionHeader } from '../api/match.ts';
import type { Programs } from '../programs/context.ts';
import { programMatcher } from '../programs/match.ts';
import { answerMcp } from '../programs/mcp/pipeline.ts';
import { answerProgram } from '../programs/pipeline.ts';
import { answerWrongMethod } from './page-routes.ts';
import { checkRequest } from './protocol.ts';

/** Undefined for a request to another path. */
export function programRoute(
  programs: Programs,
  basePath: string,
): (exchange: Exchange) => Promise<void> | undefined {
  const matchRequest = programMatcher(basePath);
  return (exchange) => {
    const { request, response, target, headers } = exchange;
    const match = matchRequest(request.method ?? '', target);
    if (!match) return undefined;
    exchange.operation = match.operationId;
    try {
      checkRequest(request, target);
    } catch (error) {
      // It is uncertain where the next request begins.
      response.shouldKeepAlive = false;
      headers.push(...versionHeader);
      refuse(exchange, error);
      return Promise.resolve();
    }
    if (!('kind' in match)) return answerProgram(programs, exchange, match);
    if (match.kind === 'mcp') return answerMcp(programs, exchange);
    headers.push(...versionHeader);
    answerWrongMethod(exchange, match.method, match.allow, refuse);
    return Promise.resolve();
  };
}
