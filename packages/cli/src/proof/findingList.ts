// The findings of a proof, each once.
import type { Operation } from '@stubwright/contract';
import { exampleText } from './requestCases.ts';
import type { ProofFinding } from './results.ts';
import type { VersionPair } from './versionPair.ts';

/** Of one operation and direction; the others have the same causes. */
const MAX_PER_OPERATION = 3;

type UnlocatedFinding = Omit<ProofFinding, 'version' | 'position'> & {
  /** In the older contract. */
  readonly pointer: string;
};

interface Failure {
  readonly message: string;
  /** Without it, the finding has no example. */
  readonly value?: unknown;
  /** By default that of the operation. */
  readonly pointer?: string;
}

export class FindingList {
  readonly #pair: VersionPair;
  readonly #found = new Map<string, ProofFinding>();
  readonly #counts = new Map<string, number>();

  constructor(pair: VersionPair) {
    this.#pair = pair;
  }

  get all(): ProofFinding[] {
    return [...this.#found.values()];
  }

  fail(
    { operationId, pointer: ofOperation }: Operation,
    direction: 'request' | 'reply',
    { message, value, pointer = ofOperation }: Failure,
  ): void {
    const rule = `proof-${direction}` as const;
    const example = exampleText(value);
    this.add({ rule, operationId, direction, converter: null, message, example, pointer });
  }

  add({ pointer, ...finding }: UnlocatedFinding): void {
    const { operationId, direction, rule, converter, message } = finding;
    const group = `${operationId} ${direction} ${rule} ${converter}`;
    const key = `${group} ${message}`;
    const count = this.#counts.get(group) ?? 0;
    if (this.#found.has(key) || count >= MAX_PER_OPERATION) return;
    const { version, positionOf } = this.#pair;
    this.#counts.set(group, count + 1);
    this.#found.set(key, { ...finding, version, position: positionOf(pointer) });
  }
}
