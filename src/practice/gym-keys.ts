/** A coach's own API key at a judge, for assigning private contests. Only the session that saved it can read it. */
import type { Sealing } from '../auth/sealing.ts';
import { localizedError } from '../errors.ts';
import { deleteGymKey, findGymKey, putGymKey } from '../store/gym-keys.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { assertCoach, type CoachOfGroup } from './groups.ts';

interface ApiKey {
  key: string;
  secret: string;
}

interface OwnSession {
  id: bigint;
  sealing: Sealing;
}

const ownerOf = ({ groupId, coachId }: CoachOfGroup) => ({ group_id: groupId, user_id: coachId });
const sealContext = ({ groupId, coachId }: CoachOfGroup) => `gym key of ${coachId} for ${groupId}`;
const isKeyPart = (text: string) => /^[A-Za-z0-9]{16,128}$/.test(text);

/** Throws invalidValue and unknownPath. */
export const saveGymKey = inTransaction(
  async (
    tx: Db,
    coach: CoachOfGroup,
    { id, sealing }: OwnSession,
    { key, secret }: ApiKey,
  ): Promise<void> => {
    await assertCoach(tx, coach);
    if (!isKeyPart(key) || !isKeyPart(secret)) throw localizedError('invalidValue.apiKey');
    await putGymKey(tx, {
      ...ownerOf(coach),
      session_id: id,
      sealed: sealing.seal(sealContext(coach), JSON.stringify({ key, secret })),
      made_at: new Date().toISOString(),
    });
  },
);

export const removeGymKey = inTransaction((tx: Db, coach: CoachOfGroup) => deleteGymKey(tx, ownerOf(coach)));

export async function readGymKey(
  db: Db,
  coach: CoachOfGroup,
  { sealing }: OwnSession,
): Promise<ApiKey | undefined> {
  const row = await findGymKey(db, ownerOf(coach));
  const text = row && sealing.open(sealContext(coach), row.sealed);
  return text === undefined ? undefined : (JSON.parse(text) as ApiKey);
}
