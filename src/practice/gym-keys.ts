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
const aboutKey = ({ groupId, coachId }: CoachOfGroup) => `gym key of ${coachId} for ${groupId}`;
const isPart = (text: string) => /^[A-Za-z0-9]{16,128}$/.test(text);

/** Throws invalidValue and unknownPath. */
export const saveGymKey = inTransaction(
  async (
    tx: Db,
    coached: CoachOfGroup,
    { id, sealing }: OwnSession,
    { key, secret }: ApiKey,
  ): Promise<void> => {
    await assertCoach(tx, coached);
    if (!isPart(key) || !isPart(secret)) throw localizedError('invalidValue.apiKey');
    await putGymKey(tx, {
      ...ownerOf(coached),
      session_id: id,
      sealed: sealing.seal(aboutKey(coached), JSON.stringify({ key, secret })),
      made_at: new Date().toISOString(),
    });
  },
);

export const removeGymKey = inTransaction((tx: Db, coached: CoachOfGroup) =>
  deleteGymKey(tx, ownerOf(coached)),
);

export async function readGymKey(
  db: Db,
  coached: CoachOfGroup,
  { sealing }: OwnSession,
): Promise<ApiKey | undefined> {
  const row = await findGymKey(db, ownerOf(coached));
  const text = row && sealing.open(aboutKey(coached), row.sealed);
  return text === undefined ? undefined : (JSON.parse(text) as ApiKey);
}
