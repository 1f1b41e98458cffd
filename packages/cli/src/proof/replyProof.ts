// Returns generated replies of the newer contract to one request of the older one.
import { InvalidReply, type Operation, Problem } from '@stubwright/contract';
import type { SentRequest } from '@stubwright/traffic';
import { type ConvertedStatus, convertedStatuses } from '../serving/statusPlan.ts';
import { failureOf, isFailed, type ProofContext, type ProvenOperation } from './proofContext.ts';
import type { ProofResponse } from './proofService.ts';
import type { ReplyCase, ReplyCases } from './replyCases.ts';
import type { SentRequests } from './requestProof.ts';

export class ReplyProof {
  readonly #context: ProofContext;
  readonly #replies: ReplyCases;
  /** Of the newer contract, those that `statuses` of a version may map. */
  readonly #statuses: ReadonlyMap<number, ConvertedStatus>;

  constructor(context: ProofContext, replies: ReplyCases, pairs: ReadonlyMap<string, Operation>) {
    this.#context = context;
    this.#replies = replies;
    this.#statuses = convertedStatuses(context.pair.older, pairs);
  }

  async prove(proven: ProvenOperation, { first, called }: SentRequests): Promise<void> {
    if (first === undefined) return;
    const { older, newer } = proven;
    const { operations } = this.#context.pair.newer;
    const targets =
      newer === undefined ? operations.filter((each) => called.has(each.operationId)) : [newer];
    for (const target of targets) {
      for (const each of await this.#replies.of(target, newer && older)) {
        await this.#send(proven, target, each, first);
      }
    }
  }

  async #send(
    proven: ProvenOperation,
    target: Operation,
    reply: ReplyCase,
    sent: SentRequest,
  ): Promise<void> {
    const { counts, service, usual } = this.#context;
    let isSent = false;
    const response = await service.send(sent, (id) => {
      const isTarget = id === target.operationId;
      isSent ||= isTarget;
      const own = isTarget ? reply.reply : usual.get(id);
      return own ?? new Problem(500, 'no reply can be generated');
    });
    if (!isSent) return;
    counts.replies += 1;
    counts.witnesses += Number(reply.isWitness);
    this.#check(proven, reply, response);
  }

  #check({ older, newer }: ProvenOperation, reply: ReplyCase, response: ProofResponse): void {
    const { status, cause } = response;
    const { findings } = this.#context;
    const pointer = older.responses.for(status)?.pointer ?? older.pointer;
    const value = reply.value ?? { status: reply.status };
    const isOwnError = reply.status >= 500 && !(cause instanceof InvalidReply);
    if (!isOwnError && isFailed(response)) {
      // The body of an error is not converted: the older contract alone may not have room for it.
      if (reply.reply instanceof Problem) return;
      findings.fail(older, 'reply', { message: failureOf(response), value, pointer });
    } else if (older.responses.for(status) === undefined) {
      if (status >= 400 && !this.#isConvertible(reply.status, { older, newer })) return;
      const message = `it has the status ${status}, which the version does not declare`;
      findings.fail(older, 'reply', { message, value, pointer });
    }
  }

  /** True if a converter can map the status to one of the older contract. */
  #isConvertible(
    status: number,
    { older, newer }: Pick<ProvenOperation, 'older' | 'newer'>,
  ): boolean {
    if (OF_ENGINE.has(status)) return false;
    if (newer === undefined) return hasErrors(older);
    return this.#statuses.get(status)?.operations.includes(older.operationId) ?? false;
  }
}

/** The engine of the older version has these of its own, before a converter is called. */
const OF_ENGINE = new Set([400, 401, 403, 405, 406, 413, 415, 429, 500, 503]);

function hasErrors({ responses }: Operation): boolean {
  return [...responses.keys()].some((key) => /^[45]/.test(key));
}
