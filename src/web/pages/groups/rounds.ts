/** The rounds of a group. */
import { roundPanels, roundStyles } from '../../kit/round-parts.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { groupFrame, groupOf } from './frame.ts';

export async function showGroupRounds(visit: MemberVisit): Promise<PageResult> {
  const group = await groupOf(visit);
  const { panels, actions } = await roundPanels(visit, group);
  const page = { tab: 'rounds/', styles: roundStyles, ...(actions && { actions }) };
  return { html: groupFrame(visit, group, page, panels) };
}
