// Generates the TypeScript types of a contract with openapi-typescript.

import {
  COMPOSITIONS,
  type ContractError,
  documentParts,
  errorFrom,
  isBigint,
  isBinary,
  type Node,
  referencedValue,
  type Schema,
  schemaLocations,
  stringifyJson,
  unescapeToken,
  valueAt,
} from '@stubwright/contract';
import {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  type OpenAPITSOptions,
  transformSchema,
} from 'openapi-typescript';
import ts from 'typescript';
import { BIGINTS, SYNTHETIC, type TypedDocument, typedDocument } from './document.ts';
import { aliasNames } from './names.ts';
import { recursiveSchemas, schemaNames, withSchemaAliases } from './schemaAliases.ts';
import { MARK_TYPES, typedDeclarations, withoutPathComments } from './typedDeclarations.ts';
import { HASH } from './typedPaths.ts';
import {
  type ConvertedFormat,
  convertedFormat,
  DEFAULT_TYPES,
  isConverting,
  type ValueTypes,
} from './valueTypes.ts';

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const STRING = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
const NUMBER = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword);
const NEVER = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword);
const BLOB = ts.factory.createTypeReferenceNode('Blob');
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());
/** The printer of TypeScript escapes it. */
const PRINTED_HASH = new RegExp(`${HASH}|\\\\uFDD0`, 'g');
const APPLICATORS = ['properties', 'patternProperties', ...COMPOSITIONS, '$ref'];
const EMPTY_OBJECT = ts.factory.createTypeReferenceNode('Record', [STRING, NEVER]);

/** What the runtime of clients calls the types of marked properties. */
const CLIENT_MARKS: Readonly<Record<string, string>> = {
  ...{ Defaults: 'WithDefaults', ReadOnly: 'HiddenInRequests', WriteOnly: 'HiddenInReplies' },
  ...{ MergePatch: 'MergePatchOf', JsonPatch: 'PatchOperations' },
};

interface TypesTarget {
  /** Of the types: the handlers of a service, or a client. */
  readonly target: 'service' | 'client';
  /** The components that are exported, and the names of their types. */
  readonly exported: ReadonlyMap<string, string>;
  readonly errors?: readonly ContractError[];
  readonly types?: ValueTypes;
}

interface TypesSource {
  readonly marks: readonly string[];
  readonly source: string;
}

const SERVICE: TypesTarget = { target: 'service', exported: new Map() };

/**
 * @param document a checked contract without external references
 * @returns the source of generated/contract.ts: int64 as bigint or as `types` has it, binary as Blob, an entry of
 *   `operations` for each handler, `callbacks` by operationId, and the rest as openapi-typescript has it
 */
export function generateTypes(
  path: string,
  document: Node,
  options: TypesTarget = SERVICE,
): string {
  const { marks, source } = typesSource(contractTypes(document, options), options);
  const [from, imported] =
    options.target === 'service'
      ? ['stubwright', marks]
      : ['@stubwright/client', marks.map((mark) => `${CLIENT_MARKS[mark]} as ${mark}`)];
  const imports =
    marks.length > 0 ? `import type { ${imported.join(', ')} } from '${from}';\n` : '';
  return `// Generated from ${path}; edit that.\n${imports}${source}`;
}

/** The declarations of a contract, before they are printed. */
export interface ContractTypes extends Pick<TypedDocument, 'parts' | 'patches'> {
  readonly declarations: readonly ts.Node[];
}

/** @param document as for `generateTypes` */
export function contractTypes(
  document: Node,
  { target, errors, types: valueTypes = DEFAULT_TYPES }: TypesTarget = SERVICE,
): ContractTypes {
  const typed = typedDocument(document, errors);
  const types = transformDocument(typed.document, (schema) => {
    const read = SYNTHETIC.synthetic(schema);
    const format = convertedFormat(read, valueTypes);
    const listed = (schema as Node)[BIGINTS];
    if (listed !== undefined) return literals(listed, format ? valueTypes.int64 : 'bigint');
    const type = format === undefined ? typeOf(read) : convertedType(format, valueTypes);
    return type && read.types?.has('null') ? ts.factory.createUnionTypeNode([type, NULL]) : type;
  });
  const pagination = target === 'service' ? typed.pagination : new Map();
  const declarations = typedDeclarations(types, { ...typed, pagination });
  return { declarations, parts: typed.parts, patches: typed.patches };
}

/** @returns the declarations as text, without imports */
export function typesSource(
  { declarations, parts, patches }: ContractTypes,
  { target, exported, types: valueTypes = DEFAULT_TYPES }: TypesTarget = SERVICE,
): TypesSource {
  const schemas = schemaNames(declarations);
  const aliased = target === 'client' ? schemas : recursiveSchemas(declarations);
  const globals = isConverting(valueTypes) ? ['Date'] : [];
  const named = new Set([...aliased, ...schemas.filter((name) => parts.has(name))]);
  const aliases = aliasNames([...named], exported, [...globals, ...patches]);
  const written = withSchemaAliases(declarations, aliases, parts);
  const nodes = target === 'client' ? withoutPathComments(written) : written;
  const source = astToString(nodes).replace(PRINTED_HASH, '#');
  const marks = [
    ...[...MARK_TYPES.values()].filter((type) => source.includes(`& ${type}<`)),
    ...[...patches].filter((type) => new RegExp(`\\b${type}\\b`).test(source)),
  ];
  return { marks, source };
}

