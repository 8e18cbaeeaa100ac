/**
 * The place where the pages of uploads stand: the account of a member, or the rooms of staff.
 */
import type { Owner } from '../../../jobs/uploads.ts';
import type { Room } from '../../../store/uploads.ts';
import type { Html } from '../../markup.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

export interface UploadRoom {
  room: Room;
  /** The path of the page with the form, below the base path. */
  path: string;
  /** A whole page; the one of a single upload has its name as the title. */
  frame(visit: MemberVisit, content: Html, title?: string): Html;
}

const longestShown = 80;

export function ownerIn({ room }: UploadRoom, { member }: MemberVisit): Owner {
  return { userId: member.user_id, room };
}

/** The name of the file as a page shows it, without characters that would change the page around it. */
export function shownName(name: string): string {
  const visible = [...name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()];
  if (visible.length === 0) return words('uploads.noName');
  return visible.length > longestShown ? `${visible.slice(0, longestShown).join('')}…` : visible.join('');
}
