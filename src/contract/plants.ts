/** The plant, a practice goal. No operation returns one; export and import use its fields. */
import { int64, nullable, resource, text, time } from './common.ts';

export const Plant = resource(
  'Plant',
  'A practice goal: how many problems of a topic the member wants to solve.',
  {
    id: int64('The id of the plant; never used again after it is deleted.', '1'),
    user: int64('The id of the member whose goal it is.', '1'),
    name: text('The name that the member gave it.', 'Graphs by spring'),
    tag: nullable(text('The topic whose solved problems count; null: any problem.', 'graphs')),
    target: int64('How many problems to solve.', '25'),
    planted_at: time('When it was planted.'),
  },
);
