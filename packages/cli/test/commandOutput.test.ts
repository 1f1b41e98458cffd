// The help, formats and reports of commands; make transcripts writes the expected text.
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { COMMAND_OUTPUT, commandOutput } from './commandOutput.ts';

it('commands print and write the expected text', async () => {
  expect(await commandOutput()).toBe(readFileSync(COMMAND_OUTPUT, 'utf8'));
});
