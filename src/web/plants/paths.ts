/** The addresses of the garden, and links from its numbers to the lists behind them. */
import { html } from 'hono/html';
import type { GrownPlant } from '../../practice/garden.ts';
import type { Html } from '../layout.ts';
import { addressOf, listPath, type ProblemQuery, readProblemQuery } from '../problem-query.ts';

export const gardenPath = '/plants/';
/** The sheets that a page with plants in it loads. */
export const gardenStyles = ['plants.css', 'garden.css'] as const;
export const plantingPath = `${gardenPath}new/`;
export const plantPath = (id: bigint) => `${gardenPath}at/${id}/`;
export const uprootingPath = (id: bigint) => `${plantPath(id)}uproot/`;

/** Where one plants for this topic; null is any. */
export function plantingFor(tag: string | null): string {
  return tag === null ? `${plantingPath}?any=true` : `${plantingPath}?tag=${encodeURIComponent(tag)}`;
}

/** The problem list of a plant's topic; undefined for a topic that no address of the list can have. */
export function topicQuery(tag: string | null, status: 'complete' | 'unsolved'): ProblemQuery | undefined {
  const query = readProblemQuery(new URLSearchParams({ status, ...(tag && { tag }) }));
  return (query.tags[0] ?? '') === (tag ?? '') ? query : undefined;
}

export function topicAddress(tag: string | null, status: 'complete' | 'unsolved'): string | undefined {
  const query = topicQuery(tag, status);
  return query && listPath + addressOf(query);
}

/** A number that links to the page with as many rows. */
export function countLink(basePath: string, count: number | bigint, to: string | undefined) {
  return (children: (string | Html)[]): Html =>
    to === undefined
      ? html`<span class="num">${children}</span>`
      : html`<a class="num" data-count="${count}" href="${basePath}${to}">${children}</a>`;
}

/** The number of solved problems of a plant's topic. */
export function solvedLink(basePath: string, { tag, done }: Pick<GrownPlant, 'tag' | 'done'>) {
  return countLink(basePath, done, topicAddress(tag, 'complete'));
}
