/** The pages of groups. Who is not in a group cannot tell its pages from none. */
import { groupsPath } from '../../paths.ts';
import type { MemberVisit, PageRoute } from '../../road/visits.ts';
import { showBoard, takeBoard } from './board.ts';
import { showGive, showGiven, takeGive, takeGiven } from './give.ts';
import { showSeen } from './joining.ts';
import { showMine, takeMine } from './mine.ts';
import { showPeople, takePeople } from './people.ts';
import { showPick, takePick } from './pick.ts';
import { showSettings, takeSettings } from './settings.ts';
import { sendTable, showTable } from './table.ts';

const group = `${groupsPath}:id/`;

export const groupPages: readonly PageRoute<MemberVisit>[] = [
  { path: groupsPath, show: showMine, change: takeMine },
  { path: group, show: showPeople, change: takePeople },
  { path: `${group}seen/`, show: showSeen },
  { path: `${group}board/`, show: showBoard, change: takeBoard },
  { path: `${group}pick/`, show: showPick, change: takePick, isAsked: true },
  { path: `${group}give/`, show: showGive, change: takeGive },
  { path: `${group}lists/:list/`, show: showTable },
  { path: `${group}lists/:list/csv/`, show: sendTable },
  { path: `${group}lists/:list/settings/`, show: showGiven, change: takeGiven },
  { path: `${group}settings/`, isSecret: true, show: showSettings, change: takeSettings },
];
