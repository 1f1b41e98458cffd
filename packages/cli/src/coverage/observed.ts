// The declared responses that tests observed, collected from all worker processes of the test runner.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';

const FOLDER = 'build/observed';
const seen = new Set<string>();

/** @returns the name of a response: `getToy 200 application/json`, `getToy 204 without a body` */
export function responseName(operationId: string, status: string | number, type?: string): string {
  return `${operationId} ${status} ${type ?? 'without a body'}`;
}

/**
 * Records a response that a test received. Called by the test client for each declared response.
 *
 * @param status as the contract declares it: `200`, `4XX` or `default`
 * @param type the media type as the contract declares it; undefined without a body
 */
export function recordObserved(operationId: string, status: string | number, type?: string): void {
  const name = responseName(operationId, status, type);
  if (seen.has(name)) return;
  seen.add(name);
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(`${FOLDER}/${process.pid}`, `${name}\n`);
}

export function forgetObserved(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** @returns the names of the recorded responses */
export function observedResponses(): Set<string> {
  if (!existsSync(FOLDER)) return new Set();
  const files = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isFile());
  const lines = files.flatMap(({ name }) => readFileSync(`${FOLDER}/${name}`, 'utf8').split('\n'));
  return new Set(lines);
}
