import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { catalogue } from '../src/errors/problem.ts';

describe('the catalogue of error numbers', () => {
  it("equals the contract's description of Error", () => {
    const { description } = parse(readFileSync('openapi.yaml', 'utf8')).components.schemas.Error;
    const rows = [...description.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, error, meaning]) => [
      error,
      meaning,
    ]);
    expect(Object.fromEntries(rows)).toEqual(catalogue);
  });

  it('gives each number its status', () => {
    for (const error of Object.keys(catalogue)) expect(error).toMatch(/^[45]\d{4}$/);
  });
});
