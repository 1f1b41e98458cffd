// Converts the values of components, and of bodies, which contain them.

import { Readable } from 'node:stream';
import {
  Applicators,
  type Applied,
  type Content,
  type Contents,
  isEventStream,
  isObject,
  otherProperties,
  prefixLength,
  Reaching,
  type Schema,
  type SchemaValues,
  setOwn,
} from '@stubwright/contract';
import {
  contentMedia,
  dataContentsOf,
  Evaluation,
  type ItemSource,
  mappedItems,
  type Validators,
} from '@stubwright/contract/values';
import { isItems } from 'stubwright/internals';
import type { RunConverter } from './converters.ts';

export type ConvertValue = (value: unknown) => unknown;

/** The converted components of one contract, in one direction. */
export class ComponentConversions {
  readonly #converters: ReadonlyMap<Schema, ConvertValue>;
  readonly #applicators: Applicators<Conversion>;

  /** @param converters by component of the contract */
  constructor(validators: Validators, converters: ReadonlyMap<Schema, ConvertValue>) {
    this.#converters = converters;
    const reaching = new Reaching((schema) => this.#converters.has(schema));
    this.#applicators = new Applicators(validators, {
      compile: (applied) => new Conversion(applied, this.#convertersOf(applied)),
      isRelevant: (schema) => reaching.from(schema),
    });
  }

