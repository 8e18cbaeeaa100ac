/** The address of every page, below the base path. Queries and links with words are elsewhere. */

export const accountPath = '/authentication/account/';
export const accountDaysPath = `${accountPath}days/`;
export const handlesPath = `${accountPath}handles/`;
export const remindersPath = `${accountPath}reminders/`;
export const waysPath = `${accountPath}ways/`;
export const sharingPath = `${accountPath}sharing/`;
export const uploadPath = `${accountPath}data/upload/`;
export const staffPath = '/authentication/staff/';
export const importsPath = `${staffPath}imports/`;
export const invitationsPath = `${staffPath}invitations/`;
export const staffMembersPath = `${staffPath}members/`;
export const staffContestsPath = `${staffPath}contests/`;
export const staffProblemsPath = `${staffPath}problems/`;
export const signInPath = '/authentication/sign-in/';
export const signUpPath = '/authentication/join/';
export const lookPath = '/authentication/look-around/';
export const passkeyPath = '/authentication/passkey/';
export const openIdPath = '/authentication/openid/';

/** The address to which a provider sends browsers back. */
export const returnPath = (key: string) => `${openIdPath}${key}/`;
export const appearancePath = '/appearance/';
export const manifestPath = '/manifest.webmanifest';
export const openSearchPath = '/opensearch.xml';
export const offlinePath = '/offline/';
export const ownGardenPath = '/authentication/own-garden/';
export const languagePath = '/language/';
/** The operations of the API, to read and to try. */
export const referencePath = '/docs/reference/';
export const translatingPath = '/docs/translating/';
export const listPath = '/problem_list/';
/** The address to which the switches of lists of problems are sent. */
export const switchPath = `${listPath}show/`;
export const newProblemPath = `${listPath}new/`;
export const historyImportPath = `${listPath}import/`;
export const problemPath = (id: bigint) => `/problem_list/problem/${id}/`;
/** The address to which forms of a timer are sent. */
export const timerPath = (id: bigint) => `${problemPath(id)}timer/`;
/** The address to which the choice of groups that read a note is sent. */
export const shareNotePath = (id: bigint) => `${problemPath(id)}share/`;
export const removeProblemPath = (id: bigint) => `${problemPath(id)}remove/`;
export const listsPath = `${listPath}lists/`;
export const newListPath = `${listsPath}new/`;
export const libraryPath = `${listsPath}library/`;
export const shelfPath = (source: string, key: string) =>
  `${libraryPath}${encodeURIComponent(source)}/${encodeURIComponent(key)}/`;
export const addToListPath = `${listsPath}add/`;
export const sharedListsPath = `${listPath}shared/`;
export const pathOfList = (id: bigint) => `${listsPath}${id}/`;
export const fileOfList = (id: bigint, form: string) => `${listsPath}${id}/${form}/`;
export const followPathOf = (id: bigint) => `${listsPath}${id}/follow/`;
export const editPathOf = (id: bigint) => `${listsPath}${id}/edit/`;
export const contestsPath = '/problem_list/contests/';
export const upcomingPath = `${contestsPath}upcoming/`;
export const progressPath = '/dashboard/progress/';
export const ratingsPath = `${progressPath}ratings/`;
export const timesPath = `${progressPath}time/`;
export const submissionsPath = '/dashboard/submissions/';
export const daysPath = '/dashboard/days/';
export const reviewPath = '/dashboard/review/';
export const historyPath = '/dashboard/history/';
export const inboxPath = `${accountPath}inbox/`;
/** Here stand the secret addresses to which members send problems. */
export const inboxAddressPath = '/inbox/';
export const calendarPath = '/dashboard/calendar/';
export const groupsPath = '/dashboard/groups/';
export const groupPath = (id: bigint) => `${groupsPath}${id}/`;
export const boardPath = (id: bigint) => `${groupPath(id)}board/`;
export const tablePath = (groupId: bigint, listId: bigint) => `${groupPath(groupId)}assignments/${listId}/`;
export const seasonPath = (groupId: bigint) => `${groupPath(groupId)}season/`;
export const seasonPathOf = (groupId: bigint, seasonId: bigint) => `${groupPath(groupId)}seasons/${seasonId}/`;
export const seasonPersonPath = (groupId: bigint, seasonId: bigint, personId: bigint) =>
  `${seasonPathOf(groupId, seasonId)}people/${personId}/`;
export const rosterPath = (groupId: bigint) => `${groupPath(groupId)}people/`;
export const roundsPath = '/dashboard/rounds/';
export const newRoundPath = `${roundsPath}new/`;
export const roundPath = (id: bigint) => `${roundsPath}${id}/`;
export const editRoundPath = (id: bigint) => `${roundPath(id)}edit/`;
export const joinRoundPath = (secret: string) => `${roundsPath}join/${secret}/`;
export const gardenPath = '/plants/';
export const plantingPath = `${gardenPath}new/`;
export const plantPath = (id: bigint) => `${gardenPath}at/${id}/`;
export const uprootingPath = (id: bigint) => `${plantPath(id)}uproot/`;
export const picturePath = '/plants/picture/';
export const membersPath = '/members/';
export const publicPath = (username: string) => `${membersPath}${encodeURIComponent(username)}/`;
export const publicListPath = (username: string, listId: bigint) => `${publicPath(username)}lists/${listId}/`;
export const publicPicturePath = (username: string, kind: string) => `${publicPath(username)}${kind}/`;
