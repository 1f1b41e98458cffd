// Compares the responses that a contract declares with those that tests observed.

import type { Contract } from '@stubwright/contract';
import { type Located, textOf } from '@stubwright/contract';
import { type Exemption, isExempt } from './exemptions.ts';
import { responseName } from './observed.ts';

export interface DeclaredResponse {
  /** `getToy 200 application/json`. */
  readonly name: string;
  /** `shared`: observed of another operation, which declares the same response by `$ref`. */
  readonly state: 'observed' | 'shared' | 'exempt' | 'missing';
  /** Of an exempt response; of a shared one, the response that was observed. */
  readonly reason?: string;
  readonly pointer: string;
}

export interface Coverage {
  readonly responses: readonly DeclaredResponse[];
  /** Exemptions whose responses were all observed, or are not declared. */
  readonly unneeded: readonly Located[];
}

/** A response that operations share by `$ref` is required of one of them. */
export function coverageOf(
  definition: Contract,
  observed: ReadonlySet<string>,
  exemptions: readonly Exemption[],
  isImplemented: (operationId: string) => boolean = () => true,
): Coverage {
  const declared = declaredResponses(definition, isImplemented);
  const seen = declared.filter(({ name }) => observed.has(name));
  const byKey = new Map(seen.map(({ key, name }) => [key, name]));
  const needed = new Set<Exemption>();
  const responses = declared.map(({ name, key, pointer }): DeclaredResponse => {
    if (observed.has(name)) return { name, state: 'observed', pointer };
    const other = byKey.get(key);
    if (other !== undefined) return { name, state: 'shared', reason: other, pointer };
    const exemption = exemptions.find((each) => isExempt(name, each));
    if (exemption === undefined) return { name, state: 'missing', pointer };
    needed.add(exemption);
    return { name, state: 'exempt', reason: exemption.reason, pointer };
  });
  const unneeded = exemptions
    .filter((each) => !needed.has(each))
    .map((each): Located => {
      const isDeclared = declared.some(({ name }) => isExempt(name, each));
      const why = isDeclared ? 'was observed' : 'is not a declared response';
      const message = `${each.name} ${why}  expected no exemption`;
      return { position: each.position, message };
    });
  return { responses, unneeded };
}

interface Declared {
  readonly name: string;
  readonly pointer: string;
  readonly key: string;
}

const MARKS: Record<DeclaredResponse['state'], string> = {
  observed: 'yes   ',
  shared: 'shared',
  exempt: 'exempt',
  missing: 'NO    ',
};

export function coverageTable({ responses, unneeded }: Coverage): string {
  const rows = responses.map(({ state, name, reason }) => {
    return `  ${MARKS[state]}  ${name}${reason === undefined ? '' : `: ${reason}`}`;
  });
  const warnings = unneeded.map((each) => `  warning: ${textOf(each)}`);
  return ['', 'Declared responses, observed by the tests:', ...rows, ...warnings, ''].join('\n');
}

function declaredResponses(
  { operations }: Contract,
  isImplemented: (operationId: string) => boolean,
): Declared[] {
  return operations
    .filter(({ operationId }) => isImplemented(operationId))
    .flatMap(({ operationId, responses }) =>
      [...responses].flatMap(([status, { contents, pointer }]) => {
        const types = contents.keys;
        return (types.length === 0 ? [undefined] : types).map((type) => {
          return {
            name: responseName(operationId, status, type),
            pointer,
            key: `${pointer} ${type}`,
          };
        });
      }),
    );
}
