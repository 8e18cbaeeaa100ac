/** The one error of this client: what the server refused, and why. */

export interface GardenError extends Error {
  name: 'GardenError';
  /** The HTTP status. */
  status: number;
  /** The catalogue number, such as 40401; undefined where something other than a garden answered. */
  error: number | undefined;
  /** Names the line in the server's log. */
  requestId: string | undefined;
  /** Seconds to wait before another try, where the server told. */
  retryAfter: number | undefined;
}

export function isGardenError(value: unknown): value is GardenError {
  return value instanceof Error && value.name === 'GardenError';
}

/** The error of an answer that is not what was asked for. `what` names the request. */
export function gardenError(response: Response, text: string, what: string): GardenError {
  const body = readBody(text);
  const message =
    body?.message ??
    `${what} was answered with ${response.status} by something that is not a garden; check the address.`;
  return Object.assign(new Error(message), {
    name: 'GardenError' as const,
    status: response.status,
    error: body?.error,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: readRetryAfter(response.headers.get('Retry-After')),
  });
}

function readBody(text: string): { error: number; message: string } | undefined {
  try {
    const { error, message } = JSON.parse(text);
    return typeof error === 'number' && typeof message === 'string' ? { error, message } : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds, from either form of Retry-After (RFC 9110 §10.2.3). */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
