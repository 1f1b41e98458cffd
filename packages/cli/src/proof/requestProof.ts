// Sends generated requests of the older contract; replies return what they sent, if they can.
import { type Operation, Problem } from '@stubwright/contract';
import { credentialsFor } from '@stubwright/contract/values';
import type { SentRequest } from '@stubwright/traffic';
import type { HandlerReply } from 'stubwright/internals';
import { Echo } from './echo.ts';
import { failureOf, isFailed, type ProofContext, type ProvenOperation } from './proofContext.ts';
import type { ProofResponse } from './proofService.ts';
import { exampleText, type RequestCase, RequestCases } from './requestCases.ts';
import { lossMessage } from './roundTrips.ts';

/** What the requests of an operation show. */
export interface SentRequests {
  /** The first one, with the required parts alone; undefined if none can be generated. */
  readonly first: SentRequest | undefined;
  /** The operations of the newer contract that they called. */
  readonly called: ReadonlySet<string>;
}

interface Replied {
  /** True if it returns properties of the request. */
  isEcho: boolean;
  isMissing: boolean;
}

export class RequestProof {
  readonly #context: ProofContext;
  readonly #requests: RequestCases;
  readonly #echo: Echo;

  constructor(context: ProofContext) {
    const { pair, values } = context;
    this.#context = context;
    this.#requests = new RequestCases(pair, values);
    this.#echo = new Echo(pair.older, pair.newer);
  }

  async prove(proven: ProvenOperation): Promise<SentRequests> {
    const { older, newer } = proven;
    const { pair, counts, findings } = this.#context;
    const credentials = (newer === undefined ? pair.newer.operations : [newer]).flatMap((each) =>
      credentialsFor(each, pair.newer, 'TOKEN'),
    );
    const called = new Set<string>();
    let first: SentRequest | undefined;
    let isAccepted = false;
    for (const each of this.#requests.of(older, newer)) {
      const sent = await this.#requests.written(older, each, credentials);
      if (sent === undefined) continue;
      first ??= sent;
      counts.requests += 1;
      counts.witnesses += Number(each.isWitness);
      const response = await this.#send(proven, each, sent);
      for (const id of response.called) called.add(id);
      isAccepted ||= response.called.length > 0 || response.status < 400;
    }
    if (first === undefined) {
      findings.fail(older, 'request', { message: 'no request can be generated' });
    } else if (!isAccepted && newer !== undefined) {
      findings.fail(older, 'request', { message: 'no generated request is accepted' });
    }
    return { first, called };
  }

  async #send(
    proven: ProvenOperation,
    { value, pointer, given }: RequestCase,
    sent: SentRequest,
  ): Promise<ProofResponse> {
    const { older, newer } = proven;
    const { service, findings } = this.#context;
    const replied: Replied = { isEcho: false, isMissing: false };
    const response = await service.send(sent, (id, { body }) =>
      this.#reply(newer, { id, body, replied }),
    );
    const { status, called } = response;
    const isHandled = called.length > 0 && newer !== undefined;
    if (isFailed(response)) {
      // The proof of replies reports the usual reply.
      if (replied.isMissing || (isHandled && !replied.isEcho)) return response;
      const message = failureOf(response);
      findings.fail(older, isHandled ? 'reply' : 'request', { message, value, pointer });
    } else if (called.length === 0 && status >= 400 && !older.responses.for(status)) {
      const message = `it is refused with ${status}, which the version does not declare`;
      findings.fail(older, 'request', { message, value, pointer });
    } else if (replied.isEcho && status < 400 && given.body !== undefined) {
      this.#compare(proven, { value: given.body.value, pointer }, response);
    }
    return response;
  }

  #reply(
    newer: Operation | undefined,
    { id, body, replied }: { readonly id: string; readonly body: unknown; replied: Replied },
  ): HandlerReply | Problem {
    const usual = this.#context.usual.get(id);
    replied.isMissing ||= usual === undefined;
    if (usual === undefined) return new Problem(500, 'no reply can be generated');
    const isOwn = newer?.operationId === id;
    const echo = isOwn ? this.#echo.reply(newer, usual, body) : undefined;
    replied.isEcho = echo !== undefined;
    return echo ?? usual;
  }

  #compare(
    { older, owners }: ProvenOperation,
    { value, pointer }: Pick<RequestCase, 'value' | 'pointer'>,
    { status, body }: ProofResponse,
  ): void {
    const { losses, findings, counts } = this.#context;
    counts.roundTrips += 1;
    for (const lost of this.#echo.losses(older, status, value, body)) {
      if (losses.isDeclared(lost, owners)) continue;
      const { operationId } = older;
      findings.add({
        ...{ rule: 'proof-round-trip', operationId, direction: null, converter: null, pointer },
        ...{ message: lossMessage(lost.pointer), example: exampleText(value) },
      });
    }
  }
}
