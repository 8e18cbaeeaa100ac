/** garden plant: practice goals in members' gardens. */
import { type Command, InvalidArgumentError } from 'commander';
import { parseInt64 } from '../contract/common.ts';
import { readInstant } from '../contract/times.ts';
import { AppError } from '../errors.ts';
import { getMemberByName } from '../practice/members.ts';
import { addPlant } from '../practice/plants.ts';
import { listMembers } from '../store/members.ts';
import { findPlantsByMember, removePlant } from '../store/plants.ts';
import { listTags } from '../store/problem-names.ts';
import type { PlantsTable } from '../store/tables.ts';
import {
  complain,
  group,
  jsonOption,
  printObject,
  printTable,
  suggestion,
  verb,
  withStore,
  withStoreToRead,
} from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  json?: boolean;
}

interface AddFlags extends Flags {
  name: string;
  tag?: string;
  target?: bigint;
  plantedAt?: string;
}

export function plantVerb(): Command {
  const add = verb('add', 'Plant a goal in a member’s garden', [
    'garden plant add ada --name "Graphs by spring" --tag graphs --target 25',
  ])
    .argument('<username>', 'Whose garden')
    .requiredOption('--name <name>', 'What it is called')
    .option('--tag <tag>', 'The topic it grows with; without one every solved problem counts')
    .option('--target <number>', 'How many problems make it full-grown (default: 10)', readTarget)
    .option('--planted-at <time>', 'When it was planted (RFC 3339); default: now', readTime)
    .addOption(jsonOption())
    .action(async (username: string, flags: AddFlags) => {
      const { name, tag = null, target = 10n } = flags;
      if (name.trim() === '' || name.length > 200) {
        throw new AppError('badSetting', 'A plant needs a name of 1 to 200 characters: give --name.');
      }
      if (tag !== null && (tag.trim() === '' || tag.length > 200)) {
        throw new AppError('badSetting', 'A tag has 1 to 200 characters: mend --tag, or leave it out.');
      }
      const plantedAt = flags.plantedAt ?? new Date().toISOString();
      const { plant, tags } = await withStore(flags, false, async (store) => ({
        plant: await store.write(async (tx) => {
          const member = await getMemberByName(tx, username);
          return addPlant(tx, { userId: member.id, name, tag, target, plantedAt });
        }),
        tags: await listTags(store.reader),
      }));
      printObject(shown(plant), flags.json ?? false);
      if (tag !== null && !tags.includes(tag))
        complain(`No problem here has the tag ${JSON.stringify(tag)} yet.${suggestion(tag, tags)}`);
    });
  const list = verb('list', 'List the plants of a member, or of all', [
    'garden plant list',
    'garden plant list ada --json',
  ])
    .argument('[username]', 'Only this member’s')
    .addOption(jsonOption())
    .action(async (username: string | undefined, flags: Flags) => {
      const plants = await withStoreToRead(flags, async ({ reader }) => {
        const member = username === undefined ? undefined : await getMemberByName(reader, username);
        const members = member ? [member] : await listMembers(reader);
        const gardens = await Promise.all(members.map(({ id }) => findPlantsByMember(reader, id)));
        return gardens.flat();
      });
      printTable(plants.map(shown), flags.json ?? false);
    });
  const remove = verb('remove', 'Delete a plant; its id is never given out again', ['garden plant remove 7'])
    .argument('<id>', 'Its number in garden plant list')
    .addOption(jsonOption())
    .action(async (text: string, flags: Flags) => {
      const id = parseInt64(text);
      const isDeleted =
        id !== undefined &&
        (await withStore(flags, false, (store) => store.write((tx) => removePlant(tx, id))));
      if (!isDeleted) {
        throw new AppError(
          'unknownItem',
          `There is no plant ${text}; garden plant list shows which there are.`,
        );
      }
      if (flags.json) printObject({ id, deleted: true }, true);
      else complain(`Plant ${id} is deleted.`);
    });
  return group('plant', 'Plant goals, list and remove them', [add, list, remove]);
}

/** The fields of the contract's Plant. */
function shown({ user_id, id, ...rest }: PlantsTable): Record<string, unknown> {
  return { id, user: user_id, ...rest };
}

function readTarget(text: string): bigint {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 on.');
  return BigInt(text);
}

function readTime(text: string): string {
  const instant = readInstant(text);
  if (instant === undefined)
    throw new InvalidArgumentError('Give an RFC 3339 time, such as 2026-11-21T08:30:00Z.');
  return instant;
}
