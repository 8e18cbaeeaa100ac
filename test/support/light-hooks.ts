/**
 * Loaded by named-modules.ts before anything loads node:test. To know which test an uncaught error belongs to, node:test follows every
 * promise from its making to its end, which takes a fifth of the time of a test that serves in its own process. Here it does
 * not: an uncaught error fails the test that is running when it comes, or else the file.
 */
import hooks from 'node:async_hooks';

/** What node:test has as the resource of a test. */
interface Resource {
  startTime?: bigint | null;
  finished?: boolean;
}

const { createHook, executionAsyncId } = hooks;
const events = ['uncaughtException', 'unhandledRejection'];

hooks.createHook = (callbacks) => {
  const { init } = callbacks;
  const tests = new Map<number, Resource>();
  const hook = createHook({
    ...callbacks,
    trackPromises: false,
    init: (id, type, trigger, resource) => {
      // Not the hooks of a test, which are made before they run and are of another class.
      if (type === 'Test' && resource.constructor.name === 'Test') tests.set(id, resource);
      init?.(id, type, trigger, resource);
    },
  });
  /** Before node:test asks what the code that runs belongs to, it is told. */
  const tell = () => {
    const isRunning = ([, { startTime, finished }]: [number, Resource]) => startTime != null && !finished;
    // The root is the first, and has no name of its own to fail.
    const [test] = [...tests].slice(1).findLast(isRunning) ?? [];
    if (test !== undefined) init?.(executionAsyncId(), 'uncaught', test, {});
  };
  const { enable, disable } = hook;
  return Object.assign(hook, {
    enable: () => {
      for (const event of events) process.on(event, tell);
      return enable.call(hook);
    },
    disable: () => {
      for (const event of events) process.off(event, tell);
      return disable.call(hook);
    },
  });
};
