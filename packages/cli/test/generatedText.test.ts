// The types, client and findings of whole contracts; make transcripts writes the expected text.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CLIENTS, clientText, generatedPath, generatedText, RECORDED } from './generatedText.ts';

describe('the text that commands generate', () => {
  it.each(RECORDED)('of the contract %s', async (name) => {
    expect(await generatedText(name)).toBe(readFileSync(generatedPath(name), 'utf8'));
  });

  it.each(Object.keys(CLIENTS))('for a client with options: %s', async (name) => {
    expect(await clientText(name)).toBe(readFileSync(generatedPath(name), 'utf8'));
  });
});
