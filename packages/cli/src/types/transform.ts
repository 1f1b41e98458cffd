// Runs openapi-typescript on a document in memory, without its bundler, which reads what any `$ref` names.
import {
  COMPOSITIONS,
  documentParts,
  type Node,
  referencedValue,
  rewriteReferences,
  schemaLocations,
  stringifyJson,
  unescapeToken,
  valueAt,
} from '@stubwright/contract';
import {
  type GlobalContext,
  type OpenAPI3,
  type OpenAPITSOptions,
  transformSchema,
} from 'openapi-typescript';
import type ts from 'typescript';
import { BIGINTS } from './document.ts';

type Options = Pick<OpenAPITSOptions, 'defaultNonNullable' | 'emptyObjectsUnknown' | 'transform'>;

/** @param contract whose references lead to locations in it */
export function transformDocument(contract: Node, options: Options = {}): ts.Node[] {
  const document: Node = JSON.parse(stringifyJson(contract));
  rewriteReferences(document);
  removeExtensions(document);
  normalizeSchemas(document);
  // Without it, the type has none of its properties.
  document.components ??= {};
  const resolve = <T>($ref: string) => referencedValue(document, { $ref }) as T | undefined;
  return transformSchema(document as OpenAPI3, {
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
    defaultNonNullable: options.defaultNonNullable ?? true,
    emptyObjectsUnknown: options.emptyObjectsUnknown ?? false,
    transform: options.transform,
    // They are written as alternatives before.
    discriminators: { objects: {}, refsHandled: [] },
    resolve,
  } satisfies GlobalContext);
}

/** openapi-typescript requires objects in lists of schemas, and drops the empty tokens of a pointer. */
function normalizeSchemas(document: Node): void {
  for (const { node } of schemaLocations(document)) {
    if (/\/(?:\/|$)/.test(node.$ref ?? '')) delete node.$ref;
    for (const keyword of COMPOSITIONS) {
      if (!Array.isArray(node[keyword])) continue;
      node[keyword] = node[keyword].map((each) =>
        typeof each === 'boolean' ? (each ? {} : { enum: [] }) : each,
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
