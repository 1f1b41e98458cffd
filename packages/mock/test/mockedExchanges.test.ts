// Example requests, samples and mocked responses of whole contracts; make transcripts writes the expected text.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SERVED } from '@stubwright/test-support/mockedExchanges';
import { KEYWORD_SAMPLES, keywordSamples } from './keywordSamples.ts';
import { exchangesPath, mockedExchanges } from './mockedExchanges.ts';

it('keywordSamples.txt has samples of each keyword', () => {
  expect(keywordSamples()).toBe(readFileSync(KEYWORD_SAMPLES, 'utf8'));
});

describe('the mock', () => {
  it.each(Object.entries(SERVED))('of the contract %s', async (name, contract) => {
    expect(await mockedExchanges(contract)).toBe(readFileSync(exchangesPath(name), 'utf8'));
  });
});
