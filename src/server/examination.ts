/** Checks of a server and its database: the same ones for `garden doctor` and for the health page of Administration. */
import type { Config } from '../config.ts';
import { backupPlan } from '../jobs/backups.ts';
import { describeSync } from '../jobs/sync-health.ts';
import {
  describeStore,
  type Examined,
  examineDisk,
  examineLog,
  examinePlace,
  type Finding,
} from '../store/examination.ts';
import type { ReadableStore } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { backupFault } from './health.ts';

/** Facts that only the caller knows. */
interface Known {
  /** The open database; or what is wrong where none can be opened. */
  store: ReadableStore | Examined;
  port: Examined;
  /** Why the database that is open cannot serve, if it cannot. */
  fault: string | undefined;
}

/** A check without a detail does not apply here, and is left out. */
export async function examine(config: Config, { store, fault, port }: Known): Promise<Finding[]> {
  const none: Examined = ['good', undefined];
  const isOpen = 'reader' in store;
  const looks: Readonly<Record<string, Examined>> = {
    runtime: ['good', `Node ${process.versions.node} on ${process.platform}-${process.arch}`],
    disk: await examineDisk(config),
    place: examinePlace(config),
    database: !isOpen ? store : fault === undefined ? ['good', await describeStore(store)] : ['bad', fault],
    log: examineLog(config),
    backups: isOpen ? await examineBackups(config, store.reader) : none,
    // A fault of the database itself is reported by its own check.
    sync: isOpen ? await describeSync(store.reader, new Date()).catch(() => none) : none,
    port,
  };
  return Object.entries(looks).flatMap(([check, [result, detail]]) =>
    detail === undefined ? [] : [{ check, result, detail }],
  );
}

async function examineBackups(config: Config, reader: Db): Promise<Examined> {
  const plan = await backupPlan(config, reader);
  if (!plan) return ['good', undefined];
  const fault = await backupFault(plan);
  return fault === undefined ? ['good', `the newest in ${plan.folder} is on time`] : ['warning', fault];
}
