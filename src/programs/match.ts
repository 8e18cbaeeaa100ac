/** Finds the operation for programs that a request names. A slash at the end is another path, which does not exist. */
import { decodePath, originForm, splitTarget } from '../api/match.ts';
import {
  mcpPath,
  type ProgramOperation,
  type ProgramOperationId,
  programOperationIds,
  programOperations,
  programsPath,
} from '../contract/programs/operations.ts';

export interface ProgramMatch {
  operationId: ProgramOperationId;
  operation: ProgramOperation;
  /** As many as the path of the operation has. */
  ids: readonly string[];
  path: string;
  /** The query string, still percent-encoded. */
  query: string;
}

/** A message of the Model Context Protocol. */
interface McpMatch {
  kind: 'mcp';
  operationId: 'mcp';
}

export interface WrongProgramMethod {
  kind: 'wrongMethod';
  operationId: ProgramOperationId | 'mcp';
  method: string;
  allow: readonly string[];
}

interface Pattern {
  /** Each `{}` is an id. */
  segments: readonly string[];
  byMethod: ReadonlyMap<string, ProgramOperationId>;
}

function listPatterns(): Pattern[] {
  const byPath = Map.groupBy(programOperationIds, (id) =>
    programOperations[id].path.replaceAll(/\{\w+\}/g, '{}'),
  );
  return [...byPath].map(([path, ids]) => ({
    segments: path.slice(1).split('/'),
    byMethod: new Map(ids.map((id) => [programOperations[id].method as string, id])),
  }));
}

/** The ids in the path; undefined if the path has another pattern. */
function idsIn(path: readonly string[], { segments }: Pattern): string[] | undefined {
  const isOfPattern =
    path.length === segments.length &&
    segments.every((one, index) => (one === '{}' ? path[index] !== '' : path[index] === one));
  return isOfPattern ? path.filter((_, index) => segments[index] === '{}') : undefined;
}

export function programMatcher(basePath: string) {
  const start = `${basePath}${programsPath}/`;
  const patterns = Map.groupBy(listPatterns(), ({ segments: [first] }) => first);
  return (method: string, rawTarget: string): ProgramMatch | McpMatch | WrongProgramMethod | undefined => {
    const { path, query } = splitTarget(originForm(rawTarget));
    if (path === basePath + mcpPath) {
      if (method === 'POST') return { kind: 'mcp', operationId: 'mcp' };
      return { kind: 'wrongMethod', operationId: 'mcp', method, allow: ['POST', 'OPTIONS'] };
    }
    if (!path.startsWith(start)) return undefined;
    const segments = decodePath(path.slice(start.length)).split('/');
    for (const pattern of patterns.get(segments[0]) ?? []) {
      const ids = idsIn(segments, pattern);
      if (!ids) continue;
      const { byMethod } = pattern;
      const operationId = byMethod.get(method === 'HEAD' ? 'GET' : method);
      if (operationId) return { operationId, operation: programOperations[operationId], ids, path, query };
      const methods = [...byMethod.keys()].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
      const [first] = byMethod.values();
      if (first) return { kind: 'wrongMethod', operationId: first, method, allow: [...methods, 'OPTIONS'] };
    }
    return undefined;
  };
}
