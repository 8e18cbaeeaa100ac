/** Passkeys (WebAuthn, docs/decisions/0041-passkeys.md). */
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import { minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  type PasskeysTable,
  saveChallenge,
  savePasskeyUse,
  setPasskeyName,
  takeChallenge,
} from '../store/passkeys.ts';
import { deleteSession, type SignedInRow } from '../store/sessions.ts';
import { inTransaction, type Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import type { EntryThrottle } from './entry-throttle.ts';
import { type Client, newSecret, openSession, type SessionCookies } from './sessions.ts';
import { beginAttempt } from './sign-in.ts';
import { secretDigest } from './tokens.ts';

export interface RelyingParty {
  host: string;
  origin: string;
  baseUrl: string;
}

/** Browsers require https and a named host. */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { protocol, hostname: host, origin } = new URL(baseUrl);
  const isSafe = protocol === 'https:' || host === 'localhost';
  return isSafe && isIP(host) === 0 && !host.startsWith('[') ? { host, origin, baseUrl } : undefined;
}

export const passkeysAtMost = 10;
const challengeMinutes = 5;
const challengeMs = challengeMinutes * minuteMs;
/** The device must verify its user, because a passkey replaces a password. */
const userVerification = 'required';

/** EdDSA, ES256 and RS256 (RFC 9053 §2), which every supported Node verifies without a warning. */
const supportedAlgorithmIDs = [-8, -7, -257];

const webAuthn = () => import('@simplewebauthn/server');

export interface PasskeyOptions {
  challenge: string;
}

type Browsers = (challenge: string) => string[];

/** The page of a challenge names it, because each tab of a browser has its own. */
interface PasskeyAttempt {
  challenge: string;
  browsers: Browsers;
}

const createChallenge = inTransaction(
  async (tx: Db, browsers: Browsers, user_id: bigint | null): Promise<string> => {
    const now = Date.now();
    const challenge = newSecret();
    const [browser = ''] = browsers(challenge);
    const row = { browser, user_id, challenge, begun_at: new Date(now).toISOString() };
    await saveChallenge(tx, row, new Date(now - challengeMs).toISOString());
    return challenge;
  },
);

const takeStoredChallenge = inTransaction(takeChallenge);

async function takeValidChallenge(
  store: Store,
  { challenge, browsers }: PasskeyAttempt,
  userId: bigint | null,
): Promise<string> {
  const row = await takeStoredChallenge(store, browsers(challenge));
  if (!row || row.user_id !== userId || Date.parse(row.begun_at) + challengeMs < Date.now())
    throw localizedError('invalidValue.passkeyOver', { minutes: challengeMinutes });
  return row.challenge;
}

/** Throws invalidValue. */
export async function optionsToAdd(
  store: Store,
  relyingParty: RelyingParty,
  { user_id: userId, username }: SignedInRow,
  browsers: Browsers,
): Promise<PasskeyOptions> {
  const existing = await listPasskeys(store.reader, userId);
  if (existing.length >= passkeysAtMost)
    throw localizedError('invalidValue.passkeys', { most: passkeysAtMost });
  const challenge = Buffer.from(await createChallenge(store, browsers, userId), 'base64url');
  return (await webAuthn()).generateRegistrationOptions({
    rpName: 'Practice Garden',
    rpID: relyingParty.host,
    userName: username,
    userDisplayName: username,
    // The id includes the base URL, because one host may have several gardens.
    userID: Buffer.from(secretDigest(`passkey ${relyingParty.baseUrl} ${userId}`), 'hex'),
    challenge,
    timeout: challengeMs,
    excludeCredentials: existing.map(({ credential_id: id, transports }) => ({
      id,
      transports: transports.split(' ').filter(Boolean),
    })),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification },
  });
}

/** Throws invalidValue. */
export async function addPasskey(
  store: Store,
  relyingParty: RelyingParty,
  { userId, name, ...attempt }: PasskeyAttempt & { userId: bigint; name: string },
  answer: string,
): Promise<void> {
  const challenge = await takeValidChallenge(store, attempt, userId);
  const key = await parseResponse(answer, async (response: RegistrationResponseJSON) => {
    const { verifyRegistrationResponse } = await webAuthn();
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      supportedAlgorithmIDs,
      ...expectedValues(relyingParty, challenge),
    });
    return registrationInfo && (await isStrong(registrationInfo.credential))
      ? credentialRow(registrationInfo.credential)
      : undefined;
  });
  if (!key) throw localizedError('invalidValue.passkeyNotAdded');
  const row = {
    ...key,
    user_id: userId,
    host: relyingParty.host,
    name,
    made_at: new Date().toISOString(),
    used_at: null,
  };
  await store.write(async (tx) => {
    if ((await listPasskeys(tx, userId)).length >= passkeysAtMost)
      throw localizedError('invalidValue.passkeys', { most: passkeysAtMost });
    if (!(await insertPasskey(tx, row))) throw localizedError('invalidValue.passkeyNotAdded');
  });
}

