// The replies of an operation of the newer contract that are converted.
import { type DeclaredResponse, type Operation, Problem } from '@stubwright/contract';
import { concreteType } from '@stubwright/contract/values';
import type { Mocks } from '@stubwright/mock';
import { InvalidMock } from '@stubwright/mock/mocked';
import type { HandlerReply } from 'stubwright/internals';
import type { ProofValues } from './proofValues.ts';
import type { VersionPair } from './versionPair.ts';

export interface ReplyCase {
  readonly status: number;
  readonly reply: HandlerReply | Problem;
  readonly value: unknown;
  /** True if the older contract refuses the value. */
  readonly isWitness: boolean;
}

export class ReplyCases {
  readonly #pair: VersionPair;
  readonly #values: ProofValues;
  readonly #mocks: Mocks;

  constructor(pair: VersionPair, values: ProofValues, mocks: Mocks) {
    this.#pair = pair;
    this.#values = values;
    this.#mocks = mocks;
  }

  /** @returns a successful reply of an operation of the newer contract; undefined if none is found */
  async usual(newer: Operation): Promise<HandlerReply | undefined> {
    return this.#mocked(newer, this.#mocks.statusOf(newer));
  }

  /** @param older undefined for the operations that a converter `call` calls */
  async of(newer: Operation, older: Operation | undefined): Promise<ReplyCase[]> {
    const cases: ReplyCase[] = [];
    for (const key of newer.responses.keys()) {
      const status = statusFor(key, newer, older);
      if (status === undefined) continue;
      const base = (await this.#mocked(newer, status)) ?? { status };
      const declared = newer.responses.for(status)!;
      const mapped = this.#pair.converters.statuses?.[status] ?? status;
      const own = { status, declared, other: older?.responses.for(mapped) };
      cases.push({ status, reply: base, value: base.body, isWitness: false });
      if (status >= 400) {
        const headers = Object.entries(base.headers ?? {}).map(([name, each]) => [
          name,
          String(each),
        ]);
        const problem = new Problem(status, 'a generated error', {
          headers: Object.fromEntries(headers),
        });
        cases.push({ status, reply: problem, value: undefined, isWitness: false });
      }
      cases.push(...this.#bodies(base, own), ...this.#headers(base, own));
    }
    return cases;
  }

  *#bodies(base: HandlerReply, { status, declared, other }: DeclaredStatus): Generator<ReplyCase> {
    for (const [key, content] of declared.contents) {
      const type = concreteType(key, content.schema === undefined ? '' : {});
      const older = other?.contents.select(type)?.content;
      const values =
        this.#values.sequences('response', { content, mediaType: type, other: older }) ??
        this.#values
          .replies(content.schema, older?.schema)
          .filter(({ value }) => this.#values.canSend(content, type, value));
      for (const { value, refusal } of values) {
        const reply = { ...base, type, body: value };
        yield { status, reply, value, isWitness: refusal !== undefined };
      }
    }
  }

  *#headers(base: HandlerReply, { status, declared, other }: DeclaredStatus): Generator<ReplyCase> {
    for (const [name, header] of declared.headers) {
      const older = [...(other?.headers ?? [])].find(
        ([each]) => each.toLowerCase() === name.toLowerCase(),
      );
      for (const { value, refusal } of this.#values.replies(
        header.valueSchema,
        older?.[1].valueSchema,
      )) {
        const reply = { ...base, headers: { ...base.headers, [name]: value } };
        yield { status, reply, value, isWitness: refusal !== undefined };
      }
    }
  }

  async #mocked(newer: Operation, status: number): Promise<HandlerReply | undefined> {
    const reply = await this.#mocks.replyWith(newer, status);
    if (reply instanceof InvalidMock) return undefined;
    const selected = reply.type && newer.responses.for(status)?.contents.select(reply.type);
    const schema = selected ? selected.content.schema : undefined;
    if (schema === undefined) return reply;
    return { ...reply, body: this.#values.coerced(schema, 'response', reply.body) };
  }
}

interface DeclaredStatus {
  readonly status: number;
  readonly declared: DeclaredResponse;
  /** Of the older contract. */
  readonly other: DeclaredResponse | undefined;
}

/** @returns a status for a key of responses; undefined for a range without one of its own */
function statusFor(
  key: string,
  { responses }: Operation,
  older: Operation | undefined,
): number | undefined {
  if (/^[2-5]\d\d$/.test(key)) return Number(key);
  const status = /^[2-5]XX$/i.test(key) ? Number(`${key[0]}00`) : 500;
  const isOwn = responses.keyFor(status) === key;
  const isDeclared = older === undefined || older.responses.for(status) !== undefined;
  return isOwn && isDeclared ? status : undefined;
}
