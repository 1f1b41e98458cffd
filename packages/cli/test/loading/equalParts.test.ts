// What a comparison leaves out, against comparisons of whole contracts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { changesBetween } from '@stubwright/diff';
import { RICH } from '@stubwright/test-support/richContracts';
import { inTestAll, runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { leaveOutEqualParts } from '../../src/loading/equalParts.ts';
import { parseText } from '../../src/loading/parse.ts';

const EXAMPLES = 'docs/examples';
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const reply = (schema: object) => ({
  200: { description: 'ok', content: { 'application/json': { schema } } },
});
const get = (schema: object, more: object = {}) => ({ get: { responses: reply(schema), ...more } });

const pets: Node = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': get(ref('Pet')),
    '/dogs': get(ref('Dog')),
    '/owners': get(ref('Owner'), { operationId: 'owners' }),
    '/owners/{id}': get(ref('Owner')),
    '/count': get({ type: 'integer' }, { operationId: 'count' }),
  },
  components: {
    schemas: {
      Pet: { type: 'object', discriminator: { propertyName: 'kind' }, required: ['kind'] },
      Dog: { allOf: [ref('Pet'), { type: 'object', properties: { bark: ref('Volume') } }] },
      Puppy: { allOf: [ref('Dog')], properties: { age: { type: 'integer' } } },
      Volume: { type: 'integer', maximum: 9 },
      Owner: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
};

/** @returns the paths and schemas that remain after a change of the pets */
function remaining(change: (revision: Node) => void) {
  const [before, after] = [structuredClone(pets), structuredClone(pets)];
  change(after);
  const isChanged = leaveOutEqualParts(before, after);
  return { isChanged, paths: Object.keys(before['paths']), ...namesIn(before['components']) };
}

function namesIn({ schemas }: Node) {
  return { schemas: Object.keys(schemas) };
}

describe('leaveOutEqualParts', () => {
  it('keeps what refers to a difference, and what that refers to', () => {
    const found = remaining(({ components }) => {
      components.schemas.Owner.properties.name.type = 'integer';
    });
    expect(found).toEqual({
      isChanged: true,
      paths: ['/owners', '/owners/{id}'],
      schemas: ['Owner'],
    });
  });

  it('leaves out parts although an extension of the document differs', () => {
    const { paths } = remaining((after) => {
      after['x-tagGroups'] = [{ name: 'Owners' }];
      after['paths']['/count'].get.deprecated = true;
    });
    expect(paths).toEqual(['/count']);
  });

  it('keeps what a discriminator selects', () => {
    const { paths, schemas } = remaining(({ components }) => {
      components.schemas.Puppy.properties.age.type = 'string';
    });
    expect(paths).toEqual(['/pets', '/dogs']);
    expect(schemas).toEqual(['Pet', 'Dog', 'Puppy', 'Volume']);
  });

  it('keeps what a mapping selects, by name and by reference, and its default', () => {
    const mapping = { rim: '#/components/schemas/Rim', lid: 'Lid' };
    const discriminator = { propertyName: 'kind', mapping, defaultMapping: 'Other' };
    const [before, after] = [structuredClone(pets), structuredClone(pets)];
    for (const { components } of [before, after]) {
      Object.assign(components.schemas, { Rim: {}, Lid: {}, Other: {}, Box: { discriminator } });
    }
    after['components'].schemas.Box.title = 'Box';
    expect(leaveOutEqualParts(before, after)).toBe(true);
    const { schemas } = namesIn(after['components']);
    expect(schemas).toEqual(expect.arrayContaining(['Box', 'Rim', 'Lid', 'Other']));
    expect(schemas).not.toContain('Owner');
  });

  it('keeps a path that an added one hides, and an operationId that is used again', () => {
    expect(remaining(({ paths }) => (paths['/owners/me'] = get({}))).paths).toEqual([
      '/owners/{id}',
    ]);
    const { paths } = remaining((after) => {
      after['paths']['/new'] = get({}, { operationId: 'count' });
    });
    expect(paths).toEqual(['/count']);
  });

  it.each<[string, (after: Node) => void]>([
    ['security', (after) => (after['security'] = [])],
    ['servers', (after) => (after['servers'] = [{ url: '/v2' }])],
    ['the version', (after) => (after['openapi'] = '3.0.3')],
    ['a security scheme', ({ components }) => (components.securitySchemes = { key: {} })],
    ['an identifier', ({ components }) => (components.schemas.Owner.$id = 'https://a.example')],
    ['another file', ({ paths }) => (paths['/owners'].get.responses[200].$ref = 'a.yaml')],
  ])('keeps everything for a change of %s', (_, change) => {
    expect(remaining(change)).toMatchObject({
      isChanged: false,
      paths: Object.keys(pets['paths']),
    });
  });

  inTestAll(it)('reports the changes of the whole contracts', () => {
    const rich = Object.values<Node>(RICH);
    const documents = [...rich, ...rich.map(withoutIdentifiers), pets, ...examples()];
    let left = 0;
    const edits = fc.tuple(fc.constantFrom(...documents), fc.nat(), fc.nat(5));
    const property = fc.property(edits, ([document, at, kind]) => {
      const after = structuredClone(document);
      edit(after, at, kind);
      const whole = changesIn(document, after);
      const [was, is] = [structuredClone(document), structuredClone(after)];
      if (leaveOutEqualParts(was, is)) left++;
      expect([at, kind, changesIn(was, is)]).toEqual([at, kind, whole]);
    });
    fc.assert(property, { numRuns: runs(3_000) });
    expect(left).toBeGreaterThan(runs(3_000) / 4);
  });
});

function withoutIdentifiers(document: Node): Node {
  const { Tuple: _, ...schemas } = document['components'].schemas;
  return { ...document, components: { ...document['components'], schemas } };
}

function examples(): Node[] {
  return readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((each) => each.endsWith('.yaml'))
    .flatMap((each) => {
      const parsed = parseText(readFileSync(join(EXAMPLES, each), 'utf8'), false);
      const value = 'value' in parsed ? (parsed.value as Node) : {};
      return 'paths' in value ? [value] : [];
    });
}

/** Removes, copies or replaces a property somewhere. */
function edit(document: Node, at: number, kind: number): void {
  const holders: [holder: Node, key: string][] = [];
  const collect = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      holders.push([node, key]);
      collect(child);
    }
  };
  collect({ paths: document['paths'], components: document['components'] });
  const [holder, key] = holders[at % holders.length]!;
  if (kind === 0) delete holder[key];
  else if (kind === 1) holder[`${key}x`] = structuredClone(holder[key]);
  else if (typeof holder[key] === 'string') holder[key] = ['integer', 'string', 'Toy'][kind % 3];
  else if (typeof holder[key] === 'number') holder[key] += 1;
  else holder[key] = structuredClone(holders[(at * 7) % holders.length]![0]);
}

/** Neither document is checked: both comparisons may fail. */
function changesIn(before: Node, after: Node): unknown {
  try {
    const [was, is] = [before, after].map((each) => ({ definition: new Contract(each) }));
    return changesBetween(was!, is!, { maxValues: 0 });
  } catch (error) {
    return String(error).split('\n')[0];
  }
}
