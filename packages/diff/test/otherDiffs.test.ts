// docs/stubwright/other-diffs.md names rules of this package.
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { RULES } from '../src/rules/rules.ts';

const page = readFileSync('docs/stubwright/other-diffs.md', 'utf8');
const table = page.slice(page.indexOf('| Rule |'));
const named = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`([^`]+)`/g)].map(([, rule]) => rule!),
);

it('the table for users of other tools has rules of the diff only', () => {
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((rule) => !Object.hasOwn(RULES, rule))).toEqual([]);
});
