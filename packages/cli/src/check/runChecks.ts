// Checks a contract: structure, lint rules, examples, and its error responses.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Contract,
  ContractErrors,
  compilePattern,
  type DeclaredResponse,
  type DescribedValue,
  type Example,
  type Finding,
  idempotencyErrors,
  type LocatedValue,
  type Node,
  type Operation,
  objectLocations,
  paginationErrors,
  rateLimitErrors,
  reachableSchemas,
  type Schema,
  timeOf,
} from '@stubwright/contract';
import {
  contentMedia,
  type DeclaredOptions,
  declaredPart,
  NotSerializable,
  opaque,
  removedFrom,
  Validators,
} from '@stubwright/contract/values';
import { Samples } from '@stubwright/mock/samples';
import type { ErrorFormat } from 'stubwright';
import { type ErrorFinding, errorFindings, undeclaredText } from 'stubwright/internals';
import type { Access } from '../loading/containment.ts';
import { ContractFiles } from '../loading/files.ts';
import { loadContractFiles, SourceLocations } from '../loading/load.ts';
import type { AtPointer } from './examples.ts';
import { contractErrors, lintDefinition } from './lintContract.ts';

export interface CheckResult {
  /** Errors first. */
  readonly findings: readonly Finding[];
  /** Number of operations; undefined for a contract that does not load. */
  readonly operations: number | undefined;
}

interface CheckOptions extends Access {
  /** `problem`, `numbered`, or the path of a module with an ErrorFormatter as default export. */
  readonly errorFormat?: string | undefined;
  /** As of `lintContract`. */
  readonly structLevel?: Finding['level'];
  /** The files of the contract; afterwards they are read. */
  readonly files?: ContractFiles;
}

/**
 * @throws {Error} with one line if the lint configuration or the module cannot be loaded
 */
export async function runChecks(
  path: string,
  { errorFormat, files: given, ...access }: CheckOptions = {},
): Promise<CheckResult> {
  try {
    const files = given ?? new ContractFiles(path, access);
    const { definition, warnings } = await loadContractFiles(path, { ...access, files });
    const { findings: linted, structLevel } = await lintDefinition(definition, {
      ...{ ...access, files },
    });
    const findings = [
      ...warnings.map(({ code, ...each }): Finding => {
        const isStruct = code === 'struct';
        return {
          level: isStruct ? structLevel : 'warning',
          rule: isStruct ? code : 'contract',
          ...each,
        };
      }),
      ...linted,
      ...(await locatedFindings(path, definition, { errorFormat, files, ...access })),
    ];
    const [errors, others] = [true, false].map((isError) =>
      findings.filter(({ level }) => (level === 'error') === isError),
    );
    return { findings: [...errors!, ...others!], operations: definition.operations.length };
  } catch (error) {
    if (!(error instanceof ContractErrors)) throw error;
    return { findings: contractErrors(error), operations: undefined };
  }
}

/** Number of operations whose undeclared errors are reported one by one. */
const MAX_LISTED = 3;

/** Reports the errors that no operation declares in one line for the contract. */
function summarized(findings: readonly ErrorFinding[]): AtPointer[] {
  const undeclared = findings.flatMap((finding) => finding.undeclared ?? []);
  if (undeclared.length <= MAX_LISTED) return [...findings];
  const statuses = new Set(undeclared.flatMap((error) => error.statuses));
  const operations = `${undeclared.length} operations, such as ${undeclared[0]!.operationId}`;
  const message = undeclaredText(operations, [...statuses].sort());
  const { pointer } = findings.find((finding) => finding.undeclared !== undefined)!;
  return [...findings.filter((finding) => finding.undeclared === undefined), { pointer, message }];
}

function extensionErrors(
  { pointer }: Operation,
  name: string,
  errors: readonly { readonly field: string; readonly message: string }[],
): AtPointer[] {
  return errors.map(({ field, message }) => {
    return { pointer: `${pointer}/${name}${field}`, message: `${name}: ${message}` };
  });
}

function rateLimitFindings(operation: Operation): AtPointer[] {
  return extensionErrors(operation, 'x-rate-limit', rateLimitErrors(operation));
}

function paginationFindings(operation: Operation): AtPointer[] {
  const described = operation.field('x-pagination');
  if (described === undefined) return [];
  return extensionErrors(operation, 'x-pagination', paginationErrors(operation, described));
}

