// Creates the arguments of valid calls from the examples and schemas of a contract.

import {
  type Content,
  type Contract,
  type DescribedValue,
  type Operation,
  parseMediaType,
  type Schema,
} from '@stubwright/contract';
import {
  Coercions,
  dataContentsOf,
  declaredPart,
  mediaContentOf,
  mediaKindOf,
  NotSerializable,
  Validators,
} from '@stubwright/contract/values';
import { NoSample, Samples } from '@stubwright/mock/samples';
import { DEFAULT_TYPES, type ValueTypes } from '../types/valueTypes.ts';
import { Code, expressionOf } from './code.ts';
import { PART_HEADERS } from './declarations.ts';
import { keySpecOf } from './operationCode.ts';
import { isBinaryValue, mediaCategory, propertyIn } from './textShapes.ts';
import { TypedValues } from './typedValues.ts';

/** Of the values that are tried. */
const SEEDS = ['example', ...Array.from({ length: 8 }, (_, at) => `example ${at}`)];

interface Sample {
  readonly value: unknown;
  /** False for a value that the generated type excludes. */
  readonly isTyped: boolean;
}

export class ExampleCalls {
  readonly #validators: Validators;
  readonly #coercions: Coercions;
  readonly #samples: Samples;
  readonly #typed: TypedValues;

  constructor(definition: Contract, types: ValueTypes = DEFAULT_TYPES) {
    this.#validators = new Validators(definition, 'request');
    this.#coercions = new Coercions(this.#validators);
    this.#samples = new Samples(this.#validators);
    this.#typed = new TypedValues(types);
  }

