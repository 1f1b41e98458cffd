// The changes as data: one finding for each operation that a change affects.
import type { Contract, Operation, Position } from '@stubwright/contract';
import { type Change, type ChangeExample, type ChangeTraffic, partOf } from '../rules/rules.ts';
import type { Severity } from '../rules/severity.ts';
import type { LocationsOfBoth } from './report.ts';

/** A location of one of the contracts; without file, line and column for a document in memory. */
export interface FindingLocation extends Partial<Position> {
  /** JSON pointer into the contract in one piece. */
  readonly pointer: string;
}

/** What a change means for the clients of one operation. */
export interface ChangeFinding {
  /** The stable id of the rule. */
  readonly rule: string;
  readonly severity: Severity;
  /** `POST /toys`; null for the whole contract. */
  readonly operation: string | null;
  readonly operationId: string | null;
  /** As in requests: `GET`; null for the whole contract and for webhooks. */
  readonly method: string | null;
  readonly path: string | null;
  /** The message that has the changed part; null for an operation and for the whole contract. */
  readonly direction: 'request' | 'response' | null;
  /** The part of the operation: `request body /tag`; `''` for all of it. */
  readonly location: string;
  /** The change and its effect. */
  readonly message: string;
  readonly before: FindingLocation;
  readonly after: FindingLocation;
  /** A value that proves the change breaking, or null. */
  readonly example: ChangeExample | null;
  /** Whom recorded requests show it to break; absent without a recording. */
  readonly traffic?: ChangeTraffic;
}

/** The JSON of `stubwright diff`. */
export interface DiffReport {
  readonly severity: Severity | 'none';
  /** The most severe first. */
  readonly changes: readonly ChangeFinding[];
}

/** Both contracts. */
export interface ComparedContracts {
  readonly before: Contract;
  readonly after: Contract;
}

/** @returns the findings in the order of the changes */
export function findingsOf(
  changes: readonly Change[],
  locations: LocationsOfBoth,
  { before, after }: ComparedContracts,
): ChangeFinding[] {
  const operations = new Map<string, Operation>();
  const declared = [after, before].flatMap((contract) => [
    ...contract.operations,
    ...contract.unservedOperations,
  ]);
  for (const each of declared) {
    operations.set(`${each.requestMethod} ${each.path}`, each);
  }
  return changes.flatMap((change) => {
    const { rule, severity, part, what, effect, traffic, example = null } = change;
    const shared = {
      message: `${what}: ${effect}`,
      before: { ...locations.before.position(change.before), pointer: change.before },
      after: { ...locations.after.position(change.after), pointer: change.after },
      ...{ example, ...(traffic && { traffic }) },
    };
    const named = change.operations.length === 0 ? [null] : change.operations;
    return named.map((operation) => {
      const location = operation === null ? part : partOf(change, operation);
      const [method = null, path = null] = /^(\S+) (\/.*)$/s.exec(operation ?? '')?.slice(1) ?? [];
      const id = operations.get(operation ?? '')?.field('operationId');
      const operationId = typeof id === 'string' ? id : null;
      const direction = directionOf(location);
      return {
        ...{ rule, severity, operation, operationId, method, path, direction, location },
        ...shared,
      };
    });
  });
}

const PARTS = {
  request:
    /^(?:callback .* )?(?:request body|(?:path|query|header|cookie|querystring) parameter)\b/,
  response: /^(?:callback .* )?response\b/,
};

function directionOf(location: string): 'request' | 'response' | null {
  if (PARTS.request.test(location)) return 'request';
  return PARTS.response.test(location) ? 'response' : null;
}
