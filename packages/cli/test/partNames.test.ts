// Parts of requests with names that look like another part: recorded by a service, read by `diff` and `check`.

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Change } from '@stubwright/diff';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { recorder } from 'stubwright/recording';
import { loadContractFiles } from '../src/loading/load.ts';
import { createFolder, type ToyProject } from './support/toyProject.ts';

/** Properties with the names of integers are the first ones of an object. */
const NAMES = [
  ...['0', '1', 'a', '*', '', '/', '~', 'a b', 'x "y"', '(then)', '(x)/y', '[]', '{}'],
  '__proto__',
];

let project: ToyProject;
beforeEach(() => {
  project = createFolder();
  project.write('compatibility.yaml', 'traffic: {minimum-days: 0}');
});
afterEach(() => project.remove());

function write(file: string, operation: object): void {
  const post = { operationId: 'a', ...operation, responses: { default: { description: 'ok' } } };
  const info = { title: 'Toys', version: '1' };
  project.write(file, JSON.stringify({ openapi: '3.1.0', info, paths: { '/a': { post } } }));
}

/** Records a request to a mock of before.json. @returns the changes of after.json, and the unused parts */
async function recorded(query: string, body?: object) {
  const traffic = join(project.path, 'traffic');
  mkdirSync(traffic);
  const recording = recorder({ file: join(traffic, 'a.jsonl') });
  const contract = await loadContractFiles(join(project.path, 'before.json'));
  const handle = fetchHandler(await createApi({ contract, mock: 'all', recorder: recording }));
  const headers = { 'Content-Type': 'application/json' };
  const init = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const request = new Request(`http://localhost/a${query}`, { method: 'POST', ...init });
  expect((await handle(request)).status).toBeLessThan(300);
  await recording.close();
  const options = ['--traffic', join(traffic, readdirSync(traffic)[0]!), '--format', 'json'];
  const diff = await project.run('diff', 'before.json', 'after.json', ...options);
  const check = await project.run('check', 'before.json', ...options);
  const changes: Change[] = JSON.parse(diff.out).changes;
  return { changes, unused: JSON.parse(check.out).traffic.unused as string[] };
}

/** A body with an object of each name, and a property whose value is one of the names. */
function bodyOf(names: readonly string[], string: object, more: object = {}): object {
  const inner = { type: 'object', properties: { v: { type: 'string', ...string } } };
  const named = Object.fromEntries(NAMES.map((name) => [name, inner]));
  const properties = { ...named, name: { type: 'string', enum: [...names, 'other'] } };
  const schema = { type: 'object', properties, ...more };
  return { requestBody: { content: { 'application/json': { schema } } } };
}

it.each(NAMES)('a property and a value named %j are used, and no others', async (name) => {
  write('before.json', bodyOf(NAMES, {}));
  write('after.json', bodyOf([], { maxLength: 1 }, { required: NAMES }));
  // An assignment would change the prototype.
  const named = Object.fromEntries([[name, { v: 'long' }]]);
  const { changes, unused } = await recorded('', { ...named, name });
  const isName = NAMES.map((each) => each === name);
  for (const [rule, used] of [
    ['request-max-length-narrowed', isName],
    ['request-enum-value-removed', isName],
    ['request-property-became-required', isName.map((is) => !is)],
  ] as const) {
    const uses = changes.filter((change) => change.rule === rule);
    expect([rule, uses.map(({ traffic }) => traffic!.isUsed)]).toEqual([rule, used]);
  }
  const others = NAMES.filter((each) => each !== name);
  expect(unused).toEqual([
    ...others.map((each) => `POST /a  request body /${each}`),
    ...[...others, 'other'].map((each) => `POST /a  request body /name ${JSON.stringify(each)}`),
  ]);
});

it.each([
  ['?a=text', true],
  ['?b=text', false],
  ['', false],
])('an exploded object with a default is used if it is sent: %j', async (query, isUsed) => {
  const queryOf = (string: object) => {
    const properties = { a: { type: 'string', ...string }, b: {} };
    const schema = { type: 'object', properties, default: { a: 'long' } };
    return { parameters: [{ name: 'o', in: 'query', schema }] };
  };
  write('before.json', queryOf({}));
  write('after.json', queryOf({ maxLength: 1 }));
  const { changes } = await recorded(query);
  expect(changes.some(({ traffic }) => traffic?.isUsed)).toBe(isUsed);
});
