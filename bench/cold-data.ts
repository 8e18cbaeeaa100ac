/** The data of the work `cold`: more problems than any cache holds, and many members with statuses and a token each. */
import { join } from 'node:path';
import { makeToken } from '../src/auth/tokens.ts';
import { operations } from '../src/contract/operations.ts';
import { findMemberByName } from '../src/store/members.ts';
import { openStore } from '../src/store/open.ts';
import { writeRows as writeProblems } from './catalogue.ts';
import { type Data, filesIn, fillPeers, keepAnswers, type PeerMember, writeRows } from './data.ts';
import { garden, importCatalogue } from './garden.ts';
import { temporaryFolder } from './lifecycle.ts';
import { oneItem, problemsPath, statusCollection } from './requests.ts';

export interface ColdData extends Data {
  members: readonly PeerMember[];
}

const statusesEach = 50;
/** Items whose bodies are compared before anything is measured. */
const compared = 20;

export function comparedItems(problems: number) {
  return Array.from({ length: compared }, (_, place) => ({
    path: `${problemsPath}${1 + Math.floor((place * problems) / compared)}/`,
  }));
}

export async function prepareColdData(problems: number, members: number): Promise<ColdData> {
  const folder = await temporaryFolder();
  const files = filesIn(folder);
  const file = (name: string) => join(folder, name);
  const databaseUrl = `sqlite:${files.gardenFile}`;
  await writeProblems(file('catalogue.ndjson'), problems);
  await importCatalogue(file('catalogue.ndjson'), databaseUrl);
  await writeRows(file('records.ndjson'), members, (place) => ({ username: nameOf(place) }));
  await garden(['import', 'records', file('records.ndjson')], databaseUrl);
  await writeRows(file('statuses.ndjson'), members * statusesEach, (place) => statusRow(place, problems));
  await garden(['import', 'statuses', file('statuses.ndjson'), '--ids-of-this-garden'], databaseUrl);
  const made = await makeTokens(databaseUrl, members);
  await Promise.all([
    garden(['export', 'problems', files.problemsFile], databaseUrl),
    garden(['export', 'statuses', files.statusesFile], databaseUrl),
  ]);
  const data = { ...files, plants: 0, token: made[0]?.token ?? '', members: made };
  fillPeers(data, () => made);
  await keepAnswers(data, [oneItem, ...comparedItems(problems), statusCollection], []);
  return data;
}

const nameOf = (place: number) => `member-${place + 1}`;

/** Each member's problems lie all over the catalogue, and no two members next to each other have the same. */
function statusRow(place: number, problems: number): object {
  const member = Math.floor(place / statusesEach);
  const step = problems / statusesEach;
  const problem = 1 + Math.floor((place % statusesEach) * step) + ((member * 37) % step);
  const state = ['complete', 'practicing', 'reading'][place % 3];
  return { username: nameOf(member), problem, status: state, updated_at: '2026-01-01T00:00:00.000Z' };
}

/** Not by the command line, which would start a process for each. */
async function makeTokens(databaseUrl: string, members: number): Promise<PeerMember[]> {
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 10_000 });
  const scopes = [...new Set(Object.values(operations).map(({ scope }) => scope))];
  try {
    return await Promise.all(
      Array.from({ length: members }, async (_, place) => {
        const member = await findMemberByName(store.reader, nameOf(place));
        if (!member) throw new Error(`the import made no ${nameOf(place)}`);
        const token = { userId: member.id, name: 'bench', scopes, lifetimeMs: undefined };
        return { userId: Number(member.id), token: (await makeToken(store, token)).token };
      }),
    );
  } finally {
    await store.close();
  }
}
