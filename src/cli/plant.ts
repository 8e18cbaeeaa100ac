/** garden plant: practice goals in members' gardens. */
import { parseInt64 } from '../contract/common.ts';
import { readInstant } from '../contract/parameters.ts';
import { AppError, invalidValue } from '../errors.ts';
import { getMemberByName } from '../practice/members.ts';
import { plant, removeAnyPlant } from '../practice/planting.ts';
import { findVisibleList } from '../store/lists.ts';
import { listMembers } from '../store/members.ts';
import { findPlantOf, findPlantsByMember, type PlantsTable } from '../store/plants.ts';
import { listTags, readCatalogue } from '../store/problems.ts';
import { commandGroup, databaseCommand, type Flags, nearestOf, optionParser } from './command.ts';
import { commandOnId, listCommand, withStore } from './database.ts';
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

const readName = optionParser('Enter 1 to 200 characters that are not all spaces.', (text) =>
  text.trim() !== '' && text.length <= 200 ? text : undefined,
);
const readTarget = optionParser('Enter a whole number from 1 to 999999999.', (text) =>
  /^[1-9][0-9]{0,8}$/.test(text) ? BigInt(text) : undefined,
);
const readRating = optionParser('Enter a whole number.', (text) =>
  /^-?[0-9]{1,6}$/.test(text) ? BigInt(text) : undefined,
);
const readList = optionParser('Enter the id of a list: the number in its address.', parseInt64);
const readTime = optionParser('Enter an RFC 3339 time, such as 2026-11-21T08:30:00Z.', readInstant);

const add = databaseCommand('add', 'Add a plant (a goal) to a member’s garden', [
  'garden plant add ada --name "Graphs by spring" --tag graphs --target 25',
  'garden plant add ada --name "Up a step" --judge codeforces --rating-min 1600 --rating-max 1800 --by 2026-12-31',
])
  .argument('<username>', 'The member’s username')
  .requiredOption('--name <name>', 'Name of the plant', readName)
  .option('--tag <tag>', 'The topic (tag) whose solved problems count; default: any topic', readName)
  .option('--list <id>', 'The list whose solved problems count; the member must be able to see it', readList)
  .option('--judge <judge>', 'Count only problems of this judge', readName)
  .option('--rating-min <rating>', 'Count only problems rated this or higher', readRating)
  .option('--rating-max <rating>', 'Count only problems rated this or lower', readRating)
  .option('--target <number>', 'How many problems to solve (default: 10)', readTarget)
  .option('--by <date>', 'The target date, such as 2026-12-31')
  .option('--planted-at <time>', 'When the goal was set (RFC 3339); default: now', readTime)
  .action(async (username: string, flags: AddFlags) => {
    const { name, tag = null, judge = null, ratingMin = null, ratingMax = null, by = null } = flags;
    const { target = 10n, plantedAt: planted_at = new Date().toISOString() } = flags;
    const goal = { source: judge, rating_min: ratingMin, rating_max: ratingMax, by_date: by };
    const hasFilter = tag !== null || judge !== null || ratingMin !== null || ratingMax !== null;
    if (flags.list !== undefined && hasFilter)
      throw invalidValue('A plant of a list counts all of it; leave out --tag, --judge and the ratings.');
    const plantRow = await withStore(flags, (store) =>
      store.write(async (tx) => {
        const { id: user_id } = await getMemberByName(tx, username);
        if (tag !== null) {
          const advice = ' (Leave --tag out to count every solved problem.)';
          assertProblemHas(await listTags(tx), tag, 'No problem has the topic (tag)', advice);
        }
        if (judge !== null) {
          const names = [...(await readCatalogue(tx)).bySource.keys()];
          assertProblemHas(names, judge, 'There are no problems of the judge', '');
        }
        const list = flags.list === undefined ? undefined : await findVisibleList(tx, flags.list, user_id);
        if (flags.list !== undefined && !list)
          throw new AppError('unknownItem', `${username} sees no list ${flags.list}.`);
        const newPlant = { name, tag, target, ...goal, list };
        const id = await plant(tx, user_id, newPlant, new Date(planted_at));
        return (await findPlantOf(tx, user_id, id)) as PlantsTable;
      }),
    );
    printObject(plantFields(plantRow), flags);
  });

const list = listCommand('plant', 'List the plants of a member, or of all', async (reader, member) => {
  const members = member ? [member] : await listMembers(reader);
  const gardens = await Promise.all(members.map(({ id }) => findPlantsByMember(reader, id)));
  return gardens.flat().map(plantFields);
});

const remove = commandOnId(
  ['plant', 'remove', 'deleted'],
  'Delete a plant; its id is never used again',
  removeAnyPlant,
);

export const command = commandGroup('plant', 'Add, list and remove plants (goals)', [add, list, remove]);

/** Throws unknownItem for a word that no problem has, because its plant could never grow. */
function assertProblemHas(words: readonly string[], word: string, sentence: string, advice: string): void {
  if (words.includes(word)) return;
  const guess = nearestOf(word, words);
  const more = guess === undefined ? advice : ` (Did you mean ${guess}?)`;
  throw new AppError('unknownItem', `${sentence} ${JSON.stringify(word)}.${more}`);
}

function plantFields({
  id,
  user_id: user,
  name,
  tag,
  target,
  planted_at,
}: PlantsTable): Record<string, unknown> {
  return { id, user, name, tag, target, planted_at };
}
