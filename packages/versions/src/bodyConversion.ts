// Converts the bodies of one request or response: values, and the items of sequences.
import { Readable } from 'node:stream';
import { type Content, type Contents, isEventStream, isObject } from '@stubwright/contract';
import {
  contentMedia,
  dataContentsOf,
  type ItemSource,
  mappedItems,
  type Validators,
} from '@stubwright/contract/values';
import { isItems } from 'stubwright/internals';
import type { ComponentConversions, ConvertValue } from './componentConversion.ts';
import type { ConverterErrors } from './converterErrors.ts';

export interface BodyConversionOptions {
  /** Of the contract that the bodies belong to. */
  readonly validators: Validators;
  readonly components: ComponentConversions;
  readonly errors: ConverterErrors;
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
  /** Of the last body: most clients send one media type. */
  #last: { readonly mediaType: string | undefined; readonly compiled: Compiled } | undefined;

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
    const { errors, converter } = this.#options;
    if (!isSequence) return value ? errors.named(converter, () => value(body)) : body;
    if (item === undefined || !isItems(body)) return body;
    return mappedItems(body satisfies ItemSource, (each) => errors.named('item', () => item(each)));
  }

  #compiledFor(mediaType: string | undefined): Compiled | undefined {
    if (this.#last !== undefined && this.#last.mediaType === mediaType) return this.#last.compiled;
    const selected =
      mediaType === undefined ? this.#contents.preferred : this.#contents.select(mediaType);
    if (selected === undefined) return undefined;
    const compiled = this.#compile(selected.content, mediaType ?? selected.key);
    this.#last = { mediaType, compiled };
    return compiled;
  }

  #compile(content: Content, mediaType: string): Compiled {
    const known = this.#compiled.get(content);
    if (known !== undefined) return known;
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
    const steps = [data, components.of(item), convertItem].filter((each) => each !== undefined);
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
