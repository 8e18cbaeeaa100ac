/** The addresses of a group's pages. For somebody outside the group, none of them exists. */
import { groupsPath } from '../../paths.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { showAssign, showAssignment, takeAssign, takeAssignment } from './assign.ts';
import { showSeen, takeSeen } from './joining.ts';
import { showBoard, takeBoard } from './leaderboard.ts';
import { showMine, takeMine } from './mine.ts';
import { showOverview, takeOverview } from './overview.ts';
import { sendPeople, showPeople } from './people.ts';
import { showPick, takePick } from './pick.ts';
import { showGroupRounds } from './rounds.ts';
import { sendSeason, showSeason } from './season.ts';
import {
  showContests,
  showNewSeason,
  showSeasonSettings,
  takeContests,
  takeNewSeason,
  takeSeasonSettings,
} from './season-changes.ts';
import { showSeasonPerson, takeSeasonPerson } from './season-person.ts';
import { showSettings, takeSettings } from './settings.ts';
import { assignmentOf, sendTable, showAssignments, showTable } from './table.ts';

const group = `${groupsPath}:id/`;

/** Older messages and calendars link to `lists/`, the earlier address of `assignments/`. */
async function redirectToAssignment(visit: MemberVisit): Promise<Answer> {
  await assignmentOf(visit);
  const { path, query } = visit;
  const to = path.replace('/lists/', '/assignments/');
  return { to: query.size > 0 ? `${to}?${query}` : to, isPermanent: true };
}

export const groupPages: readonly PageRoute<MemberVisit>[] = [
  { path: groupsPath, show: showMine, change: takeMine },
  { path: group, show: showOverview, change: takeOverview },
  { path: `${group}seen/`, show: showSeen, change: takeSeen },
  { path: `${group}season/`, show: showSeason },
  { path: `${group}season/csv/`, show: sendSeason },
  { path: `${group}season/new/`, show: showNewSeason, change: takeNewSeason },
  { path: `${group}season/settings/`, show: showSeasonSettings, change: takeSeasonSettings },
  { path: `${group}season/add/`, show: showContests, change: takeContests, isAsked: true },
  { path: `${group}seasons/:season/`, show: showSeason },
  { path: `${group}seasons/:season/csv/`, show: sendSeason },
  { path: `${group}seasons/:season/people/:person/`, show: showSeasonPerson, change: takeSeasonPerson },
  { path: `${group}people/`, show: showPeople },
  { path: `${group}people/csv/`, show: sendPeople },
  { path: `${group}board/`, show: showBoard, change: takeBoard },
  { path: `${group}pick/`, show: showPick, change: takePick, isAsked: true },
  { path: `${group}rounds/`, show: showGroupRounds },
  { path: `${group}give/`, show: showAssign, change: takeAssign },
  { path: `${group}assignments/`, show: showAssignments },
  { path: `${group}assignments/:list/`, show: showTable },
  { path: `${group}assignments/:list/csv/`, show: sendTable },
  { path: `${group}assignments/:list/settings/`, show: showAssignment, change: takeAssignment },
  ...['', 'csv/', 'settings/'].map((end) => ({ path: `${group}lists/:list/${end}`, show: redirectToAssignment })),
  { path: `${group}settings/`, isSecret: true, show: showSettings, change: takeSettings },
];
