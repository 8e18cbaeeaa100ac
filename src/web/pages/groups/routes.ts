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
  { path: groupsPath, get: showMine, post: takeMine },
  { path: group, get: showOverview, post: takeOverview },
  { path: `${group}seen/`, get: showSeen, post: takeSeen },
  { path: `${group}season/`, get: showSeason },
  { path: `${group}season/csv/`, get: sendSeason },
  { path: `${group}season/new/`, get: showNewSeason, post: takeNewSeason },
  { path: `${group}season/settings/`, get: showSeasonSettings, post: takeSeasonSettings },
  { path: `${group}season/add/`, get: showContests, post: takeContests, dropsEmptyFields: true },
  { path: `${group}seasons/:season/`, get: showSeason },
  { path: `${group}seasons/:season/csv/`, get: sendSeason },
  { path: `${group}seasons/:season/people/:person/`, get: showSeasonPerson, post: takeSeasonPerson },
  { path: `${group}people/`, get: showPeople },
  { path: `${group}people/csv/`, get: sendPeople },
  { path: `${group}board/`, get: showBoard, post: takeBoard },
  { path: `${group}pick/`, get: showPick, post: takePick, dropsEmptyFields: true },
  { path: `${group}rounds/`, get: showGroupRounds },
  { path: `${group}give/`, get: showAssign, post: takeAssign },
  { path: `${group}assignments/`, get: showAssignments },
  { path: `${group}assignments/:list/`, get: showTable },
  { path: `${group}assignments/:list/csv/`, get: sendTable },
  { path: `${group}assignments/:list/settings/`, get: showAssignment, post: takeAssignment },
  ...['', 'csv/', 'settings/'].map((end) => ({ path: `${group}lists/:list/${end}`, show: redirectToAssignment })),
  { path: `${group}settings/`, isUncached: true, get: showSettings, post: takeSettings },
];
