/** Opens the bytes of a file from the disk, standard input or the web. Every failure becomes one sentence. */
import { type FileHandle, open } from 'node:fs/promises';
import { AppError, badFile } from '../errors.ts';

interface OpenedSource {
  /** The query of an address is left out, because it may contain a secret. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  size?: number;
}

const fileChunkBytes = 1024 * 1024;

/** Throws badFile. A web server may send nothing for at most `idleTimeoutMs`. */
export async function openSource(
  pathOrUrl: string,
  stdin: AsyncIterable<Uint8Array>,
  idleTimeoutMs = 30_000,
): Promise<OpenedSource> {
  if (pathOrUrl === '-')
    return { name: 'standard input', bytes: mapErrors(stdin, 'standard input', toFileError) };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(pathOrUrl)?.[1]?.toLowerCase();
  if (scheme === undefined) return await openFile(pathOrUrl);
  if (scheme === 'http' || scheme === 'https') return await openUrl(pathOrUrl, idleTimeoutMs);
  throw badFile(
    `${scheme}:// addresses are not supported: give a path, - for standard input, or an http(s) address.`,
  );
}

async function openFile(path: string): Promise<OpenedSource> {
  try {
    const handle = await open(path);
    const stats = await handle.stat();
    if (stats.isDirectory()) {
      await handle.close();
      throw badFile(`${path} is a directory: name a file in it.`);
    }
    return { name: path, bytes: mapErrors(chunksOf(handle), path, toFileError), size: stats.size };
  } catch (error) {
    throw toFileError(path, error);
  }
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(fileChunkBytes) });
      if (bytesRead === 0) return;
      const bytes = buffer.subarray(0, bytesRead);
      // A pipe gives little at a time, which must not keep the whole buffer alive.
      yield bytesRead < fileChunkBytes / 2 ? Buffer.from(bytes) : bytes;
    }
  } finally {
    await handle.close();
  }
}

function toFileError(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return badFile(`${path} does not exist: check the path.`, error);
  if (code === 'EACCES' || code === 'EPERM')
    return badFile(`No permission to read ${path}: check its permissions.`, error);
  return badFile(`${path} cannot be read (${code}): check the path and the disk.`, error);
}

async function openUrl(spec: string, silenceMs: number): Promise<OpenedSource> {
  const url = URL.parse(spec);
  if (url === null) throw badFile(`${spec} is not an address: check its spelling.`);
  const name = url.origin + url.pathname;
  if (url.username !== '' || url.password !== '') {
    throw badFile(`${name} contains a password: download the file yourself and give its path.`);
  }
  const abort = new AbortController();
  const withTimeout = async <T>(answer: Promise<T>): Promise<T> => {
    const sentence = `${name} sent nothing for ${silenceMs / 1000} seconds: try again later.`;
    const timer = setTimeout(() => abort.abort(badFile(sentence)), silenceMs);
    return answer.finally(() => clearTimeout(timer));
  };
  const headers = { 'User-Agent': 'practice-garden/1.0' };
  const response = await withTimeout(fetch(url, { headers, signal: abort.signal })).catch((error) => {
    throw toWebError(name, error);
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    try {
      while (reader !== undefined) {
        const { done, value } = await withTimeout(reader.read());
        if (done) return;
        yield value;
      }
    } finally {
      abort.abort(); // A reader that stops early leaves no connection behind.
    }
  }
  const bytes = mapErrors(body(), name, toWebError);
  if (response.status !== 200) throw await refusalError(name, response, bytes);
  return { name, bytes };
}

/** Judges explain a refusal in JSON, whose start is quoted. */
async function refusalError(
  name: string,
  { status, headers }: Response,
  bytes: AsyncGenerator<Uint8Array>,
): Promise<AppError> {
  const { value: start } = await bytes.next();
  await bytes.return(undefined);
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  const reason = isJson && start ? ` (${Buffer.from(start).toString('utf8', 0, 200).trim()})` : '';
  return badFile(
    `${name} answered ${status}${reason}: check the address, try again later, or download the file yourself and give its path.`,
  );
}

function toWebError(name: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  // fetch hides the reason in the cause.
  const cause = error instanceof Error ? error.cause : undefined;
  const reason = codeOf(error) ?? (cause instanceof Error ? cause.message : 'the connection broke off');
  return badFile(
    `${name} could not be read (${reason}): check the address and the network, then try again.`,
    error,
  );
}

async function* mapErrors(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  toError: (name: string, error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw toError(name, error);
  }
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof AppError) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code ?? codeOf(error.cause);
}
