/** The errors of a sign-in at a provider, each with a sentence that says what follows and what to do next. */
import { errors } from 'jose';
import * as openid from 'openid-client';
import { type AppError, badSetting } from '../errors.ts';
import { faultKindOf, judgeFault } from '../judges/faults.ts';
import type { FaultKind } from '../judges/judge.ts';
import type { OpenIdPlace } from './openid-place.ts';
import { PrivateAddressError } from './public-hosts.ts';

type Asked = Pick<OpenIdPlace, 'name' | 'purpose'>;

/** The result of a failed visit, by its purpose. */
const outcomes = {
  'sign-in': 'you are not signed in',
  join: 'nothing was linked',
  proof: 'nothing was verified',
  'set-up': 'nothing was saved: check the issuer',
} as const satisfies Record<OpenIdPlace['purpose'], string>;

const outcome = ({ purpose }: Asked) => outcomes[purpose];
const Outcome = (asked: Asked) => outcome(asked).replace(/^./, (first) => first.toUpperCase());

/** Whatever went wrong, in one sentence. */
export function faultOf(place: Asked, error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  const fault = [error, cause].find((one) => faultKindOf(one) !== undefined);
  if (fault) return fault;
  if (error instanceof openid.ResponseBodyError) return refused(place, error.error);
  if (error instanceof errors.JWSSignatureVerificationFailed) return wrongToken(place, 'signature', error);
  if (error instanceof errors.JWKSNoMatchingKey) return wrongToken(place, 'signature', error);
  if (error instanceof errors.JWTExpired) return wrongToken(place, 'exp', error);
  if (error instanceof errors.JWTClaimValidationFailed) return wrongToken(place, error.claim, error);
  if (error instanceof openid.ClientError) {
    const claim = claimIn(error);
    return claim === undefined ? odd(place, error.message, error) : wrongToken(place, claim, error);
  }
  return error instanceof errors.JOSEError ? odd(place, error.message, error) : error;
}

/** The claim that is wrong, which stands somewhere among the causes. */
function claimIn(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('claim' in error && typeof error.claim === 'string') return error.claim;
  return 'cause' in error ? claimIn(error.cause) : undefined;
}

const tokenFaults: Readonly<Record<string, string>> = {
  nonce: 'belongs to another sign-in',
  aud: 'is meant for another site',
  azp: 'is meant for another site',
  iss: 'was sent by somebody else',
  exp: 'is too old',
  signature: 'is not signed with a published key or the client secret',
};

export function wrongToken(place: Asked, claim: string, cause?: unknown): AppError {
  const what = tokenFaults[claim] ?? `has a wrong ${claim}`;
  return badSetting(`The answer of ${place.name} ${what}, so ${outcome(place)}. Try again.`, cause);
}

/** The error for an answer that belongs to another visit, or to a visit that has ended. */
export function notBegunHere(place: Asked): AppError {
  return badSetting(
    `This sign-in with ${place.name} did not start in this browser, or was used before. ${Outcome(place)}; try again.`,
  );
}

export function noCode(place: Asked): AppError {
  return badSetting(`${place.name} sent no code, so ${outcome(place)}. Try again.`);
}

export function unknownPerson(place: Asked): AppError {
  return badSetting(`${place.name} did not say who you are, so ${outcome(place)}.`);
}

export function declined(place: Asked, error: string): AppError {
  if (error === 'access_denied')
    return badSetting(
      `You did not allow it at ${place.name}, or have no access there, so ${outcome(place)}.`,
    );
  return refused(place, error);
}

function refused(place: Asked, error: string): AppError {
  const { name } = place;
  if (error === 'invalid_grant')
    return badSetting(`This sign-in with ${name} is too old or was used before. Try again.`);
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return badSetting(
      `${name} does not recognise this server: an administrator can enter the client ID and secret again.`,
    );
  if (error === 'temporarily_unavailable' || error === 'server_error')
    return fault(place, 'down', `${name} says that it can’t answer right now.`);
  return odd(place, `it says ${JSON.stringify(error.slice(0, 100))}`);
}

export function foreignAddress(place: Asked, origin: string): AppError {
  return odd(place, `it names ${origin} as its own address`);
}

export function plainAddress(place: Asked, origin: string): AppError {
  return odd(place, `it names an address that is not https (${origin})`);
}

/** Why a provider could not be asked. */
export function unreached(place: Asked, error: unknown, answerMs: number): AppError {
  const { name } = place;
  const cause = (error as Error).cause as { code?: string; message?: string } | undefined;
  const inside = [error, cause].find((one) => one instanceof PrivateAddressError);
  if (inside) {
    const why = `${inside.host} is an address inside the server’s own network, so ${name} was not contacted.`;
    return fault(place, 'refused', `${why} The operator can allow it (PRIVATE_PLACES).`, error);
  }
  if ((error as Error).name === 'TimeoutError')
    return fault(place, 'down', `${name} did not answer within ${answerMs / 1000} seconds.`, error);
  if (cause?.message === 'unexpected redirect') {
    const why = `${name} redirected to another address, which we don’t follow.`;
    return fault(place, 'odd answer', `${why} An administrator can enter the new address.`, error);
  }
  const why = cause?.code ?? (error as Error).message;
  return fault(place, 'down', `${name} could not be reached (${why}). Try again later.`, error);
}

function odd(place: Asked, what: string, cause?: unknown): AppError {
  return fault(place, 'odd answer', `${place.name} sent an unexpected answer: ${what}.`, cause);
}

function fault(place: Asked, kind: FaultKind, sentence: string, cause?: unknown): AppError {
  return judgeFault(kind, `${sentence} ${Outcome(place)}.`, cause);
}
