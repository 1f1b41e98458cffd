// The declared responses that tests observed, collected from all worker processes of the test runner.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

/** The folder of the record, relative to the folder of the project. */
export const OBSERVED = 'build/observed';
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
  mkdirSync(OBSERVED, { recursive: true });
  appendFileSync(`${OBSERVED}/${process.pid}`, `${name}\n`);
}

/**
 * Removes the files of a record, and the folder if it holds no others.
 *
 * @param folder by default that of recordObserved
 */
export function forgetObserved(folder = OBSERVED): void {
  if (!existsSync(folder)) return;
  for (const file of recordFiles(folder)) rmSync(file, { force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function recordFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^\d+$/.test(entry.name))
    .map(({ name }) => join(folder, name));
}

/** A response without a body, as the test client writes it: `getToy 204`. */
const WITHOUT_TYPE = /^(.*) (\d\d\d|\dXX|default)$/i;

/** @returns the names of the recorded responses; undefined without a record */
export function observedResponses(folder = OBSERVED): Set<string> | undefined {
  if (!existsSync(folder)) return undefined;
  const lines = recordFiles(folder).flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  return new Set(
    lines.map((line) => {
      const [, operationId, status] = WITHOUT_TYPE.exec(line) ?? [];
      return operationId === undefined ? line : responseName(operationId, status!);
    }),
  );
}
