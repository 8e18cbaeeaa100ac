/** Inputs that a proxy makes another, valid request of before it passes them on, with what that request is answered. */
import type { FrontName } from '../support/fronts.ts';

export const normalised: Readonly<Record<FrontName, Readonly<Record<string, number>>>> = {
  nginx: {},
  haproxy: {},
};
