/** What a garden that runs can say of itself, for the health page of staff. */
import type { Config } from '../config.ts';
import {
  describeStore,
  type Examined,
  examineDisk,
  examineLog,
  examinePlace,
  type Finding,
} from '../store/examination.ts';
import type { ReadableStore } from '../store/store.ts';
import { describeSync } from '../sync/health.ts';

/** Everything that a garden which runs can say of itself. The integrity of a file is left to `garden doctor`: it takes long. */
export async function examine(
  config: Config,
  store: ReadableStore,
  ready: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const findings = await ready();
  const looks: [check: string, Examined][] = [
    ['runtime', ['good', `Node ${process.versions.node} on ${process.platform}-${process.arch}`]],
    ['disk', await examineDisk(config)],
    ['place', examinePlace(config)],
    ['log', examineLog(config)],
    ['rows', ['good', await describeStore(store)]],
    ['sync', await describeSync(store.reader, new Date())],
  ];
  for (const [check, [result, detail]] of looks) {
    if (detail !== undefined) findings.push({ check, result, detail });
  }
  return findings;
}
