/** The addresses of a group's pages. For somebody outside the group, none of them exists. */
import { groupPath, groupsPath } from '../../paths.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { showAssign, showAssignment, submitAssign, submitAssignment } from './assign.ts';
import { showClass, submitClass } from './class-list.ts';
import { groupOf } from './frame.ts';
import { showVisibility, submitVisibility } from './joining.ts';
import { showBoard, submitBoard } from './leaderboard.ts';
import { showGroups, submitGroup } from './mine.ts';
import { showNextContests } from './next-contests.ts';
import { showOverview, submitOverview } from './overview.ts';
import { downloadPeople, showPeople } from './people.ts';
import { showPerson } from './person.ts';
import { showPick, submitPick } from './pick.ts';
import { submitResults } from './results.ts';
import { showGroupRounds } from './rounds.ts';
import { downloadSeason, showSeason } from './season.ts';
import {
  showContests,
  showNewSeason,
  showSeasonSettings,
  submitContests,
  submitNewSeason,
  submitSeasonSettings,
} from './season-changes.ts';
import { showSeasonPerson, submitSeasonPerson } from './season-person.ts';
import { showSettings, submitSettings } from './settings.ts';
import { sheetPages } from './sheet.ts';
import { assignmentOf, downloadTable, showAssignments, showTable } from './table.ts';
import { showTeam, submitTeam } from './team.ts';
import { showTeamProposals } from './team-proposals.ts';
import { showTeams, submitTeams } from './teams.ts';

const group = `${groupsPath}:id/`;

/** Older messages and calendars link to `lists/`, the earlier address of `assignments/`. */
async function redirectToAssignment(visit: MemberVisit): Promise<PageResult> {
  await assignmentOf(visit);
  const { path, query } = visit;
  const to = path.replace('/lists/', '/assignments/');
  return { to: query.size > 0 ? `${to}?${query}` : to, isPermanent: true };
}

/** Of a page that is only there to change something: an archived group leads to its first page, which says so. */
const ifNotArchived =
  (get: (visit: MemberVisit) => Promise<PageResult>) =>
  async (visit: MemberVisit): Promise<PageResult> => {
    const { id, archived_at } = await groupOf(visit);
    return archived_at === null ? get(visit) : { to: groupPath(id) };
  };

export const groupPages: readonly PageRoute<MemberVisit>[] = [
  { path: groupsPath, get: showGroups, post: submitGroup },
  { path: group, get: showOverview, post: submitOverview },
  { path: `${group}seen/`, get: showVisibility, post: submitVisibility },
  { path: `${group}season/`, get: showSeason },
  { path: `${group}season/csv/`, get: downloadSeason },
  { path: `${group}season/new/`, get: ifNotArchived(showNewSeason), post: submitNewSeason },
  { path: `${group}season/settings/`, get: ifNotArchived(showSeasonSettings), post: submitSeasonSettings },
  { path: `${group}season/add/`, get: ifNotArchived(showContests), post: submitContests, dropsEmptyFields: true },
  { path: `${group}seasons/:season/`, get: showSeason },
  { path: `${group}seasons/:season/csv/`, get: downloadSeason },
  { path: `${group}seasons/:season/people/:person/`, get: showSeasonPerson, post: submitSeasonPerson },
  ...sheetPages(`${group}seasons/:season/`),
  { path: `${group}people/`, get: showPeople },
  { path: `${group}people/csv/`, get: downloadPeople },
  {
    path: `${group}people/expected/`,
    isUncached: true,
    takesFile: true,
    get: ifNotArchived(showClass),
    post: submitClass,
  },
  { path: `${group}people/:person/`, get: showPerson },
  { path: `${group}people/next/`, get: ifNotArchived(showNextContests), dropsEmptyFields: true },
  { path: `${group}people/teams/`, get: showTeamProposals },
  { path: `${group}board/`, get: showBoard, post: submitBoard },
  { path: `${group}pick/`, get: ifNotArchived(showPick), post: submitPick, dropsEmptyFields: true },
  { path: `${group}rounds/`, get: showGroupRounds },
  { path: `${group}teams/`, get: showTeams, post: submitTeams },
  { path: `${group}teams/:team/`, get: showTeam, post: submitTeam },
  { path: `${group}results/`, post: submitResults },
  { path: `${group}give/`, get: ifNotArchived(showAssign), post: submitAssign },
  { path: `${group}assignments/`, get: showAssignments },
  { path: `${group}assignments/:list/`, get: showTable },
  { path: `${group}assignments/:list/csv/`, get: downloadTable },
  { path: `${group}assignments/:list/settings/`, get: ifNotArchived(showAssignment), post: submitAssignment },
  ...sheetPages(`${group}assignments/:list/`),
  ...['', 'csv/', 'settings/'].map((end) => ({ path: `${group}lists/:list/${end}`, get: redirectToAssignment })),
  { path: `${group}settings/`, isUncached: true, get: showSettings, post: submitSettings },
];
