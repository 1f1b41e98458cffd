// Compares the responses that a contract declares with those that tests observed.
import type { Definition } from 'stubwright/internal/document/definition';
import { type Exemption, isExempt } from './exemptions.ts';
import { responseName } from './observed.ts';

export interface DeclaredResponse {
  /** `getToy 200 application/json`. */
  readonly name: string;
  readonly state: 'observed' | 'exempt' | 'missing';
  /** Of an exempt response. */
  readonly reason?: string;
}

export interface Coverage {
  readonly responses: readonly DeclaredResponse[];
  /** `file:line:column  …` of exemptions whose responses were all observed, or are not declared. */
  readonly unneeded: readonly string[];
}

/**
 * A response that operations share by `$ref` is observed if one of them returned it.
 *
 * @param observed names of responses
 * @param isImplemented selects operations by operationId; the others are not compared
 */
export function coverageOf(
  definition: Definition,
  observed: ReadonlySet<string>,
  exemptions: readonly Exemption[],
  isImplemented: (operationId: string) => boolean = () => true,
): Coverage {
  const declared = declaredResponses(definition, isImplemented);
  const seen = new Set(declared.filter(({ name }) => observed.has(name)).map(({ key }) => key));
  const needed = new Set<Exemption>();
  const responses = declared.map(({ name, key }): DeclaredResponse => {
    if (seen.has(key)) return { name, state: 'observed' };
    const exemption = exemptions.find((each) => isExempt(name, each));
    if (exemption === undefined) return { name, state: 'missing' };
    needed.add(exemption);
    return { name, state: 'exempt', reason: exemption.reason };
  });
  const unneeded = exemptions
    .filter((each) => !needed.has(each))
    .map((each) => {
      const isDeclared = declared.some(({ name }) => isExempt(name, each));
      const why = isDeclared ? 'was observed' : 'is not a declared response';
      return `${each.location}  ${each.name} ${why}  expected no exemption`;
    });
  return { responses, unneeded };
}

interface Declared {
  readonly name: string;
  /** JSON pointer of the declaration, and the media type. */
  readonly key: string;
}

function declaredResponses(
  { operations }: Definition,
  isImplemented: (operationId: string) => boolean,
): Declared[] {
  return operations
    .filter(({ operationId }) => isImplemented(operationId))
    .flatMap(({ operationId, responses }) =>
      [...responses].flatMap(([status, { node, pointer }]) => {
        const types = Object.keys(node.content ?? {});
        return (types.length === 0 ? [undefined] : types).map((type) => {
          return { name: responseName(operationId, status, type), key: `${pointer} ${type}` };
        });
      }),
    );
}
