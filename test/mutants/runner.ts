/**
 * Runs test files for Stryker in a process that stays. Each run loads the program and the tests anew, so that a change is also seen in
 * what is computed while a module loads; packages stay in memory. One test, for Stryker, is one test file.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { run } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import type { DryRunResult, MutantRunOptions, TestResult, TestRunner } from '@stryker-mutator/api/test-runner';
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

/** What the instrumented code reads and writes. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: NonNullable<Extract<DryRunResult, { mutantCoverage?: unknown }>['mutantCoverage']>;
}

const activeInProcesses = '__STRYKER_ACTIVE_MUTANT__';
const instrumentation: Instrumentation = {};
Object.defineProperty(globalThis, '__stryker__', { value: instrumentation });

let round = 0;
const loaded = new Map<string, string>();

function loadAnew(): void {
  const own = pathToFileURL(`${process.cwd()}/`).href;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const isOwn = found.url.startsWith(own) && found.url.endsWith('.ts') && !found.url.includes('/node_modules/');
      return isOwn ? { format: found.format, shortCircuit: true, url: `${found.url}?round=${round}` } : found;
    },
    load(url, context, next) {
      if (!url.includes('?round=')) return next(url, context);
      const path = fileURLToPath(url);
      const source = loaded.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'));
      loaded.set(path, source);
      return { format: 'module', shortCircuit: true, source };
    },
  });
}

/** Why the file fails, or nothing where it passes. */
async function failureOf(file: string): Promise<string | undefined> {
  round += 1;
  instrumentation.currentTestId = file;
  let failure: string | undefined;
  const others = process.listeners('beforeExit');
  const events = run({ files: [file], isolation: 'none' });
  // In its own process, node:test ends a run only where nothing else keeps the process, as Stryker's messages do.
  let ends = process.listeners('beforeExit').filter((listener) => !others.includes(listener));
  for await (const event of events) {
    if (event.type === 'test:fail') failure ??= `${event.data.name}: ${event.data.details.error.message}`;
    if (event.type !== 'test:dequeue') continue;
    for (const end of ends) end(0);
    ends = [];
  }
  return failure;
}

async function runFiles(files: readonly string[], isComplete: boolean): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const file of files) {
    const startedAt = performance.now();
    const failure = await failureOf(file);
    const result = { id: file, name: file, fileName: file, timeSpentMs: performance.now() - startedAt };
    if (failure === undefined) results.push({ ...result, status: TestStatus.Success });
    else results.push({ ...result, status: TestStatus.Failed, failureMessage: failure });
    if (failure !== undefined && !isComplete) break;
  }
  return results;
}

function activate(mutant: Mutant | undefined, hitLimit: number | undefined): void {
  instrumentation.activeMutant = mutant?.id;
  instrumentation.hitCount = hitLimit === undefined ? undefined : 0;
  instrumentation.hitLimit = hitLimit;
  if (mutant) process.env[activeInProcesses] = mutant.id;
  else delete process.env[activeInProcesses];
}

function createRunner(options: StrykerOptions): TestRunner {
  const files = options['testFiles'] as readonly string[];
  return {
    capabilities: () => ({ reloadEnvironment: true }),
    init: async () => loadAnew(),
    async dryRun() {
      activate(undefined, undefined);
      instrumentation.mutantCoverage = { static: {}, perTest: {} };
      const tests = await runFiles(files, true);
      return { status: DryRunStatus.Complete, tests, mutantCoverage: instrumentation.mutantCoverage };
    },
    async mutantRun({ activeMutant, hitLimit, testFilter }: MutantRunOptions) {
      activate(activeMutant, hitLimit);
      const filtered = testFilter && files.filter((file) => testFilter.includes(file));
      const tests = await runFiles(filtered ?? files, false);
      const limited = determineHitLimitReached(instrumentation.hitCount, hitLimit);
      activate(undefined, undefined);
      return toMutantRunResult(limited ?? { status: DryRunStatus.Complete, tests });
    },
  };
}
createRunner.inject = tokens(commonTokens.options);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'node', createRunner)];
