// Proves the converters between two versions: each value of both contracts passes through the engine of the older one.
import { escapeToken, type Operation } from '@stubwright/contract';
import { createMocks } from '@stubwright/mock';
import { operationPairs } from '@stubwright/versions';
import type { HandlerReply } from 'stubwright/internals';
import { ConverterUses } from './converterUses.ts';
import { FindingList } from './findingList.ts';
import { Losses } from './losses.ts';
import { observed } from './observedConverters.ts';
import type { ProofContext, ProvenOperation } from './proofContext.ts';
import { ProofService } from './proofService.ts';
import { ProofValues } from './proofValues.ts';
import { ReplyCases } from './replyCases.ts';
import { ReplyProof } from './replyProof.ts';
import { RequestProof } from './requestProof.ts';
import type { VersionProof } from './results.ts';
import { componentRoundTrips, componentsIn } from './roundTrips.ts';
import type { VersionPair } from './versionPair.ts';

/** @throws {ContractErrors} for converters that do not fit */
export async function provePair(pair: VersionPair): Promise<VersionProof> {
  const { version, older, newer } = pair;
  const values = new ProofValues(older, newer);
  const losses = new Losses(pair.converters);
  const uses = new ConverterUses(pair, values, losses);
  const converters = observed(pair.converters, uses.saw);
  const mocks = await createMocks(newer, values.validators('response'));
  const replies = new ReplyCases(pair, values, mocks);
  const context: ProofContext = {
    ...{ pair, values, losses, findings: new FindingList(pair) },
    service: await ProofService.open({ ...pair, converters }),
    usual: await usualReplies(newer.operations, replies),
    counts: { requests: 0, replies: 0, witnesses: 0, roundTrips: 0 },
  };
  const pairs = operationPairs(older, newer);
  const ofRequests = new RequestProof(context);
  const ofReplies = new ReplyProof(context, replies, pairs);
  for (const each of older.operations) {
    const proven = provenOperation(each, pairs.get(each.operationId));
    await ofReplies.prove(proven, await ofRequests.prove(proven));
  }
  proveRoundTrips(context);
  proveConverters(context, uses);
  return {
    ...{ version, next: newer.version ?? 'the current version', converters: uses.count },
    ...{ ...context.counts, findings: context.findings.all },
  };
}

async function usualReplies(
  operations: readonly Operation[],
  replies: ReplyCases,
): Promise<Map<string, HandlerReply>> {
  const usual = new Map<string, HandlerReply>();
  for (const each of operations) {
    const reply = await replies.usual(each);
    if (reply !== undefined) usual.set(each.operationId, reply);
  }
  return usual;
}

function provenOperation(older: Operation, newer: Operation | undefined): ProvenOperation {
  const schemas = [older, newer].flatMap((each) =>
    each === undefined ? [] : [...each.requestSchemas, ...each.responseSchemas],
  );
  const components = [...componentsIn(schemas)].map((name) => `schemas.${name}`);
  return { older, newer, owners: [`operations.${older.operationId}`, ...components] };
}

function proveRoundTrips({ pair, values, losses, findings, counts }: ProofContext): void {
  const { count, errors } = componentRoundTrips(pair, values, losses);
  counts.roundTrips += count;
  for (const { component, message, example } of errors) {
    findings.add({
      ...{ rule: 'proof-round-trip', operationId: null, direction: null, example, message },
      ...{
        converter: `schemas.${component}`,
        pointer: `/components/schemas/${escapeToken(component)}`,
      },
    });
  }
}

function proveConverters({ pair, losses, findings }: ProofContext, uses: ConverterUses): void {
  for (const { converter, message, example } of uses.errors) {
    const { group, member, name, path } = converter;
    const isOperation = group === 'operations';
    const older = pair.older.operations.find(({ operationId }) => operationId === name);
    findings.add({
      ...{ rule: 'proof-converter', message, example, converter: path },
      operationId: isOperation ? name : null,
      direction: member === 'toNew' || member === 'request' ? 'request' : 'reply',
      pointer: isOperation ? (older?.pointer ?? '') : `/components/schemas/${escapeToken(name)}`,
    });
  }
  for (const { converter, name } of losses.unused) {
    findings.add({
      ...{ rule: 'proof-converter', operationId: null, direction: null, converter, pointer: '' },
      ...{ message: `loses: ['${name}'] never happens, expected no such loss`, example: null },
    });
  }
}
