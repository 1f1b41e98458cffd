// The transcripts of the pages show the output of the commands as it is now.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { inTestAll } from '@stubwright/test-support/testAll';
import { RECORDINGS, recorded } from '../docs/recording.ts';
import { COMMAND_PAGES, PAGES, transcribed } from '../docs/transcripts.ts';

jest.setTimeout(600_000);

describe.each(PAGES)('%s', (path) => {
  inTestAll(it)('shows the current output; make transcripts writes it', async () => {
    const page = readFileSync(path, 'utf8');
    expect(await transcribed(page)).toBe(page);
  });
});

describe.each(Object.entries(RECORDINGS))('%s', (file, recording) => {
  inTestAll(it)('shows the current output; make transcripts draws it', async () => {
    expect(await recorded(recording)).toBe(readFileSync(file, 'utf8'));
  });
});

describe.each(COMMAND_PAGES)('%s', (path) => {
  const page = readFileSync(path, 'utf8');
  const name = basename(path, '.md');

  it('has a transcript of the command, its options and its exit codes', () => {
    expect(page).toMatch(new RegExp(`^# stubwright ${name}: `));
    expect(page).toMatch(new RegExp(`^\\$ stubwright ${name}\\b(?! --help)`, 'm'));
    expect(page).toMatch(new RegExp(`^\\$ stubwright ${name} --help\\nUsage: `, 'm'));
    expect(page).toMatch(/^## Exit codes$/m);
  });
});

it('documents every command', () => {
  const run = readFileSync('packages/cli/src/run.ts', 'utf8');
  const commands = [...run.matchAll(/import\('\.\/commands\/(\w+)\.ts'\)/g)].map(([, name]) =>
    name!.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  const names = COMMAND_PAGES.map((path) => basename(path, '.md'));
  expect(names).toEqual(commands.sort());
});
