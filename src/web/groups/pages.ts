/** The pages of groups. Who is not in a group cannot tell its pages from none. */
import type { MemberVisit, PageRoute } from '../visits.ts';
import { showMine, takeMine } from './mine.ts';
import { groupsPath } from './parts.ts';
import { showPeople, takePeople } from './people.ts';
import { showSeen } from './seen.ts';
import { showSettings, takeSettings } from './settings.ts';

const group = `${groupsPath}:id/`;

export const groupPages: readonly PageRoute<MemberVisit>[] = [
  { path: groupsPath, show: showMine, change: takeMine },
  { path: group, show: showPeople, change: takePeople },
  { path: `${group}seen/`, show: showSeen },
  { path: `${group}settings/`, isSecret: true, show: showSettings, change: takeSettings },
];
