/** Well-behaved clients at work on connections of their own: every answer they get has to be right. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';

export interface Load {
  /** Ends the work; answers how many requests were answered. Throws where one was answered wrongly. */
  stop(): Promise<number>;
}

export interface Reading {
  target: string;
  text: string;
}

/** Reads the targets round and round, and deletes these plants one after the other, until it is stopped. */
export function putUnderLoad(
  url: string,
  token: string,
  { readings, plants, connections }: { readings: readonly Reading[]; plants: bigint[]; connections: number },
): Load {
  let isOver = false;
  let count = 0;
  const worker = async (place: number) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = place; !isOver; turn++) {
      const plant = turn % 4 === 0 ? plants.pop() : undefined;
      const reading = readings[turn % readings.length];
      assert(reading);
      const [method, target, status, text] =
        plant === undefined
          ? ['GET', reading.target, 200, reading.text]
          : ['DELETE', `/plants/${plant}`, 204, ''];
      const reply = await ask(agent, `${url}${target}`, method, token);
      assert.equal(reply.status, status, `${method} ${target}: ${reply.text}`);
      assert(reply.text === text, `${method} ${target} was answered otherwise under load`);
      count++;
    }
    agent.destroy();
  };
  const workers = Array.from({ length: connections }, (_, place) => worker(place));
  // Told when stopped; until then a failure must not end the process.
  for (const work of workers) work.catch(() => {});
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(workers);
      return count;
    },
  };
}

async function ask(agent: http.Agent, url: string, method: string, token: string) {
  const request = http.request(url, { agent, method, headers: { Authorization: `Bearer ${token}` } }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, text };
}
