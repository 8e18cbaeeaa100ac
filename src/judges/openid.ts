/** The judges where people can sign in, by their names. */
import type { Judge } from './judge.ts';
import { judges } from './judges.ts';

type OpenIdJudge = Judge & Required<Pick<Judge, 'openId'>>;

export const openIdJudges: ReadonlyMap<string, OpenIdJudge> = new Map(
  Object.entries<Judge>(judges).flatMap(([source, judge]) =>
    judge.openId ? [[source, { ...judge, openId: judge.openId }] as const] : [],
  ),
);
