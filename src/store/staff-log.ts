/** The log of what staff did on the website. A row is written in the transaction of the act itself. */
import { greatestId } from './ids.ts';
import { insertRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    staff_log: StaffLogTable;
  }
}

/** A row has ids of members and no names, so that nothing is left of a deleted member. */
export interface StaffLogTable {
  id: bigint;
  made_at: string;
  actor_id: bigint;
  /** The act, and behind a blank what it was done to, such as the key of a provider. */
  what: string;
  member_id: bigint | null;
}

/** Names stay in this list for good, because old rows have them. */
export const staffActions = [
  'member-made',
  'member-renamed',
  'member-disabled',
  'member-enabled',
  'member-deleted',
  'staff-made',
  'staff-ended',
  'reset-made',
  'reset-ended',
  'invitation-made',
  'invitation-ended',
  'sign-up-opened',
  'sign-up-closed',
  'group-accounts-set',
  'proxy-members-set',
  'profile-fields-set',
  'add-limits-set',
  'sample-removed',
  'sample-restored',
  'plant-removed',
  'backup-begun',
  'backup-downloaded',
  'file-imported',
  'submissions-imported',
  'provider-saved',
  'provider-changed',
  'provider-removed',
  'judge-asked',
  'judge-live',
  'judge-place-set',
  'judge-place-own',
  'contest-feed-on',
  'contest-feed-off',
  'contest-feed-asked',
  'webhook-off',
  'webhook-on',
  'problem-removed',
  'problem-merged',
  'problem-restored',
] as const;
export type StaffAction = (typeof staffActions)[number];
export type StaffDeed = StaffAction | `${StaffAction} ${string}`;

export type StaffLogRow = StaffLogTable & { actor: string | null; member: string | null };

export const insertStaffAction = (
  tx: Db,
  deed: { what: StaffDeed; actor_id: bigint; member_id: bigint | null },
) => insertRow(tx, 'staff_log', { made_at: new Date().toISOString(), ...deed });

export async function listStaffActions(db: Db, limit: number, before = greatestId): Promise<StaffLogRow[]> {
  return db
    .selectFrom('staff_log')
    .leftJoin('members as actors', 'actors.id', 'staff_log.actor_id')
    .leftJoin('members as others', 'others.id', 'staff_log.member_id')
    .selectAll('staff_log')
    .select(['actors.username as actor', 'others.username as member'])
    .where('staff_log.id', '<', before)
    .orderBy('staff_log.id', 'desc')
    .limit(limit)
    .execute();
}
