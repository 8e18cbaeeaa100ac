/** For `node --import`: the clock of the program is ahead by CLOCK_AHEAD_DAYS, in all its threads. */
const aheadMs = Number(process.env['CLOCK_AHEAD_DAYS'] ?? '0') * 86_400_000;
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + aheadMs] : args, newTarget),
  apply: (target) => new target(target.now() + aheadMs).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + aheadMs : Reflect.get(target, name, receiver),
});
