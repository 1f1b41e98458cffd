// The declared answers that tests have seen, each (operation, status, media type), over all of
// jest's worker processes.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';

/** Stands for the media type of an answer that has no body. */
export const WITHOUT_BODY = 'without a body';

const FOLDER = 'build/observed';
const seen = new Set<string>();

export function recordObserved(answer: string): void {
  if (seen.has(answer)) return;
  seen.add(answer);
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(`${FOLDER}/${process.pid}`, `${answer}\n`);
}

export function forgetObserved(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

export function observedAnswers(): Set<string> {
  const files = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isFile());
  const lines = files.flatMap(({ name }) => readFileSync(`${FOLDER}/${name}`, 'utf8').split('\n'));
  return new Set(lines);
}
