/** The problem. A judge may have several keys for one. */
import { int32, int64, nullable, oneOf, resource, schemaOf, text, textList, time } from './common.ts';
import { collectionQuery, longestTarget, queryText } from './parameters.ts';
import { states } from './statuses.ts';

export const Problem = resource('Problem', 'One task of one judge.', {
  id: int64('The id of the problem on this server.', '7'),
  title: text('The judge’s own title; not unique.', 'Jellyfish and OEIS'),
  source: text('The judge.', 'codeforces'),
  source_key: text('The judge’s own key of the problem, unique within the judge.', '1874F'),
  url: nullable(text('Where the statement is.', 'https://codeforces.com/problemset/problem/1874/F')),
  rating: nullable(int32('The judge’s own difficulty figure; null where it gives none.', 3500)),
  tags: textList('Topics, with the judge’s names and in its order. The website calls a tag a topic.', [
    'dp',
    'math',
  ]),
  aliases: textList('Other keys of the same problem, such as its Div. 1 or Div. 2 twin.', ['1875G']),
  editorial_url: nullable(text('Where the official solution is explained.', null)),
  video_url: nullable(text('Where the solution is explained in a video.', null)),
  created_at: time('When the problem was added to this server.'),
  updated_at: time('When this row last changed.'),
});

const rating = (description: string, example: number) =>
  schemaOf<number>({ type: 'integer', format: 'int32', description, examples: [example] });

export const ProblemsQuery = collectionQuery(Problem, {
  source: queryText('Only this judge.', 'codeforces'),
  tag: schemaOf<string[]>({
    type: 'array',
    items: queryText('A tag.'),
    // A longer query does not fit into a request target.
    maxItems: Math.floor(longestTarget / '&tag=x'.length),
    description: 'Only problems with this tag; given more than once, with all of them.',
    examples: [['dp']],
  }),
  rating_min: rating('Only problems rated this or higher.', 800),
  rating_max: rating('Only problems rated this or lower.', 3500),
  q: queryText('Part of the title or of a key, in any case.', 'jellyfish'),
  status: oneOf(
    states,
    'Only problems on which the token’s own member has this status (needs status:read too).',
    'practicing',
  ),
  bookmarked: schemaOf<boolean>({
    type: 'boolean',
    description: 'Only problems the token’s own member bookmarked, or did not (needs bookmarks:read too).',
    examples: [true],
  }),
});
