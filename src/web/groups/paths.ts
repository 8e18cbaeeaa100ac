/** Where the pages of groups are, below the base path. */

export const groupsPath = '/dashboard/groups/';
export const groupPath = (id: bigint) => `${groupsPath}${id}/`;
export const boardPath = (id: bigint) => `${groupPath(id)}board/`;
export const tablePath = (groupId: bigint, listId: bigint) => `${groupPath(groupId)}lists/${listId}/`;
