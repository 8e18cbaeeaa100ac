/** The plant, a practice goal in a member's garden. No operation returns one; export and import use these fields. */
import { int64, nullable, resource, text, time } from './common.ts';

export const Plant = resource(
  'Plant',
  'A practice goal: it grows with the problems completed in its topic.',
  {
    id: int64('The id of the plant; never given out again once deleted.', '1'),
    user: int64('The id of the member whose garden it stands in.', '1'),
    name: text('The member’s name for it.', 'Graphs by spring'),
    tag: nullable(text('The topic it grows with; null: any problem.', 'graphs')),
    target: int64('How many problems make it full-grown.', '25'),
    planted_at: time('When it was planted.'),
  },
);
