// Replies that return what a request sent: the values of an older client go to the newer contract and back.
import {
  type Contract,
  hiddenNames,
  isObject,
  type Operation,
  propertiesOf,
  type Schema,
  stringifyJson,
} from '@stubwright/contract';
import { declaredPart, Validators } from '@stubwright/contract/values';
import type { HandlerReply } from 'stubwright/internals';
import { type LostPart, lossesIn } from './losses.ts';

export class Echo {
  readonly #older: Validators;
  readonly #newer: Validators;

  constructor(older: Contract, newer: Contract) {
    this.#older = new Validators(older, 'response');
    this.#newer = new Validators(newer, 'response');
  }

  /** @returns the reply with the properties of the request that it declares; undefined if it cannot have them */
  reply(newer: Operation, usual: HandlerReply, sent: unknown): HandlerReply | undefined {
    const schema = replySchema(newer, usual.status);
    if (schema === undefined || !isObject(sent) || !isObject(usual.body)) return undefined;
    const declared = propertiesOf(schema);
    const own = Object.entries(sent).filter(
      ([name, each]) => each !== undefined && declared.has(name),
    );
    if (own.length === 0) return undefined;
    // What the request may have, but does not: a service does not have it either.
    const sendable = propertiesOf(newer.request.preferred?.content.schema);
    const absent = [...sendable.keys()].filter((name) => sent[name] === undefined);
    const kept = Object.entries(usual.body).filter(([name]) => !absent.includes(name));
    const isValid = this.#newer.at(schema.pointer);
    const bodies = [Object.fromEntries(kept), usual.body].map((each) => {
      return { ...each, ...Object.fromEntries(own) };
    });
    const body = bodies.find((each) => isValid(each));
    return body === undefined ? undefined : { ...usual, body };
  }

  /** @returns the properties of the request that the response declares, and lacks or has with another value */
  losses(older: Operation, status: number, sent: unknown, received: unknown): LostPart[] {
    const schema = replySchema(older, status);
    if (schema === undefined || !isObject(sent) || !isObject(received)) return [];
    const declared = propertiesOf(schema);
    const hidden = hiddenNames(schema, 'response');
    const own = Object.entries(sent).flatMap(([name, value]) => {
      const property = hidden.has(name) ? undefined : declared.get(name);
      // A property of another type is another one.
      if (property === undefined || !this.#older.at(property.pointer)(value)) return [];
      return [[name, declaredPart(this.#older, property)(value)] as const];
    });
    const json: unknown = JSON.parse(stringifyJson(Object.fromEntries(own)));
    return lossesIn(json, received);
  }
}

/** @returns the schema of the body that a reply with this status has by default */
export function replySchema({ responses }: Operation, status: number): Schema | undefined {
  return responses.for(status)?.contents.preferred?.content.schema;
}
