// Breaking-change detection on the labelled pairs and on large contracts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { FIGMA, GITHUB, githubEnterprise, itWith } from '@stubwright/test-support/publicContracts';
import { isTestAll } from '@stubwright/test-support/testAll';
import { changesBetween } from '../src/contract/changes.ts';
import { whereOf } from '../src/report/report.ts';
import { type Change, partOf, RULES } from '../src/rules/rules.ts';
import { PAIRS } from './pairs.ts';
import {
  changesOfPair,
  REPORTED_CHANGES,
  reportedChanges,
  SLOW_EXAMPLES,
} from './reportedChanges.ts';
import { contractOfText } from './toyContract.ts';

/** Without the change of the OpenAPI version that some pairs need. */
function changes(before: string, after: string): Change[] {
  return changesBetween(contractOfText(before), contractOfText(after)).filter(
    ({ before: pointer }) => pointer !== '/openapi',
  );
}

describe('changesBetween', () => {
  it.each(PAIRS)('reports $label with a rule, an effect and locations: $name', (pair) => {
    const { before, after, label } = pair;
    const found = changesOfPair(pair).filter((each) => each.before !== '/openapi');
    expect(found[0]?.severity ?? 'equal').toBe(label);
    const [was, is] = [contractOfText(before), contractOfText(after)];
    for (const change of found) {
      expect(Object.keys(RULES)).toContain(change.rule);
      expect(change.effect).toMatch(/^[A-Z].*\.$/s);
      expect(was.definition.at(change.before)).toBeDefined();
      expect(is.definition.at(change.after)).toBeDefined();
    }
  });
});

