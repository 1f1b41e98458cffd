// Valid samples of every component, request and reply compile in handlers and clients; invalid ones do not.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Contract,
  isBinary,
  isHidden,
  isJson,
  type Schema,
  SchemaModel,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { NoSample } from '@stubwright/mock/samples';
import { CONTRACTS } from '@stubwright/test-support/recordedContracts';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { isTestAll } from '@stubwright/test-support/testAll';
import ts from 'typescript';
import { clientPackage } from '../../src/client/clientPackage.ts';
import { expressionOf } from '../../src/client/code.ts';
import { ExampleCalls } from '../../src/client/exampleCalls.ts';
import { clientContract } from '../../src/loading/load.ts';
import { generateTypes } from '../../src/types/generateTypes.ts';

/** The schemas whose types differed from the engine. */
const CASES = `openapi: 3.0.3
info: {title: Cases, version: 1.0.0}
paths:
${['Comment', 'Pet', 'Own', 'Holder', 'Prices', 'Photo']
  .map(
    (name) => `  /${name}:
    post:
      operationId: add${name}
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/${name}'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/${name}'}}}}}
`,
  )
  .join('')}components:
  schemas:
    Comment:
      oneOf: [{$ref: '#/components/schemas/TextComment'}, {$ref: '#/components/schemas/ImageComment'}]
      discriminator: {propertyName: kind}
    TextComment: {type: object, required: [kind], properties: {kind: {type: string, enum: [text]}, text: {type: string}}}
    ImageComment: {type: object, required: [kind], properties: {kind: {type: string, enum: [image]}, url: {type: string}}}
    Pet:
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
      discriminator: {propertyName: pet_type, mapping: {c: '#/components/schemas/Cat', d: Dog}}
    Cat: {type: object, required: [pet_type, lives], properties: {pet_type: {type: string, enum: [c]}, lives: {type: integer}}}
    Dog: {type: object, required: [pet_type, barks], properties: {pet_type: {type: string, enum: [d]}, barks: {type: boolean}}}
    Own: {allOf: [{$ref: '#/components/schemas/Pet'}]}
    Holder: {type: object, required: [held], properties: {held: {type: object, nullable: true, allOf: [{$ref: '#/components/schemas/Cat'}]}}}
    Prices: {type: object, required: [name], properties: {name: {type: string}, of: {$ref: '#/components/schemas/Prices'}}, additionalProperties: {type: integer}}
    Photo: {type: object, required: [file], properties: {file: {type: string, format: binary}}}
`;

const PATTERNS = `openapi: 3.1.0
info: {title: Patterns, version: 1.0.0}
paths:
  /prices:
    post:
      operationId: setPrices
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Prices'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Prices'}}}}}
components:
  schemas:
    Prices:
      type: object
      required: [name]
      properties: {name: {type: string}}
      patternProperties: {'^[\\w-.]+_price$': {type: integer, format: int64}}
      additionalProperties: false
      examples: [{name: a, a_price: 9007199254740993}]
`;

const OWN: Readonly<Record<string, string>> = { cases: CASES, patterns: PATTERNS };
const all: Readonly<Record<string, string>> = isTestAll ? { ...OWN, ...CONTRACTS } : OWN;

const folder = temporaryFolder();
afterAll(() => folder.remove());
mkdirSync(join(folder.path, 'node_modules/@stubwright'), { recursive: true });
symlinkSync(resolve('packages/client'), join(folder.path, 'node_modules/@stubwright/client'));
symlinkSync(resolve('packages/stubwright'), join(folder.path, 'node_modules/stubwright'));
writeFileSync(join(folder.path, 'package.json'), '{"type": "module"}');

const OTHERS: readonly unknown[] = [null, true, 5.5, 'some text', {}, []];

/** @returns copies that are invalid whatever the type of one part is */
function mutantsOf(value: unknown, isValid: (value: unknown) => boolean): unknown[] {
  const replaced = (part: unknown, put: (other: unknown) => unknown, depth: number): unknown[] => {
    const kindOf = (each: unknown) => (Array.isArray(each) ? 'array' : typeof each);
    const others = OTHERS.filter(
      (each) => kindOf(each) !== kindOf(part) && typeof part !== 'bigint',
    );
    const own =
      others.length > 0 && others.every((each) => !isValid(put(each))) ? [put(others.at(-1))] : [];
    if (typeof part !== 'object' || part === null || depth === 3) return own;
    const inner = Object.entries(part).flatMap(([name, each]) => {
      const putIn = (other: unknown) =>
        put(Array.isArray(part) ? part.with(Number(name), other) : { ...part, [name]: other });
      return replaced(each, putIn, depth + 1);
    });
    return [...own, ...inner];
  };
  return replaced(value, (other) => other, 0).slice(0, 4);
}

function reachedFrom(schema: Schema): Schema[] {
  const reached = new Set([schema]);
  for (const each of reached) for (const inner of each.inner) reached.add(inner);
  return [...reached];
}

/** Hidden properties differ by direction. */
function isPlain(schema: Schema): boolean {
  return !reachedFrom(schema).some(
    (each) => isHidden(each, 'request') || isHidden(each, 'response'),
  );
}

function holdsFile(schema: Schema): boolean {
  return reachedFrom(schema).some(isBinary);
}

interface Samples {
  readonly lines: readonly string[];
  readonly counts: { valid: number; invalid: number };
  /** The types exclude every sample. */
  readonly excluded: readonly string[];
}

