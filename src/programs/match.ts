/** Finds the operation for programs that a request names. A slash at the end is another path, which does not exist. */
import { originForm } from '../api/match.ts';
import {
  idNameOf,
  type ProgramOperation,
  type ProgramOperationId,
  programOperationIds,
  programOperations,
  programsPath,
} from '../contract/programs/operations.ts';

export interface ProgramMatch {
  operationId: ProgramOperationId;
  operation: ProgramOperation;
  id: string;
  path: string;
  /** The query string, still percent-encoded. */
  query: string;
}

export interface WrongProgramMethod {
  kind: 'wrongMethod';
  operationId: ProgramOperationId;
  method: string;
  allow: readonly string[];
}

interface Pattern {
  prefix: string;
  /** What follows the id; undefined for a path without one. */
  suffix: string | undefined;
  byMethod: Map<string, ProgramOperationId>;
}

function patternsOf(basePath: string): Pattern[] {
  const byPath = Map.groupBy(programOperationIds, (id) =>
    programOperations[id].path.replace(/\{\w+\}/, '{}'),
  );
  return [...byPath].map(([path, ids]) => {
    const [before = '', suffix] = path.split('{}');
    const byMethod = new Map(ids.map((id) => [programOperations[id].method as string, id]));
    return { prefix: basePath + programsPath + before, suffix, byMethod };
  });
}

/** The id in the path, or an empty text; undefined if the path has another pattern. */
function idIn(path: string, { prefix, suffix }: Pattern): string | undefined {
  if (suffix === undefined) return path === prefix ? '' : undefined;
  const id = path.slice(prefix.length, path.length - suffix.length);
  const isOfPattern = path.startsWith(prefix) && path.endsWith(suffix) && id !== '' && !id.includes('/');
  return isOfPattern ? decoded(id) : undefined;
}

export function programMatcher(basePath: string) {
  const start = `${basePath}${programsPath}/`;
  const patterns = patternsOf(basePath);
  return (method: string, rawTarget: string): ProgramMatch | WrongProgramMethod | undefined => {
    const target = originForm(rawTarget);
    if (!target.startsWith(start)) return undefined;
    const [path = '', query = ''] = target.split(/\?(.*)/s);
    for (const pattern of patterns) {
      const id = idIn(path, pattern);
      if (id === undefined) continue;
      const { byMethod } = pattern;
      const operationId = byMethod.get(method === 'HEAD' ? 'GET' : method);
      if (operationId) return { operationId, operation: programOperations[operationId], id, path, query };
      const methods = [...byMethod.keys()].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
      const [first] = byMethod.values();
      if (first) return { kind: 'wrongMethod', operationId: first, method, allow: [...methods, 'OPTIONS'] };
    }
    return undefined;
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const hasId = (operation: ProgramOperation): boolean => idNameOf(operation) !== undefined;
