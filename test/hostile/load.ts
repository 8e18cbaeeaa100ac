/** Well-behaved clients at work on connections of their own: every answer they get has to be right. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  /** Ends the work; answers the figures. Throws where a request was answered wrongly. */
  stop(): Promise<Done>;
}

export interface Done {
  /** How many requests were answered. */
  count: number;
  /** The plants whose deletion was answered 204. */
  deleted: bigint[];
  /** How many deletions were refused with 503; their plants may be deleted later. */
  refused: number;
  /** Milliseconds of each request, the shortest first. */
  times: number[];
}

export interface Reading {
  target: string;
  text: string;
}

interface Work {
  readings: readonly Reading[];
  plants: bigint[];
  connections: number;
  /** Between two requests of a connection. */
  pauseMs?: number;
  /** Whether a deletion may be refused with 503 and Retry-After. */
  mayRefuse?: boolean;
}

/** Reads the targets round and round, and deletes these plants one after the other, until it is stopped. */
export function putUnderLoad(url: string, token: string, work: Work): Load {
  const { readings, plants, connections, pauseMs = 0, mayRefuse = false } = work;
  let isOver = false;
  const done: Done = { count: 0, deleted: [], refused: 0, times: [] };
  const worker = async (place: number) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = place; !isOver; turn++) {
      const plant = turn % 4 === 0 ? plants.pop() : undefined;
      const reading = readings[turn % readings.length];
      assert(reading);
      const [method, target, status, text] =
        plant === undefined ? ['GET', reading.target, 200, reading.text] : ['DELETE', `/plants/${plant}`, 204, ''];
      const began = performance.now();
      const reply = await ask(agent, `${url}${target}`, method, token);
      done.times.push(performance.now() - began);
      done.count++;
      if (plant !== undefined && mayRefuse && reply.status === 503) {
        assert(Number(reply.retryAfter) >= 1, 'a refusal says when to come again');
        plants.unshift(plant);
        done.refused++;
      } else {
        assert.equal(reply.status, status, `${method} ${target}: ${reply.text}`);
        assert(reply.text === text, `${method} ${target} was answered otherwise under load`);
        if (plant !== undefined) done.deleted.push(plant);
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
    agent.destroy();
  };
  const workers = Array.from({ length: connections }, (_, place) => worker(place));
  // `stop` throws the failure of a worker; until then it must not end the process of the tests.
  for (const one of workers) one.catch(() => {});
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(workers);
      done.times.sort((one, other) => one - other);
      return done;
    },
  };
}

async function ask(agent: http.Agent, url: string, method: string, token: string) {
  const request = http.request(url, { agent, method, headers: { Authorization: `Bearer ${token}` } }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, text, retryAfter: response.headers['retry-after'] };
}
