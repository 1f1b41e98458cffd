// Describes the conversions of an operation, as an argument of `withConversions` of @stubwright/client.

import {
  type Content,
  isBigint,
  type Operation,
  parseMediaType,
  type Schema,
} from '@stubwright/contract';
import { dataContentsOf, type Validators } from '@stubwright/contract/validation';
import { Code, type Constants } from './code.ts';
import type { ExactCode } from './exactCode.ts';
import {
  inPlace,
  isBinaryValue,
  mediaCategory,
  shapeTypes,
  statusKey,
  textShape,
} from './textShapes.ts';

type Entries = readonly (readonly [name: string, content: Content])[];

export class ConversionCode {
  readonly #exact: ExactCode;
  readonly #validators: Validators;

  constructor(exact: ExactCode, validators: Validators) {
    this.#exact = exact;
    this.#validators = validators;
  }

  /** @param bodies in the order of their writers @returns undefined for an operation without conversions */
  of(operation: Operation, bodies: Entries): object | undefined {
    const spec = {
      ...this.#parameters(operation),
      bodies: this.#contents(bodies, 'request'),
      replies: this.#replies(operation),
    };
    return Object.values(spec).every((value) => value === undefined) ? undefined : spec;
  }

  #parameters({ parameters }: Operation): Record<string, object> {
    const converted = parameters.flatMap(({ in: where, name, described, isReserved }) => {
      const exact = isReserved ? undefined : this.#exact.conversionsIn(described.schema);
      return exact === undefined
        ? []
        : [{ where: where === 'querystring' ? 'query' : where, name, exact }];
    });
    const parts = Map.groupBy(converted, ({ where }) => where);
    const holders = Array.from(parts, ([where, each]) => {
      const named = each.map(({ name, exact }) => [name, exact] as const);
      // The name of a header is in any case.
      const holder =
        where === 'header'
          ? { patterns: named.map(([name, exact]) => [anyCase(name), exact]) }
          : { properties: Object.fromEntries(named) };
      return [where, holder] as const;
    });
    return Object.fromEntries(holders);
  }

  #replies({ method, responses }: Operation): object | undefined {
    const replies = [...responses].map(([status, { headers, contents }]) => {
      const converted = [...headers].flatMap(([name, { valueSchema }]) => {
        const exact = this.#exact.conversionsIn(valueSchema);
        return exact === undefined ? [] : [[name, exact] as const];
      });
      const spec = {
        headers: converted.length > 0 ? { properties: Object.fromEntries(converted) } : undefined,
        content: method === 'head' ? undefined : this.#contents([...contents], 'reply'),
      };
      return [statusKey(status), spec] as const;
    });
    const isConverted = replies.some(([, { headers, content }]) => headers ?? content);
    return isConverted ? Object.fromEntries(replies) : undefined;
  }

  #contents(contents: Entries, kind: 'request' | 'reply'): object | undefined {
    const all = contents.map(
      ([type, content]) => [type, this.#content(type, content, kind) ?? 0] as const,
    );
    return all.some(([, exact]) => exact !== 0) ? Object.fromEntries(all) : undefined;
  }

  #content(type: string, content: Content, kind: 'request' | 'reply'): unknown {
    const { schema, item } = content;
    const category = mediaCategory(type, content, this.#validators);
    if (category === 'xml') return undefined;
    if (category === 'bytes') {
      const isRead = kind === 'reply' && hasJson(parseMediaType(type)?.type ?? type);
      return isRead ? this.#exact.conversionsIn(schema) : undefined;
    }
    if (category === 'events') {
      const event = this.#event(content);
      return event && { items: event };
    }
    if (category !== 'lines') return this.#exact.conversionsIn(schema);
    const items = this.#exact.conversionsIn(item);
    return items && { items };
  }

  /** The data of an event is text, or the value of its `contentSchema`. */
  #event({ item }: Content): object | undefined {
    if (item === undefined) return undefined;
    const contents = dataContentsOf(item);
    const text = item.conjuncts.flatMap((conjunct) => conjunct.map('properties').get('data') ?? []);
    const always = [
      ...text,
      ...contents.flatMap(({ schema, branch }) => (branch ? [] : (schema ?? []))),
    ];
    const holders = always.flatMap((schema) => {
      const data = this.#exact.conversionsIn(schema);
      return data === undefined ? [] : [{ properties: { data } }];
    });
    const tests = contents.flatMap(({ schema, branch, events }) => {
      const data = branch && events && this.#exact.conversionsIn(schema);
      if (!data) return [];
      const test = { required: ['event'], properties: { event: { enum: [...events] } } };
      return [[test, { properties: { data } }]];
    });
    const all = [...holders, ...(tests.length > 0 ? [this.#exact.either(tests)] : [])];
    return all.length === 0 ? undefined : all;
  }
}

function anyCase(name: string): Code {
  return new Code(`/^${name.replace(/[^\w-]/g, '\\$&')}$/i`);
}

export function hasJson(range: string): boolean {
  return /^(?:\*|application)\/\*$/.test(range);
}

/** @returns a reader that selects by the Content-Type among those that the schema has values for */
export function rangeReader(
  schema: Schema | undefined,
  { constants, exact }: { constants: Constants; exact: ExactCode },
): Code {
  const call = (name: string, args: readonly unknown[] = []) => constants.call(name, args);
  const holder = exact.integersIn(schema);
  const json = () => call('receiveJson', holder === undefined ? [] : [holder]);
  const any = (readers: Readonly<Record<string, Code>>) => call('receiveAny', [readers]);
  const parts = schema === undefined ? [] : inPlace([schema]);
  const types = shapeTypes(parts);
  if (schema === undefined || (types.length === 0 && !parts.some(isBigint))) {
    return any({ json: json(), text: call('receiveText'), other: call('receiveBytes') });
  }
  const isStructured = types.some((type) => type === 'object' || type === 'array');
  if (isBinaryValue(schema)) {
    return isStructured ? any({ json: json(), other: call('receiveBytes') }) : call('receiveBytes');
  }
  if (!isStructured)
    return any({ json: json(), other: call('receiveText', [textShape([schema])]) });
  return json();
}
