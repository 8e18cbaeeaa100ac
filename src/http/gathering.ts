/** Requests of one turn of the event loop, handled together: so what is asked of the store for all of them is paid once. */

/**
 * Answers how to add one; `handle` gets those of a turn and when the first of them came, on the clock of `performance.now`.
 * One that comes alone, as the last one did, is handled at once: it would wait for company that it does not have.
 */
export function gathering<T>(handle: (together: readonly T[], since: number) => void): (one: T) => void {
  let waiting: T[] = [];
  /** One look at the clock a turn. */
  let since = 0;
  let turn = -1;
  /** How many came in this turn, and in the last one in which any came. */
  let arrived = 0;
  let arrivedBefore = 0;

  function handleWaiting(): void {
    const together = waiting;
    waiting = [];
    handle(together, since);
  }

  return (one) => {
    // Not a callback at the end of each turn: for that the loop would ask the system one time more what there is to do.
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount !== turn) {
      turn = loopCount;
      arrivedBefore = arrived;
      arrived = 0;
    }
    arrived++;
    if (arrived === 1 && arrivedBefore <= 1) {
      handle([one], performance.now());
      return;
    }
    waiting.push(one);
    if (waiting.length > 1) return;
    since = performance.now();
    setImmediate(handleWaiting);
  };
}