it('matches paths that differ only in the names of their parameters by these names', () => {
  const paths = (type: string) =>
    ['a', 'b'].map(
      (name) =>
        `  /toys/{${name}}: {get: {operationId: ${name}, parameters: [{name: ${name}, in: path, required: true, schema: {type: ${type}}}], responses: {}}}\n`,
    );
  const text = (type: string) =>
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n${paths(type).join('')}`;
  const found = changes(text('string'), text('integer')).map(
    ({ rule, operations }) => `${rule} ${operations.join()}`,
  );
  expect(found).toEqual([
    'request-type-narrowed GET /toys/{a}',
    'request-type-narrowed GET /toys/{b}',
  ]);
});

it('compares a parameter that became an array with its first item', () => {
  const contractWith = (schema: string) =>
    `{openapi: 3.1.0, info: {title: t, version: '1'}, paths: {/a: {get: {parameters: [{name: q, in: query, schema: ${schema}}], responses: {default: {description: d}}}}}}`;
  const found = changes(
    contractWith('{type: string}'),
    contractWith(
      '{type: array, prefixItems: [{type: string, maxLength: 3}], items: {type: string}}',
    ),
  );
  expect(found.map(({ rule }) => rule).sort()).toEqual([
    'parameter-became-array',
    'request-max-length-narrowed',
  ]);
});

it('reportedChanges.txt has every change of the examples and pairs; make transcripts writes it', () => {
  const omitted = isTestAll ? [] : SLOW_EXAMPLES;
  const recorded = readFileSync(REPORTED_CHANGES, 'utf8').split('\n');
  const expected = recorded.filter((line) => !omitted.includes(line.split(': ')[0]!));
  expect(reportedChanges(omitted).split('\n')).toEqual(expected);
});

describe('a change that many operations share', () => {
  it('names webhooks and callbacks that share it', () => {
    const contractWith = (property: string) => `
openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    get: {operationId: listToys, responses: {'200': {$ref: '#/components/responses/Toy'}}}
    post:
      operationId: addToy
      responses: {'204': {description: ok}}
      callbacks: {sold: {'{$request.query.url}': {post: {requestBody: {$ref: '#/components/requestBodies/Toy'}}}}}
webhooks: {bought: {post: {requestBody: {$ref: '#/components/requestBodies/Toy'}}}}
components:
  responses: {Toy: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}
  requestBodies: {Toy: {content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}
  schemas: {Toy: {type: object, properties: {${property}}}}
`;
    const [removal, ...others] = changes(contractWith('tag: {type: string}'), contractWith(''));
    expect(others).toEqual([]);
    expect(removal).toMatchObject({ rule: 'response-property-removed', severity: 'breaking' });
    const places = removal!.operations.map((each) => `${each}: ${partOf(removal!, each)}`);
    expect(places.sort()).toEqual([
      'GET /toys: response 200',
      'POST /toys: callback sold request body',
      'webhook bought: request body',
    ]);
  });

  const yaml = (bound: string) => `
openapi: 3.0.3
info: {title: Toys, version: '1'}
paths:
  /toys: {post: {requestBody: {$ref: '#/components/requestBodies/Toy'}, responses: {}}}
  /games: {post: {requestBody: {$ref: '#/components/requestBodies/Toy'}, responses: {}}}
components:
  requestBodies:
    Toy: {content: {application/json: {schema: {type: object, properties: {tags: {type: array, items: {type: string${bound}}}}}}}}`;

  it('is reported once, with its shortest path and all operations', () => {
    expect(changes(yaml(''), yaml(', maxLength: 9'))).toEqual([
      {
        rule: 'request-max-length-narrowed',
        severity: 'breaking',
        operations: ['POST /toys', 'POST /games'],
        part: 'request body /tags/*',
        facts: { was: undefined, is: 9, limit: 9 },
        located: new Map(
          ['POST /toys', 'POST /games'].map((each) => [
            each,
            { subject: 'request body', path: ['tags', null] },
          ]),
        ),
        what: 'maxLength 9 was set',
        effect: 'Clients that send a string longer than 9 are refused.',
        before: TAGS,
        after: `${TAGS}/maxLength`,
        example: {
          value: expect.stringMatching(/^\{"tags":\["[a-z]{10}"\]\}$/),
          error: '/tags/0 expected to NOT have more than 9 characters',
        },
      },
    ]);
  });

  it.each([
    [', nullable: true', ''],
    ['', ', nullable: true'],
  ])('is none for nullable since OpenAPI 3.1: %j, %j', (before, after) => {
    const of = (bound: string) => yaml(bound).replace('3.0.3', '3.1.0');
    expect(changes(of(before), of(after))).toEqual([]);
    expect(changes(yaml(before), yaml(after))).toHaveLength(1);
  });

  it('names the part of each operation', () => {
    const shared = (bound: string) => `
openapi: 3.0.3
info: {title: Toys, version: '1'}
paths:
  /toys: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}, responses: {}}}
  /boxes: {post: {requestBody: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Toy'}}}}}, responses: {}}}
components: {schemas: {Toy: {type: string${bound}}}}`;
    const [change] = changes(shared(''), shared(', maxLength: 9'));
    expect(change!.operations).toEqual(['POST /toys', 'POST /boxes']);
    expect(change!.operations.map((each) => partOf(change!, each))).toEqual([
      'request body',
      'request body /*',
    ]);
    expect(whereOf(change!)).toBe('POST /toys  request body; POST /boxes  request body /*');
  });

  const TAGS =
    '/components/requestBodies/Toy/content/application~1json/schema/properties/tags/items';
});

describe('a pattern', () => {
  it('is reported with an example string that it now refuses', () => {
    const yaml = (pattern: string) =>
      PAIRS.find(({ name }) => name === 'pattern replaced: sent')!.before.replace('^a+$', pattern);
    const [change] = changes(yaml('^[a-z0-9]{3}$'), yaml('^[a-z]{3}$'));
    const [, text = ''] = /such as "([^"]*)"/.exec(change!.effect) ?? [];
    expect(text).toMatch(/^[a-z0-9]{3}$/);
    expect(text).not.toMatch(/^[a-z]{3}$/);
  });
});

describe('every node of a contract', () => {
  /** Declared twice: the contract is equivalent without it. */
  const REDUNDANT = ['/components/schemas/NewToy/allOf/1/type'];
  /** Path parameters are always required. */
  const PATH_PARAMETER = /\{[^/]+\}(?:\/\w+)?\/parameters\/\d+\/required$/;

  it('is reported when it is removed', () => {
    const { definition } = contractOfText(readFileSync('packages/test-support/toys.yaml', 'utf8'));
    const pointers = pointersIn(definition.document).filter((_, at) => isTestAll || at % 30 === 0);
    const unreported = pointers.filter((pointer) => {
      const document = without(definition.document, pointer);
      try {
        return changesBetween({ definition }, { definition: new Contract(document) }).length === 0;
      } catch (error) {
        // A contract does not load without the target of a $ref.
        expect(String(error)).toContain('$ref cannot be resolved');
        return false;
      }
    });
    expect(unreported.filter((pointer) => !PATH_PARAMETER.test(pointer))).toEqual(
      REDUNDANT.filter((pointer) => pointers.includes(pointer)),
    );
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
  itWith(path)(
    'has no changes to itself',
    () => {
      const text = readFileSync(path, 'utf8');
      expect(changesBetween(contractOfText(text), contractOfText(text))).toEqual([]);
    },
    60_000,
  );
});

describe('two releases of the contract of GitHub Enterprise', () => {
  const [older, newer] = ['3.18', '3.19'].map(githubEnterprise);

  itWith(older!)(
    'differ in a constraint that the newer one adds',
    () => {
      const [before, after] = [older!, newer!].map((path) =>
        contractOfText(readFileSync(path, 'utf8')),
      );
      const breaking = changesBetween(before!, after!).filter(
        ({ severity }) => severity === 'breaking',
      );
      expect(breaking.map(({ what }) => what)).toContain('minItems 1 was set');
    },
    60_000,
  );
});
