/** Problems and contests of gyms, which stand apart from the list and the grid, and the submissions that a team sent. */
import { type Migration, onBothEngines } from '../engine.ts';

const columns = onBothEngines(`
    ALTER TABLE problems ADD COLUMN is_gym INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE contests ADD COLUMN is_gym INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE solves ADD COLUMN is_team INTEGER NOT NULL DEFAULT 0;
    UPDATE solves SET is_team = 1 WHERE participation = 'team';
    DROP INDEX problems_by_filters;
    DROP INDEX problems_by_rating;
    DROP INDEX problems_by_key;
    CREATE INDEX problems_by_key ON problems (source_key, id) WHERE is_gym < 1;
    CREATE INDEX problems_of_gyms ON problems (id) WHERE is_gym = 1;
  `);

/** Members may have added some by their links already. */
const known = {
  sqlite: `UPDATE problems SET is_gym = 1
    WHERE source = 'codeforces' AND source_key GLOB '[1-9][0-9][0-9][0-9][0-9][0-9]*[A-Za-z]*';
    UPDATE contests SET is_gym = 1 WHERE source = 'codeforces' AND key GLOB '[1-9][0-9][0-9][0-9][0-9][0-9]*';
  `,
  postgres: `UPDATE problems SET is_gym = 1 WHERE source = 'codeforces' AND source_key ~ '^[1-9][0-9]{5,}[A-Za-z]';
    UPDATE contests SET is_gym = 1 WHERE source = 'codeforces' AND key ~ '^[1-9][0-9]{5}';
  `,
};

/**
 * The indexes of the numbered pages have no problems of gyms, so a page costs the same however many there are. Both conditions
 * mean the same: only a statement that says is_gym <= 0 can use the index for filters, and one that says is_gym < 1 those for
 * orders.
 */
const indexes = {
  sqlite: `
    DROP INDEX problems_by_title;
    CREATE INDEX problems_by_filters ON problems (source, rating, search_text) WHERE is_gym <= 0;
    CREATE INDEX problems_by_rating ON problems (rating, id) WHERE is_gym < 1;
    CREATE INDEX problems_by_title ON problems (title, id) WHERE is_gym < 1;
  `,
  postgres: `
    DROP INDEX problems_by_rating_down;
    CREATE INDEX problems_by_filters ON problems (source, rating) WHERE is_gym <= 0;
    CREATE INDEX problems_by_rating ON problems (rating, id) WHERE is_gym < 1;
    CREATE INDEX problems_by_rating_down ON problems (rating DESC NULLS LAST, id) WHERE is_gym < 1;
  `,
};

export const gym: Migration = {
  name: 'gym',
  why: 'Problems of gyms come with the submissions of members, and stand apart from the list unless they are asked for.',
  sqlite: columns.sqlite + known.sqlite + indexes.sqlite,
  postgres: columns.postgres + known.postgres + indexes.postgres,
};
