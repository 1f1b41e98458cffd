// Creates the arguments of valid calls from the examples and schemas of a contract.
import {
  contentsOf,
  type Definition,
  exampleValue,
  isReservedHeader,
  itemSchemaOf,
  type LocatedNode,
  type Node,
  type Operation,
  type Schema,
} from '@stubwright/contract';
import { Coercions, dataContentsOf, declaredPart, Validators } from '@stubwright/contract/values';
import { Samples } from 'stubwright/mock';
import { Code, expressionOf } from './code.ts';
import { PART_HEADERS } from './declarations.ts';
import { propertyIn } from './inPlace.ts';
import { mediaCategory } from './mediaCategory.ts';
import { isBinaryValue } from './textShapes.ts';

/** The calls of one contract. */
export class ExampleCalls {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #coercions: Coercions;
  readonly #samples: Samples;

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#validators = new Validators(definition, 'request');
    this.#coercions = new Coercions(this.#validators);
    this.#samples = new Samples(this.#validators);
  }

  /** @returns the request as an object expression; undefined if nothing is required, or no value is found */
  of(operation: Operation): Code | undefined {
    try {
      const request: Record<string, unknown> = {};
      for (const parameter of operation.parameters) {
        const { name, in: where, required } = parameter.node;
        if (isReservedHeader(parameter.node) || (where !== 'path' && required !== true)) continue;
        const [media] = contentsOf(this.#definition, parameter).values();
        const part = where === 'querystring' ? 'query' : where;
        request[part] = { ...(request[part] as object), [name]: this.#value(media ?? parameter) };
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
    if (requestBody.node.required !== true && ['get', 'head', 'delete'].includes(method)) {
      return undefined;
    }
    const contents = [...contentsOf(this.#definition, requestBody)];
    const categories = contents.map(([type, holder]) => {
      const schema = this.#schemaIn(holder);
      const item = itemSchemaOf(holder, this.#validators.model);
      return { type, holder, schema, item, category: mediaCategory(type, schema, item) };
    });
    const [first] = categories;
    const chosen = categories.find(({ category }) => category === 'json') ?? first;
    if (chosen === undefined) return undefined;
    if (chosen.category === 'bytes') return new Code("new Blob(['…'])");
    if (['lines', 'events', 'mixed'].includes(chosen.category)) {
      return chosen.item === undefined ? new Code("new Blob(['…'])") : [this.#item(chosen.item)];
    }
    const value = this.#value(chosen.holder);
    if (chosen.category !== 'multipart') return value;
    return this.#withHeaders(withFiles(value, chosen.schema), chosen.holder);
  }

  /** Adds the required headers of parts. */
  #withHeaders(value: Readonly<Record<string, unknown>>, holder: LocatedNode): unknown {
    const parts = Object.entries(value).map(([name, each]) => {
      const encoding = this.#definition.child(holder, 'encoding');
      const own = encoding && this.#definition.child(encoding, name);
      const headers = [...(own ? this.#definition.children(own, 'headers') : [])]
        .filter(
          ([header, { node }]) => node.required === true && header.toLowerCase() !== 'content-type',
        )
        .map(([header, location]) => [header, this.#value(location)]);
      if (headers.length === 0) return [name, each];
      const code = `${PART_HEADERS}(${expressionOf(each)}, ${expressionOf(Object.fromEntries(headers))})`;
      return [name, new Code(code)];
    });
    return Object.fromEntries(parts);
  }

  /** @returns a valid example, else a sample of the schema, with the declared properties */
  #value(holder: LocatedNode): unknown {
    const examples = [...this.#definition.children(holder, 'examples').values()];
    const schema = this.#schemaIn(holder);
    const written = [holder.node.example, ...examples.map((each) => exampleValue(each)?.node)];
    const candidates = written.filter((each) => each !== undefined);
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

  #schemaIn({ node, pointer }: LocatedNode): Schema | undefined {
    return node.schema === undefined ? undefined : this.#validators.model.at(`${pointer}/schema`);
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
    known.map(([name, each]) => [name, onlyIn(each, (written as Node)[name])]),
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
