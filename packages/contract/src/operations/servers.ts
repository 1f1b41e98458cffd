// The servers of a contract, of its path items and operations.
import type { ContractDocument } from '../document/contractDocument.ts';
import { isObject, type LocatedNode } from '../document/node.ts';
import { ContractObject } from './contractObject.ts';

/** A Server Variable Object. */
export interface ServerVariable {
  readonly default?: unknown;
  readonly enum?: unknown;
}

/** A Server Object. */
export class Server extends ContractObject {
  /** As the contract has it, with its variables in braces. */
  get url(): string {
    return String(this.node['url'] ?? '/');
  }

  get variables(): ReadonlyMap<string, ServerVariable> {
    return new Map(Object.entries(this.node['variables'] ?? {}));
  }

  /** The defaults of the variables by name. */
  get defaults(): ReadonlyMap<string, string> {
    return new Map(Array.from(this.variables, ([name, each]) => [name, String(each.default)]));
  }
}

/** The servers that one object declares. */
export interface ServerList {
  readonly servers: readonly Server[];
  /** False for the server of a contract without servers. */
  readonly isDeclared: boolean;
  /** JSON pointer of the list, or of the object without a list. */
  readonly pointer: string;
}

/** @returns the `servers` of the first object that has them; undefined for none */
export function serversAt(
  contract: ContractDocument,
  holders: readonly LocatedNode[],
): ServerList | undefined {
  for (const holder of holders) {
    const listed: unknown = holder.node['servers'];
    if (!Array.isArray(listed)) continue;
    const pointer = `${holder.pointer}/servers`;
    const servers = listed.flatMap((node, at) =>
      isObject(node) ? [new Server(contract, { pointer: `${pointer}/${at}`, node })] : [],
    );
    return { servers, pointer, isDeclared: true };
  }
  return undefined;
}

/** The server of a contract without `servers` (OpenAPI 3.1.1, section 4.8.1.1). */
export function defaultServer(contract: ContractDocument): ServerList {
  const server = new Server(contract, { pointer: '', node: { url: '/' } });
  return { servers: [server], pointer: '', isDeclared: false };
}
