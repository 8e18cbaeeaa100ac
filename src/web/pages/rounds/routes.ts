/** The pages of rounds. */
import { newDuelPath, newRoundPath, roundsPath } from '../../paths.ts';
import type { MemberVisit, PageRoute } from '../../request/visits.ts';
import { showDuelForm, submitDuelForm } from './duel.ts';
import { showRounds } from './my-rounds.ts';
import { showField, submitField } from './real-field.ts';
import { showInvitation, showRound, submitInvitation, submitRound } from './round.ts';
import { showForm, submitForm } from './round-form.ts';
import { sendStandings } from './standings.ts';

const round = `${roundsPath}:id/`;

export const roundPages: readonly PageRoute<MemberVisit>[] = [
  { path: roundsPath, get: showRounds },
  { path: newRoundPath, get: showForm, post: submitForm },
  { path: newDuelPath, get: showDuelForm, post: submitDuelForm },
  { path: `${roundsPath}join/:secret/`, isUncached: true, get: showInvitation, post: submitInvitation },
  { path: round, get: showRound, post: submitRound },
  { path: `${round}edit/`, get: showForm, post: submitForm },
  { path: `${round}field/`, get: showField, post: submitField, takesFile: true },
  { path: `${round}csv/`, get: sendStandings },
];
