/**
 * Topics are counted from statuses and from the catalogue in memory, so the tables that counted them go, and every trigger, with
 * the revisions that nobody reads any more.
 */
import type { Migration } from '../engine.ts';

const triggers = {
  statuses: ['statuses_added', 'statuses_changed', 'statuses_removed'],
  problems: ['problems_retagged'],
  plants: ['plants_added', 'plants_changed'],
};

const dropped = (drop: (trigger: string, table: string) => string) =>
  Object.entries(triggers)
    .flatMap(([table, names]) => names.map((name) => drop(name, table)))
    .join('');

const tables = `DROP TABLE completions;
DROP TABLE problem_counts;
DELETE FROM revisions
WHERE scope IN ('pages', 'lists', 'days') OR scope LIKE 'pages:%' OR scope LIKE 'plants:%';
`;

export const countedTopics: Migration = {
  name: 'counted-topics',
  why: 'What is solved of each topic is counted when a page shows it, so that marks and imports write less.',
  sqlite: dropped((name) => `DROP TRIGGER ${name};\n`) + tables,
  postgres:
    dropped((name, table) => `DROP TRIGGER ${name} ON ${table};\nDROP FUNCTION ${name}();\n`) + tables,
};
