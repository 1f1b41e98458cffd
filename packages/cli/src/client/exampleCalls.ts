// Creates the arguments of valid calls from the examples and schemas of a contract.
import type { Content, Contract, DescribedValue, Operation, Schema } from '@stubwright/contract';
import { Coercions, dataContentsOf, declaredPart, Validators } from '@stubwright/contract/values';
import { Samples } from '@stubwright/mock/samples';
import { Code, expressionOf } from './code.ts';
import { PART_HEADERS } from './declarations.ts';
import { keySpecOf } from './idempotencyKey.ts';
import { propertyIn } from './inPlace.ts';
import { mediaCategory } from './mediaCategory.ts';
import { isBinaryValue } from './textShapes.ts';

/** The calls of one contract. */
export class ExampleCalls {
  readonly #validators: Validators;
  readonly #coercions: Coercions;
  readonly #samples: Samples;

  constructor(definition: Contract) {
    this.#validators = new Validators(definition, 'request');
    this.#coercions = new Coercions(this.#validators);
    this.#samples = new Samples(this.#validators);
  }

  /** @returns the request as an object expression; undefined if nothing is required, or no value is found */
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
        request[part] = { ...(request[part] as object), [name]: this.#value(described) };
      }
      const body = this.#body(operation);
      if (body !== undefined) request['body'] = body;
      return Object.keys(request).length === 0 ? undefined : new Code(expressionOf(request));
    } catch {
      return undefined;
    }
  }

  #body({ requestBody, method }: Operation): unknown {
    if (requestBody === undefined) return undefined;
    if (!requestBody.isRequired && ['get', 'head', 'delete'].includes(method)) return undefined;
    const contents = Array.from(requestBody.contents, ([type, content]) => {
      return { content, category: mediaCategory(type, content, this.#validators) };
    });
    const [first] = contents;
    const chosen = contents.find(({ category }) => category === 'json') ?? first;
    if (chosen === undefined) return undefined;
    const { category, content } = chosen;
    const { schema, item } = content;
    if (category === 'bytes') return new Code("new Blob(['…'])");
    if (category === 'lines' || category === 'events' || category === 'mixed') {
      return item === undefined ? new Code("new Blob(['…'])") : [this.#item(item)];
    }
    const value = this.#value(content);
    return category === 'multipart' ? this.#withHeaders(withFiles(value, schema), content) : value;
  }

  /** Adds the required headers of parts. */
  #withHeaders(value: Readonly<Record<string, unknown>>, { encodings }: Content): unknown {
    const parts = Object.entries(value).map(([name, each]) => {
      const headers = [...(encodings.get(name)?.headers ?? [])].flatMap(([header, declared]) =>
        declared.isRequired ? [[header, this.#value(declared.described)]] : [],
      );
      if (headers.length === 0) return [name, each];
      const code = `${PART_HEADERS}(${expressionOf(each)}, ${expressionOf(Object.fromEntries(headers))})`;
      return [name, new Code(code)];
    });
    return Object.fromEntries(parts);
  }

  /** @returns a valid example, else a sample of the schema, with the declared properties */
  #value({ schema, examples }: DescribedValue): unknown {
    const candidates = examples
      .map((each) => each.read()?.value)
      .filter((each) => each !== undefined);
    if (schema === undefined) return candidates[0] ?? 'x';
    return this.#valueOf(schema, candidates);
  }

  /** The data of an event is the value of its `contentSchema`. */
  #item(item: Schema): unknown {
    const value = this.#valueOf(item, []);
    const [content] = dataContentsOf(item);
    if (content?.schema === undefined || content.isValue) return value;
    return { ...(value as object), data: this.#valueOf(content.schema, []) };
  }

  #valueOf(schema: Schema, candidates: readonly unknown[]): unknown {
    const isValid = this.#validators.at(schema.pointer);
    const found = candidates.find((each) => isValid(each));
    const value = found ?? this.#samples.at(schema.pointer, 'example');
    const declaredIn = declaredPart(this.#validators, schema, { keepsHidden: true });
    const declared = declaredIn(structuredClone(value));
    return withBigints(this.#coercions, declared, schema, value);
  }
}

/** Coercion adds defaults, which an example need not have. */
function withBigints(
  coercions: Coercions,
  declared: unknown,
  schema: Schema,
  written: unknown,
): unknown {
  const coerced = coercions.at(schema.pointer)?.(structuredClone(declared)) ?? declared;
  return onlyIn(coerced, written);
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