  /** @returns a function that copies the values that it changes; undefined if no value of the schema is converted */
  of(schema: Schema | undefined): ConvertValue | undefined {
    if (schema === undefined || this.#converters.size === 0) return undefined;
    const values = this.#applicators.values([schema]);
    if (values.isEmpty) return undefined;
    return (value) => converted(value, values, new Evaluation(value));
  }

  /** A component that is a part of another one with a converter is left to that one. */
  #convertersOf({ schemas }: Applied<Conversion>): ConvertValue[] {
    const converted = [...schemas].filter((schema) => this.#converters.has(schema));
    const outermost = converted.filter(
      (schema) => !converted.some((other) => other !== schema && other.conjuncts.includes(schema)),
    );
    return outermost.map((schema) => this.#converters.get(schema)!);
  }
}

function converted(
  value: unknown,
  values: SchemaValues<Conversion>,
  evaluation: Evaluation,
): unknown {
  return values.isEmpty ? value : values.applying(value, evaluation).data.apply(value, evaluation);
}

/** The conversion of a value to which exactly these schemas apply: inner values first. */
class Conversion {
  readonly #applied: Applied<Conversion>;
  readonly #converters: readonly ConvertValue[];
  readonly #names: readonly string[];
  readonly #prefix: number;
  /** True if undeclared properties may have a conversion. */
  readonly #readsNames: boolean;

  constructor(applied: Applied<Conversion>, converters: readonly ConvertValue[]) {
    const schemas = [...applied.schemas];
    this.#applied = applied;
    this.#converters = converters;
    const names = new Set(schemas.flatMap((schema) => [...schema.map('properties').keys()]));
    this.#names = [...names].filter((name) => !applied.property(name).isEmpty);
    this.#prefix = prefixLength(schemas);
    this.#readsNames = schemas.some((schema) => otherProperties(schema).length > 0);
  }

  apply(value: unknown, evaluation: Evaluation): unknown {
    let result = this.#inner(value, evaluation);
    for (const convert of this.#converters) result = convert(result);
    return result;
  }

  #inner(value: unknown, evaluation: Evaluation): unknown {
    if (Array.isArray(value)) return this.#items(value, evaluation);
    return isObject(value) && !(value instanceof Blob) ? this.#object(value, evaluation) : value;
  }

  #items(items: readonly unknown[], evaluation: Evaluation): readonly unknown[] {
    const prefix = Array.from({ length: this.#prefix }, (_, at) => this.#applied.item(at));
    const rest = this.#applied.item(this.#prefix);
    if (rest.isEmpty && prefix.slice(0, items.length).every(({ isEmpty }) => isEmpty)) return items;
    return items.map((item, at) => converted(item, prefix[at] ?? rest, evaluation));
  }

  #object(value: Readonly<Record<string, unknown>>, evaluation: Evaluation): object {
    const names = this.#readsNames ? Object.keys(value) : this.#names;
    let copy: Record<string, unknown> | undefined;
    for (const name of names) {
      if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
      const inner = converted(value[name], this.#applied.property(name), evaluation);
      if (inner === value[name]) continue;
      copy ??= { ...value };
      setOwn(copy, name, inner);
    }
    return copy ?? value;
  }
}

export interface BodyConversionOptions {
  /** Of the contract that the bodies belong to. */
  readonly validators: Validators;
  readonly components: ComponentConversions;
  readonly run: RunConverter;
  /** For messages: `request` or `reply`. */
  readonly converter: string;
  /** Called for each item, after the components in it; undefined leaves the item out. */
  readonly convertItem?: ConvertValue | undefined;
}

interface Compiled {
  readonly value: ConvertValue | undefined;
  /** Undefined for a body that is not a sequence. */
  readonly item: ConvertValue | undefined;
  readonly isSequence: boolean;
}

/** The bodies of one `content` map. */
export class BodyConversion {
  readonly #contents: Contents<Content>;
  readonly #options: BodyConversionOptions;
  readonly #compiled = new Map<Content, Compiled>();

  constructor(contents: Contents<Content>, options: BodyConversionOptions) {
    this.#contents = contents;
    this.#options = options;
  }

  /** @param mediaType undefined for JSON, else the first one */
  convert(body: unknown, mediaType: string | undefined): unknown {
    if (body === undefined || isBytes(body)) return body;
    const compiled = this.#compiledFor(mediaType);
    if (compiled === undefined) return body;
    const { value, item, isSequence } = compiled;
    const { run, converter } = this.#options;
    if (!isSequence) return value ? run(converter, () => value(body)) : body;
    if (item === undefined || !isItems(body)) return body;
    return mappedItems(body satisfies ItemSource, (value) => run('item', () => item(value)));
  }

  #compiledFor(mediaType: string | undefined): Compiled | undefined {
    const selected =
      mediaType === undefined ? this.#contents.preferred : this.#contents.select(mediaType);
    return selected && this.#compile(selected.content, mediaType ?? selected.key);
  }

  #compile(content: Content, mediaType: string): Compiled {
    const cached = this.#compiled.get(content);
    if (cached !== undefined) return cached;
    const { components, validators } = this.#options;
    const { type, kind } = contentMedia(content, mediaType, validators);
    const isSequence = kind.itemCodec !== undefined;
    const compiled = {
      value: components.of(content.schema),
      item: isSequence ? this.#itemConversion(content, type) : undefined,
      isSequence,
    };
    this.#compiled.set(content, compiled);
    return compiled;
  }

  #itemConversion({ item }: Content, type: string): ConvertValue | undefined {
    const { components, convertItem } = this.#options;
    const data = isEventStream(type) && item !== undefined ? this.#dataConversion(item) : undefined;
    const steps = [data, components.of(item), convertItem].filter((step) => step !== undefined);
    if (steps.length === 0) return undefined;
    return (value) => steps.reduce((before, convert) => convert(before), value);
  }

  /** Of the `data` of events, whose schema is that of a text. */
  #dataConversion(item: NonNullable<Content['item']>): ConvertValue | undefined {
    const contents = dataContentsOf(item).flatMap(({ schema, isValue, events, branch }) => {
      const convert = isValue ? undefined : this.#options.components.of(schema);
      const isDecided = events !== undefined || branch === undefined;
      return convert !== undefined && isDecided ? [{ events, convert }] : [];
    });
    if (contents.length === 0) return undefined;
    return (event) => {
      if (!isObject(event) || event.data === undefined) return event;
      const found = contents.find(({ events }) => events?.has(event.event) ?? true);
      return found === undefined ? event : { ...event, data: found.convert(event.data) };
    };
  }
}

function isBytes(body: unknown): boolean {
  return (
    body instanceof Readable ||
    body instanceof Blob ||
    body instanceof ReadableStream ||
    ArrayBuffer.isView(body)
  );
}
