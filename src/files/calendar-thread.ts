/** The worker thread of `readCalendarInThread`. */
import { parentPort, workerData } from 'node:worker_threads';
import { readCalendar } from './calendar.ts';

parentPort?.postMessage(readCalendar(workerData.text, workerData.span));
