// Writes what recorders write for the exchanges of contracts, as text: `make transcripts`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionOf, exchanged, SERVED } from '@stubwright/test-support/mockedExchanges';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { recorder } from 'stubwright/recording';

const FOLDER = 'packages/traffic/test/recordings';
const MASKED: readonly (readonly [RegExp, string])[] = [
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'BOUNDARY'],
  [/----formdata-[\w-]+/g, 'BOUNDARY'],
  [/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'DATE'],
];

/** The contracts with most kinds of parts. */
export const RECORDED = Object.entries(SERVED).filter(([name]) => /^(?:media|types-3)/.test(name));

export function recordingPath(name: string): string {
  return `${FOLDER}/${name}.txt`;
}

export async function recordedExchanges(contract: string): Promise<string> {
  const folder = temporaryFolder();
  try {
    const file = join(folder.path, 'traffic.jsonl');
    const recording = recorder({ file, callerHeader: 'User-Agent' });
    await exchanged(definitionOf(contract), { recorder: recording }, ({ response }) =>
      response.text(),
    );
    await recording.close();
    const texts = readdirSync(folder.path).map((each) =>
      readFileSync(join(folder.path, each), 'utf8'),
    );
    return MASKED.reduce((text, [found, mask]) => text.replaceAll(found, mask), texts.join(''));
  } finally {
    folder.remove();
  }
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, contract] of RECORDED) {
    writeFileSync(recordingPath(name), await recordedExchanges(contract));
  }
}
