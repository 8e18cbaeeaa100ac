/** The worker thread of readListTextInThread. */
import { parentPort, workerData } from 'node:worker_threads';
import { readListText } from './list-text.ts';

parentPort?.postMessage(readListText(workerData as string));