async function locatedFindings(
  path: string,
  definition: Contract,
  { errorFormat, ...access }: CheckOptions & { readonly files: ContractFiles },
): Promise<Finding[]> {
  const locations = await SourceLocations.of(path, access);
  const { operations, document } = definition;
  const uncompiled = compileErrors(definition);
  const undeclared = await undeclaredErrors(definition, errorFormat, access.cwd);
  const found: [Finding['level'], string, readonly AtPointer[]][] = [
    ['error', 'schema-compiles', uncompiled],
    ['error', 'deprecation-dates', deprecationDateErrors(document)],
    ['error', 'pagination', operations.flatMap(paginationFindings)],
    ['error', 'rate-limit', operations.flatMap(rateLimitFindings)],
    [
      'error',
      'idempotency',
      operations.flatMap((operation) => idempotencyErrors(operation.parameters)),
    ],
    ['warning', 'values-exist', uncompiled.length > 0 ? [] : emptySchemas(definition)],
    ['warning', 'storable-text', unstorableTexts(definition, path, access.cwd)],
    ['warning', 'ignored-pattern', ignoredPatterns(definition)],
    ['warning', 'examples-declared', undeclaredProperties(definition)],
    ['warning', 'errors-declared', summarized(undeclared)],
  ];
  return found.flatMap(([level, rule, errors]) =>
    errors.map(({ pointer, message }) => {
      return { level, rule, message, position: locations.position(pointer) };
    }),
  );
}

/** @returns the schemas whose validators cannot be compiled */
export function compileErrors(definition: Contract): AtPointer[] {
  const requests = Validators.of(definition, 'request');
  const responses = Validators.of(definition, 'response');
  const errors = definition.operations.flatMap(({ requestSchemas, responseSchemas }) => [
    ...requestSchemas.flatMap((requestSchema) => errorsOf(requestSchema, requests)),
    ...responseSchemas.flatMap((responseSchema) => errorsOf(responseSchema, responses)),
  ]);
  return [...new Map(errors.map((error) => [error.pointer, error])).values()];
}

function errorsOf({ pointer }: Schema, validators: Validators): AtPointer[] {
  try {
    validators.at(pointer);
    return [];
  } catch (error) {
    return [{ pointer, message: `${(error as Error).message}  expected a schema that compiles` }];
  }
}

/** @returns the patterns that are no regular expressions of ECMAScript: no value is validated against them */
export function ignoredPatterns({ operations }: Contract): AtPointer[] {
  const schemas = operations.flatMap((operation) => [
    ...operation.requestSchemas,
    ...operation.responseSchemas,
  ]);
  return [...reachableSchemas(schemas)].flatMap((schema) => {
    const { pattern } = schema.keywords;
    if (typeof pattern !== 'string' || compilePattern(pattern) !== undefined) return [];
    const message = `pattern ${pattern} is ignored  expected a regular expression of ECMAScript`;
    return [{ pointer: schema.pointerTo('pattern'), message }];
  });
}

/** @returns the parameters and bodies that no client or service can send, as generated clients find them */
function emptySchemas(definition: Contract): AtPointer[] {
  const requests = new Samples(Validators.of(definition, 'request'));
  const responses = new Samples(Validators.of(definition, 'response'));
  const empty = (values: readonly DescribedValue[], samples: Samples) =>
    values.flatMap(({ schema, examples }) =>
      schema === undefined || samples.hasValue({ schema, examples }) ? [] : [schema],
    );
  const schemas = definition.operations.flatMap((operation) => [
    ...empty(
      operation.parameters.map(({ described }) => described),
      requests,
    ),
    ...empty(operation.request.values(), requests),
    ...[...operation.responses.values()].flatMap(({ contents }) =>
      empty(contents.values(), responses),
    ),
  ]);
  return [...new Set(schemas.map(({ ref, pointer }) => ref?.pointer ?? pointer))].map(
    (pointer) => ({
      pointer,
      message: 'no valid value was found  expected a schema that some value is valid against',
    }),
  );
}

/** Maximum number of properties in a message. */
const MAX_PROPERTIES = 5;
const EXPECTED = 'expected declared properties';

/**
 * Compares the valid examples of response bodies, and of the schemas in them, with their declared
 * properties. The engine does not send others.
 */
function undeclaredProperties(definition: Contract): AtPointer[] {
  const validators = Validators.of(definition, 'response');
  const contents = definition.operations.flatMap(({ responses }) =>
    [...responses.values()].flatMap((response) => contentsWithValues(response, validators)),
  );
  const ofBodies = contents.flatMap(({ schema, examples }) =>
    examples.flatMap((example) => missing(example.read(), schema, validators)),
  );
  // The examples of a schema also describe requests, which contain its writeOnly properties.
  const ofSchemas = [...reachableSchemas(contents.map(({ schema }) => schema))].flatMap((schema) =>
    schemaExamples(schema).flatMap((schemaExample) =>
      missing(schemaExample, schema, validators, { keepsHidden: true }),
    ),
  );
  const all = [...ofBodies, ...ofSchemas];
  return [...new Map(all.map((found) => [found.pointer, found])).values()];
}

interface ContentWithValues {
  readonly schema: Schema;
  readonly examples: readonly Example[];
}

/** @returns the contents whose bodies are values of a schema */
function contentsWithValues(
  { contents }: DeclaredResponse,
  validators: Validators,
): ContentWithValues[] {
  return [...contents].flatMap(([type, content]) => {
    const { schema, examples } = content;
    const { kind } = contentMedia(content, type, validators);
    return schema === undefined || kind === opaque ? [] : [{ schema, examples }];
  });
}

