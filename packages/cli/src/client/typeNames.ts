// Names the types of a generated client: those of components, requests and replies.
import { componentTypeNames } from '../types/schemaNames.ts';
import {
  type ClientOperation,
  EXPORTED,
  PACKAGE_NAMES,
  PART_HEADERS,
  type TypeNames,
} from './declarations.ts';

/**
 * The exports of each package come first, then the components whose name is an identifier, then other
 * components, then requests and replies. What comes later has `_` after a name that is taken.
 */
export function typeNames(
  components: readonly string[],
  operations: readonly Pick<ClientOperation, 'name'>[],
): TypeNames {
  const reserved = [...EXPORTED, PART_HEADERS, ...PACKAGE_NAMES];
  const named = componentTypeNames(components, reserved);
  const taken = new Set([...reserved, ...named.values()]);
  const freeName = (wanted: string) => {
    let name = wanted;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  };
  const messages = operations.map(({ name }) => {
    const start = name[0]!.toUpperCase() + name.slice(1);
    const names = { request: freeName(`${start}Request`), reply: freeName(`${start}Reply`) };
    return [name, names] as const;
  });
  return { components: named, messages: new Map(messages) };
}
