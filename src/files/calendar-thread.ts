/** A worker thread that reads one calendar. */
import { parentPort, workerData } from 'node:worker_threads';
import { readCalendar } from './calendar.ts';

parentPort?.postMessage(readCalendar(workerData.text, workerData.span));