/** @param library the types of requests and replies: of handlers, or of a client */
function samplesOf(definition: Contract, library: 'service' | 'client'): Samples {
  const examples = new ExampleCalls(definition);
  const validators = new Validators(definition, 'request');
  const lines: string[] = [];
  const counts = { valid: 0, invalid: 0 };
  const excluded: string[] = [];
  const add = (schema: Schema, type: string) => {
    if (!isPlain(schema)) return;
    let sample: ReturnType<ExampleCalls['valueOf']>;
    try {
      sample = examples.valueOf(schema);
    } catch (error) {
      if (error instanceof NoSample) return;
      throw error;
    }
    if (!sample.isTyped) excluded.push(type);
    const declare = (value: unknown) => {
      const text = expressionOf(value).replace(/\n\s*/g, ' ');
      lines.push(`export const s${lines.length}: ${type} = ${text};`);
    };
    if (sample.isTyped) declare(sample.value);
    counts.valid++;
    for (const mutant of mutantsOf(sample.value, (each) => validators.at(schema.pointer)(each))) {
      lines.push(`// @ts-expect-error`);
      declare(mutant);
      counts.invalid++;
    }
  };
  const quoted = (text: string) => JSON.stringify(text);
  const model = SchemaModel.of(definition);
  const messages = definition.operations.flatMap(({ request, responses }) => [
    ...request.keys,
    ...[...responses.values()].flatMap(({ contents }) => contents.keys),
  ]);
  // Elsewhere a component with files has other values than in JSON.
  const isJsonOnly = messages.every(isJson);
  for (const name of Object.keys(definition.document.components?.schemas ?? {})) {
    const pointer = `/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const schema = model.at(pointer)!;
    if (!holdsFile(schema) || isJsonOnly) add(schema, `components['schemas'][${quoted(name)}]`);
  }
  for (const { operationId, request, responses } of definition.operations) {
    const own = `operations[${quoted(operationId)}]`;
    const bodies = request.entries.filter(({ key }) => isJson(key));
    for (const { key, content } of bodies) {
      if (content.schema === undefined || content.patchOf !== undefined) continue;
      const message = library === 'client' ? `RequestFor<${own}>` : `CallOf<${own}>`;
      const isOnly = request.size === 1;
      const type = isOnly ? message : `Extract<${message}, { mediaType?: ${quoted(key)} }>`;
      if (isOnly) add(content.schema, `NonNullable<(${type})['body']>`);
    }
    for (const [status, { contents }] of responses) {
      const [only, other] = contents.entries;
      const isNumber = /^\d+$/.test(status);
      if (!isNumber || only === undefined || other !== undefined || !isJson(only.key)) continue;
      if (only.content.schema === undefined || library === 'client') continue;
      add(only.content.schema, `Extract<ReplyOf<${own}>, { status: ${status} }>['body']`);
    }
  }
  return { lines, counts, excluded };
}

/** Writes the samples of a contract as programs. */
async function writeSamples(name: string, contract: string) {
  const target = join(folder.path, name);
  mkdirSync(target, { recursive: true });
  const path = join(target, 'openapi.yaml');
  writeFileSync(path, contract);
  const found = await clientContract(path);
  const { files } = await clientPackage(path, found);
  writeFileSync(join(target, 'client.d.ts'), files.get('contract.d.ts')!);
  writeFileSync(
    join(target, 'service.ts'),
    generateTypes(path, structuredClone(found.document), {
      ...{ target: 'service', exported: new Map(), errors: found.errors },
    }),
  );
  const definition = new Contract(structuredClone(found.document), found.errors);
  const imports = {
    service: `import type { ReplyOf } from 'stubwright';\nimport type { CallOf } from 'stubwright/testing';\nimport type { components, operations } from './service.ts';\n`,
    client: `import type { RequestFor } from '@stubwright/client';\nimport type { components, operations } from './client.d.ts';\n`,
  };
  const counts = { valid: 0, invalid: 0 };
  const excluded: string[] = [];
  const mains = (['service', 'client'] as const).map((library) => {
    const samples = samplesOf(definition, library);
    counts.valid += samples.counts.valid;
    counts.invalid += samples.counts.invalid;
    excluded.push(...samples.excluded);
    const main = join(target, `${library}Samples.ts`);
    writeFileSync(main, `${imports[library]}${samples.lines.join('\n')}\n`);
    return main;
  });
  return { mains, excluded, counts };
}

function errorsIn(program: ts.Program, main: string): string[] {
  const source = program.getSourceFile(main)!;
  return program.getSemanticDiagnostics(source).map(({ messageText, start }) => {
    const { line } = source.getLineAndCharacterOfPosition(start!);
    const text = ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 300);
    const lines = source.text.split('\n').slice(line, line + 2);
    return `${lines.join('\n').slice(0, 300)}: ${text}`;
  });
}

describe('the types of', () => {
  const names = Object.keys(all).filter((name) => !['broken', 'odd'].includes(name));
  const written = new Map<string, Awaited<ReturnType<typeof writeSamples>>>();
  let program: ts.Program;

  beforeAll(async () => {
    for (const name of names) written.set(name, await writeSamples(name, all[name]!));
    const mains = [...written.values()].flatMap((samples) => samples.mains);
    program = ts.createProgram(mains, {
      ...{ strict: true, skipLibCheck: true, noEmit: true, allowImportingTsExtensions: true },
      ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, types: [] },
      lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      typeRoots: [resolve('node_modules/@types')],
    });
  });

  it.each(names)('%s accept valid samples only', (name) => {
    const { mains, excluded, counts } = written.get(name)!;
    const errors = mains.flatMap((main) => errorsIn(program, main));
    expect({ errors, excluded }).toEqual({ errors: [], excluded: [] });
    if (Object.hasOwn(OWN, name)) expect(counts.invalid).toBeGreaterThan(1);
  });
});