/** @param digits of integers, or null */
function literals(digits: readonly (string | null)[], int64: ValueTypes['int64']): ts.TypeNode {
  const { createBigIntLiteral, createNumericLiteral, createStringLiteral } = ts.factory;
  const types = digits.map((digit) => {
    if (digit === null) return NULL;
    if (int64 === 'string') return ts.factory.createLiteralTypeNode(createStringLiteral(digit));
    if (int64 === 'number' && !Number.isSafeInteger(Number(digit))) return NEVER;
    const amount = digit.replace('-', '');
    const literal =
      int64 === 'bigint' ? createBigIntLiteral(`${amount}n`) : createNumericLiteral(amount);
    const { MinusToken } = ts.SyntaxKind;
    return ts.factory.createLiteralTypeNode(
      digit.startsWith('-') ? ts.factory.createPrefixUnaryExpression(MinusToken, literal) : literal,
    );
  });
  return ts.factory.createUnionTypeNode(types);
}

function convertedType(format: ConvertedFormat, { dates, int64 }: ValueTypes): ts.TypeNode {
  if (format === 'int64') return int64 === 'string' ? STRING : NUMBER;
  return ts.factory.createTypeReferenceNode(dates);
}

function typeOf(schema: Schema): ts.TypeNode | undefined {
  if (isBigint(schema)) return BIGINT;
  if (isBinary(schema)) return BLOB;
  return isEmptyObject(schema) ? EMPTY_OBJECT : undefined;
}

function isEmptyObject(schema: Schema): boolean {
  const isObject = [...(schema.types ?? [])].filter((type) => type !== 'null').join() === 'object';
  const closed = schema.child('additionalProperties') ?? schema.child('unevaluatedProperties');
  return (
    isObject && closed?.isNever === true && !APPLICATORS.some((keyword) => schema.has(keyword))
  );
}

/** @param contract whose references are JSON pointers */
function transformDocument(contract: Node, transform: OpenAPITSOptions['transform']): ts.Node[] {
  const document: Node = JSON.parse(stringifyJson(contract));
  removeExtensions(document);
  normalizeSchemas(document);
  // Without it, the type lacks its properties.
  document.components ??= {};
  const resolve = <T>($ref: string) => referencedValue(document, { $ref }) as T | undefined;
  const options = {
    ...{ additionalProperties: false, alphabetize: false, arrayLength: false, enum: false },
    ...{ enumValues: false, conditionalEnums: false, dedupeEnums: false, exportType: false },
    ...{ excludeDeprecated: false, immutable: false, pathParamsAsTypes: false },
    ...{ propertiesRequiredByDefault: false, rootTypes: false, rootTypesKeepCasing: false },
    ...{ rootTypesNoSchemaPrefix: false, makePathsEnum: false, generatePathParams: false },
    ...{ readWriteMarkers: false, postTransform: undefined, transformProperty: undefined },
    // Of the bundler.
    redoc: undefined as never,
    silent: true,
    injectFooter: [],
    // The types also serve clients and replies, which may omit a property with a default.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    transform,
    // They are written as alternatives before.
    discriminators: { objects: {}, refsHandled: [] },
    resolve,
  } satisfies GlobalContext;
  try {
    return transformSchema(document as OpenAPI3, options);
  } catch (error) {
    // Such as a webhook whose parameters are no list, of which `check` warns: no handler depends on it.
    const expected = 'expected a contract whose structure has no warnings: npx stubwright check';
    throw new Error(`openapi-typescript: ${errorFrom(error).message}, ${expected}`, {
      cause: error,
    });
  }
}

/** openapi-typescript requires objects in lists of schemas, and drops the empty tokens of a pointer. */
function normalizeSchemas(document: Node): void {
  for (const { node } of schemaLocations(document)) {
    if (/\/(?:\/|$)/.test(node.$ref ?? '')) delete node.$ref;
    for (const keyword of COMPOSITIONS) {
      if (!Array.isArray(node[keyword])) continue;
      node[keyword] = node[keyword].map((alternative) =>
        typeof alternative === 'boolean' ? (alternative ? {} : { enum: [] }) : alternative,
      );
    }
  }
}

/** openapi-typescript reads an extension of `responses` as a response, and a `$ref` in it as a reference. */
function removeExtensions(document: Node): void {
  for (const { pointer, kind } of [...documentParts(document)]) {
    const end = pointer.lastIndexOf('/');
    const name = unescapeToken(pointer.slice(end + 1));
    if (kind !== 'data' || !name.startsWith('x-') || name === BIGINTS) continue;
    delete (valueAt(document, pointer.slice(0, end)) as Node)[name];
  }
}
