// The servers of a contract, of a path item or of an operation.
import type { ContractDocument } from '../document/contractDocument.ts';
import { isObject, type LocatedNode } from '../document/node.ts';
import { ContractObject, objectAt } from './contractObject.ts';

/** A Server Object. */
export class Server extends ContractObject {
  /** As written, with variables; undefined for the URL of the document. */
  get url(): string | undefined {
    const { url } = this.node;
    return typeof url === 'string' ? url : undefined;
  }

  /** The defaults of the variables by name. */
  get defaults(): ReadonlyMap<string, string> {
    const variables = Object.entries<{ readonly default?: unknown }>(this.node['variables'] ?? {});
    return new Map(variables.map(([name, each]) => [name, String(each.default)]));
  }
}

/** @returns the servers in the field of an object; undefined if it has none */
export function serversOf(
  contract: ContractDocument,
  { pointer, node }: LocatedNode,
): readonly Server[] | undefined {
  const { servers } = node;
  if (!Array.isArray(servers)) return undefined;
  return servers.flatMap((each, at) =>
    isObject(each)
      ? [objectAt(contract, Server, { pointer: `${pointer}/servers/${at}`, node: each })]
      : [],
  );
}
