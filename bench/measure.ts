// Measures one contender and verifies its responses, rows and log lines.
import type { Contender } from './contenders.ts';
import { type Load, load, type Result } from './load.ts';
import { ANSWER, type Answer, plantWith, post, Server } from './server.ts';

/** The measurement is inconsistent. The round is repeated. */
export class Void extends Error {
  override readonly name = 'Void';
}

/**
 * @returns a result for each load, in their order
 * @throws Void if the responses, rows or log lines are inconsistent
 */
export async function measure(
  contender: Contender,
  contract: string,
  warmup: Load,
  loads: readonly Load[],
): Promise<Result[]> {
  const server = await Server.start(contender, contract);
  try {
    const sample = await checkWork(server);
    const results: Result[] = [];
    for (const each of [warmup, ...loads]) {
      const result = await load(server, each);
      checkAnswers(contender, result, sample);
      results.push(result);
    }
    expectAnswer(contender, await post(server.url, plantWith(3)));
    await server.stop();
    await checkStored(server, results);
    return results.slice(1);
  } finally {
    await server.stop();
    server.clear();
  }
}

/** Plants 1 (at the start), 2 and 3 are posted by the bench itself. */
const OWN_PLANTS = 3;

/** Checks one valid request and, except for echoes, two invalid ones. */
async function checkWork({ contender, url }: Server): Promise<Answer> {
  const sample = await post(url, plantWith(2));
  expectAnswer(contender, sample);
  if (contender.stores) {
    const wrongToken = await post(url, plantWith(4), 'wrong');
    const wrongBody = await post(url, '{"id":5}');
    if (wrongToken.status !== 401)
      throw inconsistency(contender, `${wrongToken.status} to a wrong token`);
    if (wrongBody.status !== 400)
      throw inconsistency(contender, `${wrongBody.status} to a wrong body`);
  }
  return sample;
}

function expectAnswer(contender: Contender, { status, body }: Answer): void {
  if (status !== 200 || body !== ANSWER) throw inconsistency(contender, `${status} ${body}`);
}

/** All responses have the same length: a different number of bytes reveals a different response. */
function checkAnswers(contender: Contender, result: Result, { bytes }: Answer): void {
  const { requests, failed, connections } = result;
  if (failed > 0 || requests === 0)
    throw inconsistency(contender, `${failed} of ${requests} failed`);
  const surplus = result.bytes - requests * bytes;
  if (surplus < 0 || surplus > connections * bytes) {
    throw inconsistency(contender, `${result.bytes} bytes in ${requests} answers of ${bytes}`);
  }
}

/** At the end of a run, each connection may have stored one request that is not counted. */
async function checkStored(server: Server, results: readonly Result[]): Promise<void> {
  const answered = results.reduce((sum, { requests }) => sum + requests, OWN_PLANTS);
  const open = results.reduce((sum, { connections }) => sum + connections, 0);
  if (server.contender.stores) {
    const rows = await server.rows();
    if (rows < answered || rows > answered + open) {
      throw inconsistency(server.contender, `${rows} rows for ${answered} answers`);
    }
  }
  if (server.contender.logs) {
    const lines = await server.logLines();
    if (lines < answered)
      throw inconsistency(server.contender, `${lines} log lines for ${answered} answers`);
  }
}

function inconsistency({ name }: Contender, detail: string): Void {
  return new Void(`${name}: ${detail}`);
}