function schemaExamples(schema: Schema): LocatedValue[] {
  const { example, examples } = schema.keywords;
  const list: unknown[] = Array.isArray(examples) ? examples : [];
  return [
    { pointer: schema.pointerTo('example'), value: example },
    ...list.map((value, at) => ({ pointer: `${schema.pointerTo('examples')}/${at}`, value })),
  ];
}

/** An invalid example is reported as such. */
function missing(
  example: LocatedValue | undefined,
  schema: Schema,
  validators: Validators,
  options?: DeclaredOptions,
): AtPointer[] {
  const { pointer = '', value } = example ?? {};
  if (typeof value !== 'object' || value === null) return [];
  if (!validators.at(schema.pointer)(value)) return [];
  try {
    const declared = declaredPart(validators, schema, options)(value);
    const pointers = Array.from(removedFrom(value, declared), (removed) => removed.pointer);
    if (pointers.length === 0) return [];
    const shown = pointers.slice(0, MAX_PROPERTIES).join(', ');
    const more = pointers.length - MAX_PROPERTIES;
    const all = more > 0 ? `${shown} and ${more} more` : shown;
    return [{ pointer, message: `a response omits ${all} of the example  ${EXPECTED}` }];
  } catch (error) {
    if (!(error instanceof NotSerializable)) throw error;
    return [{ pointer, message: `a response cannot have the example: ${error.message}` }];
  }
}

const STORE = '@stubwright/store';
/** Keywords that exclude U+0000, or whose effect on it is not decided here. */
const LIMITING = ['enum', 'const', 'format', 'contentEncoding', 'contentMediaType'];

/**
 * One finding for a contract whose project uses the store.
 *
 * @param path of the contract @param cwd that it is relative to
 */
function unstorableTexts(definition: Contract, path: string, cwd = ''): AtPointer[] {
  if (!usesStore(dirname(resolve(cwd, path)))) return [];
  const schemas = reachableSchemas(
    definition.operations.flatMap((operation) => operation.requestSchemas),
  );
  const open = [...schemas].filter(admitsNul);
  const [first] = open;
  if (first === undefined) return [];
  const others = open.length > 1 ? `, as for ${open.length - 1} more` : '';
  const message = `got a text that admits U+0000, which ${STORE} answers with 400  expected pattern: '^[^\\x00]*$'${others}`;
  return [{ pointer: first.pointer, message }];
}

function admitsNul({ types, keywords }: Schema): boolean {
  if (types?.has('string') !== true || LIMITING.some((keyword) => keyword in keywords))
    return false;
  const { pattern } = keywords;
  return typeof pattern !== 'string' || compilePattern(pattern)?.test('\0') === true;
}

function usesStore(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return folder !== dirname(folder) && usesStore(dirname(folder));
  try {
    const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
    return STORE in Object(dependencies);
  } catch {
    return false;
  }
}

const SINCE = 'x-deprecated-since';
const SUNSET = 'x-sunset';

/** @returns the invalid dates of a document, and sunsets before the deprecation */
export function deprecationDateErrors(document: Node): AtPointer[] {
  return [...objectLocations(document)].flatMap(({ node, pointer }) => dateErrorsAt(node, pointer));
}

function dateErrorsAt(node: Node, pointer: string): AtPointer[] {
  const invalid = [SINCE, SUNSET].filter(
    (name) => node[name] !== undefined && timeOf(node[name]) === undefined,
  );
  if (invalid.length > 0) {
    return invalid.map((name) => ({
      pointer: `${pointer}/${name}`,
      message: `${name}: got ${JSON.stringify(node[name])}, expected a date such as 2026-06-30`,
    }));
  }
  const [since, sunset] = [timeOf(node[SINCE]), timeOf(node[SUNSET])];
  if (since === undefined || sunset === undefined || sunset >= since) return [];
  // RFC 9745, section 4.
  const message = `${SUNSET}: got ${node[SUNSET]}, expected ${node[SINCE]} (${SINCE}) or later`;
  return [{ pointer: `${pointer}/${SUNSET}`, message }];
}

/**
 * @param format `problem`, `numbered`, or the path of a module with an ErrorFormatter as default export
 * @throws {Error} if the module has no such export
 */
export async function undeclaredErrors(
  definition: Contract,
  format: string | undefined,
  cwd = '',
): Promise<ErrorFinding[]> {
  return errorFindings(definition, await formatOf(format, cwd));
}

async function formatOf(format: string | undefined, cwd: string): Promise<ErrorFormat | undefined> {
  if (format === undefined || format === 'problem' || format === 'numbered') return format;
  const expectation = `--errors: got ${format}, expected problem, numbered, or a module with a function as default export`;
  const module = await import(pathToFileURL(resolve(cwd, format)).href).catch((error: Error) => {
    throw new Error(`${expectation}: ${error.message}`);
  });
  if (typeof module.default !== 'function') throw new Error(expectation);
  return module.default;
}
