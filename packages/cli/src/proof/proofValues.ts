// The values of both contracts that are converted: at and around each difference, and some of all other parts.
import {
  type Content,
  type Contract,
  type Direction,
  isEventStream,
  isObject,
  type Schema,
} from '@stubwright/contract';
import {
  Coercions,
  contentMedia,
  type DataContent,
  dataContentsOf,
  declaredPart,
  type Validate,
  Validators,
} from '@stubwright/contract/values';
import { canonical, implies, type TriedValue, TriedValues } from '@stubwright/diff/internals';

/** The maximum cost of the values of two schemas that differ, and of equal ones. */
const CHANGED = 600;
const EQUAL = 12;

export class ProofValues {
  readonly #tried: Readonly<Record<Direction, TriedValues>>;
  readonly #sides: Readonly<Record<Direction, { validators: Validators; coercions: Coercions }>>;
  readonly #both: Readonly<Record<Direction, { older: Validators; newer: Validators }>>;

  constructor(older: Contract, newer: Contract) {
    const tried = (direction: Direction) => new TriedValues(older, newer, direction);
    this.#tried = { request: tried('request'), response: tried('response') };
    const both = (direction: Direction) => ({
      older: new Validators(older, direction),
      newer: new Validators(newer, direction),
    });
    this.#both = { request: both('request'), response: both('response') };
    const side = (validators: Validators) => ({ validators, coercions: new Coercions(validators) });
    this.#sides = {
      request: side(this.#both.request.older),
      response: side(this.#both.response.newer),
    };
  }

  /** The validators of the side that sends the values. */
  validators(direction: Direction): Validators {
    return this.#sides[direction].validators;
  }

  /** @returns values that clients of the older contract send, as JSON */
  requests(older: Schema | undefined, newer: Schema | undefined): TriedValue[] {
    if (older === undefined) return [];
    const sent = new Map<string, TriedValue>();
    for (const { value, refusal } of this.#values({ older, newer }, 'request')) {
      const declared = this.#sendable(older, value);
      const key = canonical(declared);
      if (!sent.has(key)) sent.set(key, { value: declared, refusal });
    }
    return [...sent.values()];
  }

  /** Clients send no properties that only the newer contract declares. */
  #sendable(older: Schema, value: unknown): unknown {
    try {
      return this.declared(older, 'request', value);
    } catch {
      // A file.
      return value;
    }
  }

  /** @returns values that handlers of the newer contract return */
  replies(newer: Schema | undefined, older: Schema | undefined): TriedValue[] {
    if (newer === undefined) return [];
    return this.#values({ older, newer }, 'response').map(({ value, refusal }) => ({
      value: this.coerced(newer, 'response', value),
      refusal,
    }));
  }

  /** @returns the value without properties that its contract does not declare */
  declared(schema: Schema, direction: Direction, value: unknown): unknown {
    return declaredPart(this.validators(direction), schema)(value);
  }

  /** @returns the value as a handler or a converter has it: an int64 is a bigint */
  coerced({ pointer }: Schema, direction: Direction, value: unknown): unknown {
    const coerce = this.#sides[direction].coercions.at(pointer);
    return coerce === undefined ? value : coerce(structuredClone(value));
  }

  accepts(side: 'older' | 'newer', { pointer }: Schema, direction: Direction): Validate {
    return this.#both[direction][side].at(pointer);
  }

  areSame(older: Schema, newer: Schema): boolean {
    return implies([older], [newer]) && implies([newer], [older]);
  }

  /** @returns true for a value that a response of the media type can have */
  canSend(content: Content, mediaType: string, value: unknown): boolean {
    const { kind, media } = contentMedia(content, mediaType, this.validators('response'));
    return kind.canSend(value, media);
  }

  /** @returns sequences of one item, as a handler or a converter has them; undefined for another body */
  sequences(
    direction: Direction,
    { content, mediaType, other }: SequenceContent,
  ): TriedValue[] | undefined {
    const { type, codec } = contentMedia(content, mediaType, this.validators(direction));
    const { item } = content;
    if (codec === undefined || item === undefined) return undefined;
    const tried = this.#ofSender(item, other?.item, direction);
    const data = isEventStream(type) ? this.#events(item, other?.item, { tried, direction }) : [];
    return [...tried, ...data]
      .filter(({ value }) => codec.errorsOf(value).length === 0)
      .map(({ value, refusal }) => ({ value: [codec.coerced(structuredClone(value))], refusal }));
  }

  /** @returns the schema of the items of a sequence; undefined for another body */
  itemOf(content: Content, mediaType: string, direction: Direction): Schema | undefined {
    const { kind } = contentMedia(content, mediaType, this.validators(direction));
    return kind.itemCodec && content.item;
  }

  /** The values of `data`, whose schema in the event is that of a text. */
  #events(
    item: Schema,
    other: Schema | undefined,
    { tried, direction }: { readonly tried: readonly TriedValue[]; readonly direction: Direction },
  ): TriedValue[] {
    const others = other === undefined ? [] : dataContentsOf(other);
    return dataContentsOf(item).flatMap(({ schema, events }) => {
      if (schema === undefined) return [];
      const isOwn = ({ value }: TriedValue) =>
        isObject(value) && (events?.has(value['event']) ?? true);
      const own = tried.filter(isOwn);
      const sameEvents = (each: DataContent) =>
        [...(each.events ?? [])].join() === [...(events ?? [])].join();
      const values = this.#ofSender(schema, others.find(sameEvents)?.schema, direction);
      const [first, event] = [values[0], own[0]];
      if (first === undefined || event === undefined) return [];
      return [
        ...own.map((each) => withData(each, first)),
        ...values.map((each) => withData(event, each)),
      ];
    });
  }

  #ofSender(sender: Schema, other: Schema | undefined, direction: Direction): TriedValue[] {
    const [older, newer] = direction === 'request' ? [sender, other] : [other, sender];
    return this.#values({ older, newer }, direction);
  }

  #values(
    { older, newer }: { older: Schema | undefined; newer: Schema | undefined },
    direction: Direction,
  ): TriedValue[] {
    const isEqual = older !== undefined && newer !== undefined && this.areSame(older, newer);
    const limit = isEqual ? EQUAL : CHANGED;
    const spot = { before: older ? [older] : [], after: newer ? [newer] : [] };
    const sender = (direction === 'request' ? older : newer)!;
    const accepts = this.#sides[direction].validators.at(sender.pointer);
    return [...this.#tried[direction].at(spot, limit)].filter(({ value }) => accepts(value));
  }
}

/** A body that may be a sequence. */
interface SequenceContent {
  readonly content: Content;
  readonly mediaType: string;
  /** Of the other contract. */
  readonly other: Content | undefined;
}

function withData(event: TriedValue, { value, refusal }: TriedValue): TriedValue {
  return { value: { ...Object(event.value), data: value }, refusal: event.refusal ?? refusal };
}
