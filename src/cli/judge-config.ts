/** The configuration of commands that contact judges, with the names in JUDGE_URLS checked. */
import { type Config, readConfig, type SettingFlags } from '../config.ts';
import { invalidValue } from '../errors.ts';
import { contestFeeds } from '../judges/contest-feeds.ts';
import type { Judge } from '../judges/judge.ts';
import { judges, sitesOf } from '../judges/judges.ts';
import { nearestOf } from './command.ts';

/** Throws invalidValue. */
export function readJudgeConfig(flags: SettingFlags): Config {
  const config = readConfig(flags);
  const ofJudges = Object.entries<Judge>(judges).flatMap(([source, { api, openId }]) => [
    ...sitesOf(source).map(({ name }) => name),
    ...(api?.ratings ? [`${source}-ratings`] : []),
    ...(openId ? [`${source}-openid`] : []),
  ]);
  const names = [...new Set([...ofJudges, ...contestFeeds.keys()])];
  const unknown = [...(config.judgeUrls?.keys() ?? [])].find((name) => !names.includes(name));
  if (unknown === undefined) return config;
  const guess = nearestOf(unknown, names);
  const question = guess === undefined ? '' : ` Did you mean ${guess}?`;
  throw invalidValue(
    `JUDGE_URLS has ${unknown}, which is no judge here.${question} It takes ${names.join(', ')}.`,
  );
}
