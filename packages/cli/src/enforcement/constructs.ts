// The constructs that the engine enforces; its tests verify each with a valid and an invalid value.
import { KEYWORDS } from '@stubwright/contract';

/** Keywords that the specification defines as annotations. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs', 'xml'],
  ...['$comment', '$schema', '$vocabulary', 'discriminator'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
]);

/** Keywords that restrict a string or its bytes. */
export const CONSTRAINTS: ReadonlySet<string> = new Set([
  ...['minLength', 'maxLength', 'pattern', 'enum', 'const', 'not'],
]);

/** Keywords of an array that its items alone do not decide. */
export const SEQUENCE_KEYWORDS: readonly string[] = [
  ...['minItems', 'maxItems', 'uniqueItems', 'contains', 'prefixItems', 'unevaluatedItems'],
];

/** Keywords of OpenAPI 3.0 and JSON Schema 2020-12 that the engine enforces. */
export const ENFORCED_KEYWORDS: ReadonlySet<string> = new Set([
  ...KEYWORDS,
  ...['$ref', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor', '$anchor'],
  ...['$id', '$defs', 'nullable', 'default', 'dependencies', 'readOnly', 'writeOnly'],
]);

/** Parameter styles whose values no reader can restore; OpenAPI leaves them undefined. */
export const UNREADABLE_STYLES: ReadonlySet<string> = new Set([
  ...['query deepObject scalar', 'query deepObject exploded scalar'],
  ...['query pipeDelimited exploded object', 'query spaceDelimited exploded object'],
]);
