// The breaking-change detector, held against the labelled pairs and against large contracts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Definition, isObject } from '../../../stubwright/src/document/definition.ts';
import { parseText } from '../../../stubwright/src/loading/parse.ts';
import type { Change } from '../../src/diff/change.ts';
import { changesBetween } from '../../src/diff/changes.ts';
import { PAIRS } from './pairs.ts';

const OCTOKIT = 'node_modules/@octokit/openapi/generated';
const GITHUB = `${OCTOKIT}/api.github.com.json`;
const FIGMA = 'node_modules/@figma/rest-api-spec/openapi/openapi.yaml';

function contract(text: string): { definition: Definition } {
  const { value } = parseText(text, false) as { value: unknown };
  if (!isObject(value)) throw new Error(`expected a contract, got ${text}`);
  return { definition: new Definition(value) };
}

/** Without what a pair says in two versions of OpenAPI. */
function changes(before: string, after: string): Change[] {
  return changesBetween(contract(before), contract(after)).filter(
    ({ before: pointer }) => pointer !== '/openapi',
  );
}

describe('a change of a contract', () => {
  it.each(PAIRS)('is $label: $name', ({ before, after, label }) => {
    expect(changes(before, after)[0]?.verdict ?? 'equal').toBe(label);
  });

  it('has an effect in plain words and a place in both contracts', () => {
    for (const { before, after } of PAIRS) {
      for (const change of changes(before, after)) {
        expect(change.effect).toMatch(/^[A-Z].*\.$/s);
        expect(contract(before).definition.at(change.before)).toBeDefined();
        expect(contract(after).definition.at(change.after)).toBeDefined();
      }
    }
  });
});

describe('a change that many operations share', () => {
  const yaml = (bound: string) => `
openapi: 3.0.3
info: {title: Toys, version: '1'}
paths:
  /toys: {post: {requestBody: {$ref: '#/components/requestBodies/Toy'}, responses: {}}}
  /games: {post: {requestBody: {$ref: '#/components/requestBodies/Toy'}, responses: {}}}
components:
  requestBodies:
    Toy: {content: {application/json: {schema: {type: object, properties: {tags: {type: array, items: {type: string${bound}}}}}}}}`;

  it('is told once, by its shortest path, with all of them', () => {
    expect(changes(yaml(''), yaml(', maxLength: 9'))).toEqual([
      {
        verdict: 'breaking',
        operations: ['POST /toys', 'POST /games'],
        part: 'request body /tags/*',
        what: 'maxLength 9 was set',
        effect: 'Clients that send a text longer than 9 are refused.',
        before: TAGS,
        after: `${TAGS}/maxLength`,
      },
    ]);
  });

  const TAGS =
    '/components/requestBodies/Toy/content/application~1json/schema/properties/tags/items';
});

describe('a pattern', () => {
  it('that refuses what it took is shown with such a text', () => {
    const yaml = (pattern: string) =>
      PAIRS.find(({ name }) => name === 'pattern replaced: sent')!.before.replace('^a+$', pattern);
    const [change] = changes(yaml('^[a-z0-9]{3}$'), yaml('^[a-z]{3}$'));
    const [, text = ''] = /such as "([^"]*)"/.exec(change!.effect) ?? [];
    expect(text).toMatch(/^[a-z0-9]{3}$/);
    expect(text).not.toMatch(/^[a-z]{3}$/);
  });
});

describe('every node of this contract', () => {
  /** Said twice, so that the contract means the same without it. */
  const REDUNDANT = ['/components/schemas/NewPlant/allOf/1/type'];
  /** A parameter of a path is required whatever it says. */
  const PATH_PARAMETER = /\{[^/]+\}(?:\/\w+)?\/parameters\/\d+\/required$/;

  it('is seen when it is taken away', () => {
    const { definition } = contract(readFileSync('openapi.yaml', 'utf8'));
    const unseen = pointersIn(definition.document).filter((pointer) => {
      const document = without(definition.document, pointer);
      try {
        return (
          changesBetween({ definition }, { definition: new Definition(document) }).length === 0
        );
      } catch (error) {
        // What others refer to cannot be missing in a contract that loads.
        expect(String(error)).toContain('$ref leads nowhere');
        return false;
      }
    });
    expect(unseen.filter((pointer) => !PATH_PARAMETER.test(pointer))).toEqual(REDUNDANT);
  });

  function pointersIn(node: unknown, pointer = ''): string[] {
    if (typeof node !== 'object' || node === null) return [];
    return Object.entries(node).flatMap(([name, value]) => {
      const inner = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return [inner, ...pointersIn(value, inner)];
    });
  }

  function without(document: object, pointer: string) {
    const copy = structuredClone(document) as Record<string, never>;
    const tokens = pointer.slice(1).split('/');
    const names = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop()!;
    const holder: Record<string, never> = names.reduce((node, name) => node[name]!, copy);
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete holder[last];
    return copy;
  }
});

describe.each([
  ['GitHub', GITHUB],
  ['Figma', FIGMA],
])('the contract of %s', (_, path) => {
  it('is the same as itself', () => {
    const text = readFileSync(path, 'utf8');
    expect(changesBetween(contract(text), contract(text))).toEqual([]);
  }, 60_000);
});

describe('two releases of the contract of GitHub Enterprise', () => {
  it('differ in what the newer one demands', () => {
    const [before, after] = ['3.18', '3.19'].map((version) =>
      contract(readFileSync(`${OCTOKIT}/ghes-${version}.json`, 'utf8')),
    );
    const breaking = changesBetween(before!, after!).filter(
      ({ verdict }) => verdict === 'breaking',
    );
    expect(breaking.map(({ what }) => what)).toContain('minItems 1 was set');
  }, 60_000);
});