  /** @returns the request as an object expression, empty if nothing is required; undefined if none is found */
  of(operation: Operation): Code | undefined {
    const isValid = ({ pointer }: Schema, value: unknown) => this.#validators.at(pointer)(value);
    try {
      const request: Record<string, unknown> = {};
      const key = keySpecOf(operation, isValid) && operation.idempotencyKey;
      for (const parameter of operation.parameters) {
        if (parameter === key) continue;
        if (parameter.isReserved || !parameter.isRequired) continue;
        const { name, in: where, described } = parameter;
        const part = where === 'querystring' ? 'query' : where;
        const value = written(this.#value(described, where === 'path' ? isPathText : undefined));
        request[part] = { ...(request[part] as object), [name]: value };
      }
      const body = this.#body(operation);
      if (body !== undefined) request['body'] = body;
      return new Code(Object.keys(request).length === 0 ? '' : expressionOf(request));
    } catch (error) {
      if (error instanceof NoSample || error instanceof NotSerializable) return undefined;
      throw error;
    }
  }

  #body({ requestBody, method }: Operation): unknown {
    if (requestBody === undefined) return undefined;
    if (!requestBody.isRequired && ['get', 'head', 'delete'].includes(method)) return undefined;
    // `fetch` sends none.
    if (['get', 'head'].includes(method)) throw new NoSample(`${method} with a body`);
    const contents = Array.from(requestBody.contents, ([type, content]) => {
      return { type, content, category: mediaCategory(type, content, this.#validators) };
    });
    const [first] = contents;
    const chosen = contents.find(({ category }) => category === 'json') ?? first;
    if (chosen === undefined) return undefined;
    const { category, content } = chosen;
    const { schema, item } = content;
    if (category === 'bytes') return fileOf(chosen.type);
    if (category === 'lines' || category === 'events') {
      return item === undefined ? new Code("new Blob(['…'])") : [this.#item(item)];
    }
    if (category === 'xml') return this.#xml(chosen.type, content);
    const value = this.#value(content);
    if (category !== 'multipart') return written(value);
    return this.#withHeaders(withFiles(value.value, schema), content);
  }

  /** XML is text in the client. */
  #xml(type: string, content: Content): unknown {
    const own = mediaContentOf(content, this.#validators);
    const kind = mediaKindOf(parseMediaType(type)?.type ?? type, own);
    const [example] = content.examples.flatMap((example) => example.read()?.value ?? []);
    if (typeof example === 'string') return example;
    if (kind.name !== 'xml') return new Code("'…'");
    return kind.encode(example ?? this.#samples.at(content.schema!.pointer, 'example'), own);
  }

  #withHeaders(value: Readonly<Record<string, unknown>>, { encodings }: Content): unknown {
    const parts = Object.entries(value).map(([name, value]) => {
      const headers = [...(encodings.get(name)?.headers ?? [])].flatMap(([header, declared]) =>
        declared.isRequired ? [[header, written(this.#value(declared.described))]] : [],
      );
      if (headers.length === 0) return [name, value];
      const code = `${PART_HEADERS}(${expressionOf(value)}, ${expressionOf(Object.fromEntries(headers))})`;
      return [name, new Code(code)];
    });
    return Object.fromEntries(parts);
  }

  /** @returns a valid example, else a sample of the schema, with the declared properties */
  #value({ schema, examples }: DescribedValue, isUsable?: (value: unknown) => boolean): Sample {
    const candidates = examples
      .map((example) => example.read()?.value)
      .filter((value) => value !== undefined);
    if (schema === undefined) return { value: candidates[0] ?? 'x', isTyped: true };
    return this.valueOf(schema, candidates, isUsable);
  }

  /** The data of an event is the value of its `contentSchema`. */
  #item(item: Schema): unknown {
    const value = this.valueOf(item, []);
    const [content] = dataContentsOf(item);
    if (content?.schema === undefined || content.isValue) return written(value);
    return { ...(value.value as object), data: written(this.valueOf(content.schema, [])) };
  }

  /** @returns a valid value of a request @throws {NoSample} */
  valueOf(
    schema: Schema,
    examples: readonly unknown[] = [],
    isUsable: (value: unknown) => boolean = () => true,
  ): Sample {
    const isValid = this.#validators.at(schema.pointer);
    let first: { readonly value: unknown } | undefined;
    for (const value of this.#candidates(schema, examples)) {
      if (!isUsable(value) || !isValid(value)) continue;
      first ??= { value };
      const typed = this.#typed.of(schema, value);
      if (typed === undefined || !isValid(typed)) continue;
      const exact = withBigints(this.#coercions, typed, schema);
      return { value: this.#typed.converted(schema, exact), isTyped: true };
    }
    if (first === undefined) throw new NoSample(`${schema.pointer}  no valid value was found`);
    const declaredIn = declaredPart(this.#validators, schema, { keepsHidden: true });
    const declared = declaredIn(structuredClone(first.value));
    return { value: withBigints(this.#coercions, declared, schema), isTyped: false };
  }

  /** @yields valid and invalid values, the best first */
  *#candidates(schema: Schema, examples: readonly unknown[]): Generator<unknown> {
    yield* examples;
    for (const isDynamic of [false, true]) {
      for (const seed of SEEDS) {
        try {
          yield this.#samples.at(schema.pointer, seed, { isDynamic });
        } catch (error) {
          if (error instanceof NoSample) return;
          throw error;
        }
      }
    }
  }
}

/** @returns an expression; the types exclude some valid values */
function written({ value, isTyped }: Sample): unknown {
  return isTyped ? value : new Code(`${expressionOf(value)} as never`);
}

function isPathText(value: unknown): boolean {
  return !['', '.', '..'].includes(String(value));
}

/** Coercion adds defaults, which an example need not have. */
function withBigints(coercions: Coercions, value: unknown, schema: Schema): unknown {
  return onlyIn(coercions.at(schema.pointer)?.(structuredClone(value)) ?? value, value);
}

function onlyIn(value: unknown, written: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(written)) {
    return value.map((each, at) => onlyIn(each, written[at]));
  }
  if (typeof value !== 'object' || value === null || typeof written !== 'object' || !written) {
    return value;
  }
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(written, name));
  return Object.fromEntries(
    known.map(([name, each]) => [
      name,
      onlyIn(each, (written as Readonly<Record<string, unknown>>)[name]),
    ]),
  );
}

/** @returns a Blob; in a range of media types with a type of it, which the client sends */
function fileOf(mediaType: string): Code {
  const [family, subtype] = mediaType.split(';', 1)[0]!.split('/');
  if (subtype !== '*' || family === '*') return new Code("new Blob(['…'])");
  const type = `${family}/${EXAMPLE_SUBTYPES[family!] ?? 'example'}`;
  return new Code(`new Blob(['…'], { type: '${type}' })`);
}

/** Of the ranges that contracts declare. */
const EXAMPLE_SUBTYPES: Readonly<Record<string, string>> = {
  ...{ image: 'png', audio: 'mpeg', video: 'mp4', text: 'plain', application: 'octet-stream' },
};

function withFiles(value: unknown, schema: Schema | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value as object).map(([name, each]) => {
      const own = propertyIn(schema, name);
      const file = new Code("new Blob(['…'])");
      if (isBinaryValue(own)) return [name, file];
      return [name, isBinaryValue(own?.child('items')) && Array.isArray(each) ? [file] : each];
    }),
  );
}
