// What recorders write for the exchanges of whole contracts; make transcripts writes the expected text.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { RECORDED, recordedExchanges, recordingPath } from './recordedExchanges.ts';

describe('the recording', () => {
  it.each(RECORDED)('of the contract %s', async (name, contract) => {
    expect(await recordedExchanges(contract)).toBe(readFileSync(recordingPath(name), 'utf8'));
  });
});
