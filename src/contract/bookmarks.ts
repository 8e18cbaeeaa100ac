/** The bookmark. Its id is the problem's id. */
import { int64, nullable, resource, schemaOf, time } from './common.ts';
import { collectionQuery, collectionUser } from './parameters.ts';

export const Bookmark = resource(
  'Bookmark',
  'A problem that a member bookmarked. The website calls a bookmark a star.',
  {
    id: int64('The id of the problem.', '7'),
    user: int64('The id of the member.', '1'),
    problem: int64('The id of the problem.', '7'),
    // A note has no maxLength, because merging two problems joins their notes.
    note: nullable(
      schemaOf<string>({
        type: 'string',
        description: 'The member’s note; null in bookmarks of other members, also for staff.',
        examples: ['try again without the hint'],
      }),
    ),
    created_at: time('When it was bookmarked.'),
    updated_at: time('When the note last changed.'),
  },
);

export const BookmarksQuery = collectionQuery(Bookmark, { user: collectionUser });
