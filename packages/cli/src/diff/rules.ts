// The rules of `stubwright diff`: a stable id for each kind of change. docs/diff-rules.md shows an example of each.

/** Changes of schemas; the id starts with `request-` or `response-`. */
const SCHEMA_RULES = [
  ...['type-narrowed', 'type-widened', 'type-changed'],
  ...['enum-set', 'enum-removed', 'enum-value-added', 'enum-value-removed'],
  ...['format-narrowed', 'format-widened', 'format-changed', 'format-annotation-changed'],
  ...['pattern-set', 'pattern-removed', 'pattern-changed'],
  ...['minimum-narrowed', 'minimum-widened', 'maximum-narrowed', 'maximum-widened'],
  ...['multiple-of-narrowed', 'multiple-of-widened', 'multiple-of-changed'],
  ...['min-length-narrowed', 'min-length-widened', 'max-length-narrowed', 'max-length-widened'],
  ...['min-items-narrowed', 'min-items-widened', 'max-items-narrowed', 'max-items-widened'],
  ...['min-properties-narrowed', 'min-properties-widened'],
  ...['max-properties-narrowed', 'max-properties-widened'],
  ...['unique-items-set', 'unique-items-removed'],
  ...['content-encoding-changed', 'content-media-type-changed'],
  ...['property-added', 'required-property-added', 'property-removed'],
  ...['property-became-required', 'property-became-optional'],
  ...['additional-properties-disallowed', 'additional-properties-allowed'],
  ...['dependent-required-added', 'dependent-required-removed'],
  ...['pattern-property-added', 'pattern-property-removed'],
  ...['extensible-enum-set', 'extensible-enum-removed'],
  ...['extensible-enum-value-added', 'extensible-enum-value-removed'],
  ...['not-set', 'not-removed', 'condition-set', 'condition-removed'],
  ...['contains-set', 'contains-removed', 'min-contains-narrowed', 'min-contains-widened'],
  ...['max-contains-narrowed', 'max-contains-widened', 'xml-changed'],
  ...['discriminator-added', 'discriminator-removed', 'discriminator-changed'],
  ...['discriminator-mapping-added', 'discriminator-mapping-removed'],
  'discriminator-mapping-changed',
  ...['alternative-added', 'alternative-removed', 'alternatives-overlap'],
  ...['default-changed', 'sunset-earlier'],
];

/** Parts that clients send or receive; webhooks have both in the other direction. */
const DIRECTED_RULES = [
  ...['body-removed', 'required-body-added', 'optional-body-added'],
  ...['body-became-required', 'body-became-optional'],
  ...['media-type-added', 'media-type-removed', 'encoding-changed', 'serialization-changed'],
  'values-changed',
];

const CONTRACT_RULES = [
  ...['operation-added', 'operation-hides-another', 'operation-removed', 'operation-moved'],
  ...['operation-id-added', 'operation-id-changed', 'operation-id-removed', 'tags-changed'],
  ...['parameter-removed', 'required-parameter-added', 'optional-parameter-added'],
  ...['parameter-became-required', 'parameter-became-optional', 'path-parameter-renamed'],
  ...['allow-empty-value-set', 'allow-empty-value-removed', 'parameter-became-array'],
  ...['response-status-added', 'response-status-removed', 'response-error-removed'],
  ...['response-range-narrowed', 'response-media-range-narrowed'],
  ...['response-header-added', 'response-header-removed'],
  ...['response-header-became-required', 'response-header-became-optional'],
  ...['security-requirement-added', 'security-requirement-removed', 'security-scheme-renamed'],
  ...['security-scope-added', 'security-scope-removed'],
  ...['server-added', 'server-removed', 'server-default-changed'],
  ...['schema-added', 'schema-removed', 'schema-renamed'],
  ...['webhook-added', 'webhook-removed', 'sunset-earlier'],
  ...['info-version-changed', 'openapi-version-changed', 'documentation-changed'],
];

/** The ids of all rules. */
export const RULES: ReadonlySet<string> = new Set([
  ...CONTRACT_RULES,
  ...['request', 'response'].flatMap((direction) =>
    [...DIRECTED_RULES, ...SCHEMA_RULES].map((rule) => `${direction}-${rule}`),
  ),
]);
