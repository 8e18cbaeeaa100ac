/** The pages of rounds. */
import { newRoundPath, roundsPath } from '../../paths.ts';
import type { MemberVisit, PageRoute } from '../../road/visits.ts';
import { sendBoard } from './board.ts';
import { showForm, takeForm } from './making.ts';
import { showRounds } from './mine.ts';
import { showInvitation, showRound, takeInvitation, takeRound } from './round.ts';

const round = `${roundsPath}:id/`;

export const roundPages: readonly PageRoute<MemberVisit>[] = [
  { path: roundsPath, show: showRounds },
  { path: newRoundPath, show: showForm, change: takeForm },
  { path: `${roundsPath}join/:secret/`, isSecret: true, show: showInvitation, change: takeInvitation },
  { path: round, show: showRound, change: takeRound },
  { path: `${round}edit/`, show: showForm, change: takeForm },
  { path: `${round}csv/`, show: sendBoard },
];