/** RSA keys (RFC 8230 §4) have at least 2,048 bits, and the usual exponent 65,537. */
async function isStrong({ publicKey }: WebAuthnCredential): Promise<boolean> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const key = decodeCredentialPublicKey(publicKey);
  if (!cose.isCOSEPublicKeyRSA(key)) return true;
  const [n, e] = [key.get(cose.COSEKEYS.n), key.get(cose.COSEKEYS.e)];
  return n !== undefined && n[0] !== 0 && n.length >= 256 && String(e) === '1,0,1';
}

/** Throws if `transports` is no list, which the library does not check. */
const credentialRow = ({ id, publicKey, counter, transports = [] }: WebAuthnCredential) => ({
  credential_id: id,
  public_key: Buffer.from(publicKey).toString('base64url'),
  counter: BigInt(counter),
  transports: transports
    .filter((one) => /^[a-z-]{1,20}$/.test(one))
    .slice(0, 8)
    .join(' '),
});

export async function optionsToSignIn(
  store: Store,
  { host }: RelyingParty,
  browsers: Browsers,
): Promise<PasskeyOptions> {
  const challenge = Buffer.from(await createChallenge(store, browsers, null), 'base64url');
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({ rpID: host, challenge, timeout: challengeMs, userVerification });
}

/** Undefined for an unknown passkey, wrong signature or disabled member. Throws invalidValue and tooManyRequests. */
export async function signInByPasskey(
  store: Store,
  throttle: EntryThrottle,
  relyingParty: RelyingParty,
  answer: string,
  { client, before, ...passkeyAttempt }: PasskeyAttempt & { client: Client; before: SignedInRow | undefined },
): Promise<SessionCookies | undefined> {
  const id = await parseResponse(answer, async (response: AuthenticationResponseJSON) => response.id);
  const passkey = id === undefined ? undefined : await findPasskey(store.reader, id);
  // An unknown passkey takes the same time and counts alike, which hides whether a passkey exists and whose it is.
  const attempt = await beginAttempt(store, throttle, `passkey ${id ?? ''}`, undefined, client);
  const challenge = await takeValidChallenge(store, passkeyAttempt, null);
  const key = passkey ?? { credential_id: id ?? '', public_key: publicKeyOfNobody };
  const counter = await counterIn(relyingParty, key, challenge, answer);
  if (!passkey || counter === undefined || passkey.is_disabled !== 0n) return attempt.fail();
  return store.write(async (tx) => {
    if (!(await savePasskeyUse(tx, passkey.id, BigInt(counter), new Date().toISOString())))
      throw localizedError('invalidValue.passkeyCounter');
    await attempt.succeed(tx);
    if (before) await deleteSession(tx, before.user_id, before.id);
    return openSession(tx, passkey.user_id, client);
  });
}

/** The base point of P-256 (FIPS 186-5) as COSE. */
const publicKeyOfNobody =
  'pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU';

async function counterIn(
  relyingParty: RelyingParty,
  { credential_id: id, public_key }: Pick<PasskeysTable, 'credential_id' | 'public_key'>,
  challenge: string,
  answer: string,
): Promise<number | undefined> {
  return parseResponse(answer, async (response: AuthenticationResponseJSON) => {
    const { verifyAuthenticationResponse } = await webAuthn();
    // The database compares the counter, so that only one of two concurrent answers succeeds.
    const credential = { id, publicKey: Buffer.from(public_key, 'base64url'), counter: 0 };
    const result = await verifyAuthenticationResponse({
      response,
      credential,
      ...expectedValues(relyingParty, challenge),
    });
    return result.verified ? result.authenticationInfo.newCounter : undefined;
  });
}

const expectedValues = ({ host, origin }: RelyingParty, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: host,
});

/** The library throws many kinds of errors for an invalid answer. */
async function parseResponse<R, A extends { id: string; response: { clientDataJSON: string } }>(
  answer: string,
  read: (response: A) => Promise<R | undefined>,
): Promise<R | undefined> {
  try {
    const response: A = JSON.parse(answer);
    const { crossOrigin } = JSON.parse(String(Buffer.from(response.response.clientDataJSON, 'base64url')));
    // No page of another site asks for a passkey in a frame.
    if (crossOrigin) return undefined;
    // A credential id has up to 1023 bytes (WebAuthn §5.8.3).
    return /^[\w-]{1,1364}$/.test(response.id) ? await read(response) : undefined;
  } catch {
    return undefined;
  }
}

/** Throws unknownItem. */
export const renamePasskey = inTransaction(
  async (tx: Db, userId: bigint, id: bigint, name: string): Promise<void> => {
    if (!(await setPasskeyName(tx, userId, id, name))) throw localizedError('unknownItem.passkey');
  },
);
