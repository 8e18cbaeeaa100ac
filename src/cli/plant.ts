/** garden plant: practice goals in members' gardens. */
import { parseInt64 } from '../contract/common.ts';
import { readInstant } from '../contract/times.ts';
import { AppError } from '../errors.ts';
import { getMemberByName } from '../practice/members.ts';
import { faultOfGoal, plant } from '../practice/planting.ts';
import type { PlantsTable } from '../store/garden-tables.ts';
import { findVisibleList } from '../store/lists.ts';
import { listMembers } from '../store/members.ts';
import { findPlantOf, findPlantsByMember, removePlant } from '../store/plants.ts';
import { readCatalogueFacts } from '../store/problem-counts.ts';
import { listTags } from '../store/problem-names.ts';
import type { Db } from '../store/tables.ts';
import { type Flags, group, nearestOf, optionReader, verb } from './command.ts';
import { listVerb, verbOnId, withStore } from './database.ts';
import { printObject } from './terminal.ts';

interface AddFlags extends Flags {
  name: string;
  tag?: string;
  judge?: string;
  ratingMin?: bigint;
  ratingMax?: bigint;
  list?: bigint;
  target?: bigint;
  by?: string;
  plantedAt?: string;
}

const readName = optionReader('Give 1 to 200 characters that are not all spaces.', (text) =>
  text.trim() !== '' && text.length <= 200 ? text : undefined,
);
const readTarget = optionReader('Give a whole number from 1 on.', (text) =>
  /^[1-9][0-9]{0,8}$/.test(text) ? BigInt(text) : undefined,
);
const readRating = optionReader('Give a whole number.', (text) =>
  /^-?[0-9]{1,6}$/.test(text) ? BigInt(text) : undefined,
);
const readList = optionReader('Give the id of a list, as its address has it.', parseInt64);
const readTime = optionReader('Give an RFC 3339 time, such as 2026-11-21T08:30:00Z.', readInstant);

const add = verb('add', 'Plant a goal in a member’s garden', [
  'garden plant add ada --name "Graphs by spring" --tag graphs --target 25',
  'garden plant add ada --name "Up a step" --judge codeforces --rating-min 1600 --rating-max 1800 --by 2026-12-31',
])
  .argument('<username>', 'Whose garden')
  .requiredOption('--name <name>', 'What it is called', readName)
  .option('--tag <tag>', 'The topic it grows with; without one every solved problem counts', readName)
  .option('--list <id>', 'The list it grows with instead of a topic, one that the member may see', readList)
  .option('--judge <judge>', 'Count the problems of this judge alone', readName)
  .option('--rating-min <rating>', 'Count problems of this rating or a higher one alone', readRating)
  .option('--rating-max <rating>', 'Count problems of this rating or a lower one alone', readRating)
  .option('--target <number>', 'How many problems make it full-grown (default: 10)', readTarget)
  .option('--by <date>', 'The target date, such as 2026-12-31')
  .option('--planted-at <time>', 'When it was planted (RFC 3339); default: now', readTime)
  .action(async (username: string, flags: AddFlags) => {
    const { name, tag = null, judge = null, ratingMin = null, ratingMax = null, by = null } = flags;
    const { target = 10n, plantedAt: planted_at = new Date().toISOString() } = flags;
    const goal = { source: judge, rating_min: ratingMin, rating_max: ratingMax, by_date: by };
    const isPart = tag !== null || judge !== null || ratingMin !== null || ratingMax !== null;
    const fault =
      flags.list !== undefined && isPart
        ? 'A plant of a list counts all of it; leave out --tag, --judge and the ratings.'
        : faultOfGoal(goal);
    if (fault) throw new AppError('badSetting', fault);
    const planted = await withStore(flags, (store) =>
      store.write(async (tx) => {
        const { id: user_id } = await getMemberByName(tx, username);
        if (tag !== null) await assertTag(tx, tag);
        if (judge !== null) await assertJudge(tx, judge);
        const list = flags.list === undefined ? undefined : await findVisibleList(tx, flags.list, user_id);
        if (flags.list !== undefined && !list)
          throw new AppError('unknownItem', `${username} sees no list ${flags.list}.`);
        const whole = { name, tag, target, ...goal, list };
        const id = await plant(tx, user_id, whole, new Date(planted_at));
        return (await findPlantOf(tx, user_id, id)) as PlantsTable;
      }),
    );
    printObject(shown(planted), flags);
  });

const list = listVerb('plant', 'List the plants of a member, or of all', async (reader, member) => {
  const members = member ? [member] : await listMembers(reader);
  const gardens = await Promise.all(members.map(({ id }) => findPlantsByMember(reader, id)));
  return gardens.flat().map(shown);
});

const remove = verbOnId(
  ['plant', 'remove', 'deleted'],
  'Delete a plant; its id is never given out again',
  (store, id) => store.write((tx) => removePlant(tx, id)),
);

export const command = group('plant', 'Plant goals, list and remove them', [add, list, remove]);

/** Throws unknownItem for a tag that no problem has: a plant of that tag could never grow. */
async function assertTag(db: Db, tag: string): Promise<void> {
  const tags = await listTags(db);
  if (tags.includes(tag)) return;
  const guess = nearestOf(tag, tags);
  const advice =
    guess === undefined
      ? '(Leave --tag out for a plant that every solved problem counts for.)'
      : `(Did you mean ${guess}?)`;
  throw new AppError('unknownItem', `No problem has the tag ${JSON.stringify(tag)}. ${advice}`);
}

/** Throws unknownItem for a judge without problems here. */
async function assertJudge(db: Db, judge: string): Promise<void> {
  const names = (await readCatalogueFacts(db)).sources.map(({ source }) => source);
  if (names.includes(judge)) return;
  const guess = nearestOf(judge, names);
  const advice = guess === undefined ? '' : ` (Did you mean ${guess}?)`;
  throw new AppError('unknownItem', `There are no problems of the judge ${JSON.stringify(judge)}.${advice}`);
}

/** The fields of the contract's Plant. */
function shown({ id, user_id: user, name, tag, target, planted_at }: PlantsTable): Record<string, unknown> {
  return { id, user, name, tag, target, planted_at };
}
