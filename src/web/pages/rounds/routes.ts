/** The pages of rounds. */
import { newRoundPath, roundsPath } from '../../paths.ts';
import type { MemberVisit, PageRoute } from '../../road/visits.ts';
import { sendBoard } from './board.ts';
import { showForm, takeForm } from './making.ts';
import { showRounds } from './mine.ts';
import { showInvitation, showRound, takeInvitation, takeRound } from './round.ts';

const round = `${roundsPath}:id/`;

export const roundPages: readonly PageRoute<MemberVisit>[] = [
  { path: roundsPath, get: showRounds },
  { path: newRoundPath, get: showForm, post: takeForm },
  { path: `${roundsPath}join/:secret/`, isUncached: true, get: showInvitation, post: takeInvitation },
  { path: round, get: showRound, post: takeRound },
  { path: `${round}edit/`, get: showForm, post: takeForm },
  { path: `${round}csv/`, get: sendBoard },
];
