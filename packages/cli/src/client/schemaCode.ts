// Writes schemas as expressions of @stubwright/client, which evaluates them.
import {
  COUNTS,
  compilePattern,
  INTEGER_FORMATS,
  isHidden,
  NUMERIC_BOUNDS,
  type Schema,
} from '@stubwright/contract';
import { convertedFormat, DEFAULT_TYPES, type ValueTypes } from '../types/valueTypes.ts';
import { Code, expressionOf, objectOf } from './code.ts';
import type { Constants } from './constants.ts';

/** The keywords that are evaluated as they are written; clients do not evaluate `contains`. */
const KEPT = [...NUMERIC_BOUNDS, ...COUNTS.filter((each) => !each.endsWith('Contains'))];
const LISTS = ['anyOf', 'oneOf', 'prefixItems'] as const;

export class SchemaCode {
  readonly #constants: Constants;
  readonly #types: ValueTypes;

  /** @param types the formats that have a conversion are tested */
  constructor(constants: Constants, types: ValueTypes = DEFAULT_TYPES) {
    this.#constants = constants;
    this.#types = types;
  }

  of(schema: Schema): Code {
    return this.#constants.shared('schema', schema, () => this.#expression(schema));
  }

  #expression(schema: Schema): Code {
    if (schema.isNever) return new Code('false');
    if (schema.written === true) return new Code('true');
    const { types, keywords, ref, isNullable } = schema;
    const references = [ref ?? [], ...schema.dynamicRefs].flat();
    const hasKeywords = types !== undefined || Object.keys(keywords).length > 0;
    if (!hasKeywords && references.length === 1 && schema.inner.length === 1) {
      return this.of(references[0]!);
    }
    const [least, most] = INTEGER_FORMATS[keywords.format] ?? [];
    const isNumeric = types?.has('integer') || types?.has('number');
    const hidden = (name: string) => {
      const property = schema.map('properties').get(name);
      return property !== undefined && isHidden(property, 'response');
    };
    const required = (keywords.required as string[] | undefined)?.filter((name) => !hidden(name));
    const own = {
      type: types === undefined ? undefined : [...types],
      enum: 'const' in keywords ? [keywords.const] : keywords.enum,
      ...(isNumeric && { minimum: least, maximum: most }),
      ...Object.fromEntries(KEPT.flatMap((key) => (key in keywords ? [[key, keywords[key]]] : []))),
      pattern: typeof keywords.pattern === 'string' ? compilePattern(keywords.pattern) : undefined,
      required: required?.length ? required : undefined,
      allOf: this.#allOf(schema, references),
      ...Object.fromEntries(LISTS.map((key) => [key, this.#list(schema.list(key))])),
      properties: this.#map(schema.map('properties')),
      patternProperties: this.#patterns(schema.map('patternProperties')),
      items: this.#child(schema.child('items')),
      additionalProperties: this.#child(schema.child('additionalProperties')),
      not: this.#child(schema.child('not')),
    };
    return new Code(expressionOf(isNullable ? { anyOf: [{ type: 'null' }, own] } : own));
  }

  #allOf(schema: Schema, references: readonly Schema[]): Code[] | undefined {
    const format = convertedFormat(schema, this.#types);
    const parts = this.#list([...references, ...schema.list('allOf')]);
    if (format === undefined || format === 'int64') return parts;
    const test = this.#constants.imported(format === 'date' ? 'isFullDate' : 'isDateTime');
    return [test, ...(parts ?? [])];
  }

  #child(schema: Schema | undefined): Code | undefined {
    return schema === undefined ? undefined : this.of(schema);
  }

  #list(schemas: readonly Schema[]): Code[] | undefined {
    return schemas.length === 0 ? undefined : schemas.map((schema) => this.of(schema));
  }

  #patterns(schemas: ReadonlyMap<string, Schema>): object | undefined {
    if (schemas.size === 0) return undefined;
    return Array.from(schemas, ([pattern, each]) => [clientPattern(pattern), this.of(each)]);
  }

  #map(schemas: ReadonlyMap<string, Schema>): object | undefined {
    return objectOf(Array.from(schemas, ([name, each]) => [name, this.of(each)]));
  }
}

/** The client has no other engine: one that is no regular expression matches every string. */
export function clientPattern(pattern: string): RegExp {
  return compilePattern(pattern) ?? /(?:)/;
}
