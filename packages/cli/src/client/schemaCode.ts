// Writes schemas as expressions of @stubwright/client, which evaluates them.
import { type Direction, INTEGER_FORMATS, isHidden, type Schema } from '@stubwright/contract';
import { convertedFormat, DEFAULT_TYPES, type ValueTypes } from '../types/valueTypes.ts';
import { Code, expressionOf } from './code.ts';
import type { Constants } from './constants.ts';

/** The keywords that are evaluated as they are written. */
const KEPT = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
];
const LISTS = ['anyOf', 'oneOf', 'prefixItems'] as const;
const MAPS = ['properties', 'patternProperties'] as const;

/** The expressions of one module. */
export class SchemaCode {
  readonly #constants: Constants;
  readonly #direction: Direction;
  readonly #types: ValueTypes;

  /** @param types the formats that have a conversion are tested */
  constructor(constants: Constants, direction: Direction, types: ValueTypes = DEFAULT_TYPES) {
    this.#constants = constants;
    this.#direction = direction;
    this.#types = types;
  }

  of(schema: Schema): Code {
    const kind = this.#direction === 'request' ? 'sent' : 'schema';
    return this.#constants.shared(kind, schema, () => this.#expression(schema));
  }

  #expression(schema: Schema): Code {
    if (schema.isNever) return new Code('false');
    if (schema.written === true) return new Code('true');
    const { types, keywords, ref, isNullable } = schema;
    const references = [ref ?? [], ...schema.dynamicRefs].flat();
    if (types === undefined && Object.keys(keywords).length === 0 && references.length === 1) {
      const isAlone = schema.inner.length === 1;
      if (isAlone) return this.of(references[0]!);
    }
    const [least, most] = INTEGER_FORMATS[keywords.format] ?? [];
    const isNumeric = types?.has('integer') || types?.has('number');
    const hidden = (name: string) => {
      const property = schema.map('properties').get(name);
      return property !== undefined && isHidden(property, this.#direction);
    };
    const required = (keywords.required as string[] | undefined)?.filter((name) => !hidden(name));
    const own: { readonly [keyword: string]: unknown; readonly allOf?: unknown } = {
      type: types === undefined ? undefined : [...types],
      enum: 'const' in keywords ? [keywords.const] : keywords.enum,
      ...(isNumeric && { minimum: least, maximum: most }),
      ...Object.fromEntries(KEPT.flatMap((key) => (key in keywords ? [[key, keywords[key]]] : []))),
      pattern: isPattern(keywords.pattern) ? keywords.pattern : undefined,
      required: required?.length ? required : undefined,
      allOf: this.#allOf(schema),
      ...Object.fromEntries(LISTS.map((key) => [key, this.#list(schema.list(key))])),
      ...Object.fromEntries(MAPS.map((key) => [key, this.#map(schema.map(key))])),
      items: this.#child(schema.child('items')),
      additionalProperties: this.#child(schema.child('additionalProperties')),
      not: this.#child(schema.child('not')),
    };
    const all =
      references.length === 0
        ? own
        : withReferences(
            own,
            references.map((each) => this.of(each)),
          );
    return new Code(expressionOf(isNullable ? { anyOf: [{ type: 'null' }, all] } : all));
  }

  #allOf(schema: Schema): Code[] | undefined {
    const format = convertedFormat(schema, this.#types);
    if (format === undefined || format === 'int64') return this.#list(schema.list('allOf'));
    const test = this.#constants.imported(format === 'date' ? 'isFullDate' : 'isDateTime');
    return [test, ...(this.#list(schema.list('allOf')) ?? [])];
  }

  #child(schema: Schema | undefined): Code | undefined {
    return schema === undefined ? undefined : this.of(schema);
  }

  #list(schemas: readonly Schema[]): Code[] | undefined {
    return schemas.length === 0 ? undefined : schemas.map((each) => this.of(each));
  }

  #map(schemas: ReadonlyMap<string, Schema>): object | undefined {
    if (schemas.size === 0) return undefined;
    return Object.fromEntries([...schemas].map(([name, each]) => [name, this.of(each)]));
  }
}

function withReferences(own: { readonly allOf?: unknown }, references: readonly Code[]) {
  return { ...own, allOf: [...references, ...((own.allOf as Code[] | undefined) ?? [])] };
}

/** The client has no other engine. */
function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
