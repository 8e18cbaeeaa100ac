/** Spreading work over turns of the event loop, so that other work comes in between. */

/** Does the work for what is handed to it, so many at most in one turn, in the next turns. */
export function spreadOverTurns<T>(perTurn: number, work: (one: T) => void): (one: T) => void {
  const waiting: T[] = [];
  const turn = () => {
    for (const one of waiting.splice(0, perTurn)) work(one);
    if (waiting.length > 0) setImmediate(turn);
  };
  return (one) => {
    waiting.push(one);
    if (waiting.length === 1) setImmediate(turn);
  };
}
