// Names the types of a generated client: those of components, requests and replies.
import { freeName } from '../types/identifier.ts';
import { componentTypeNames } from '../types/schemaNames.ts';
import { type ClientOperation, EXPORTED, PACKAGE_NAMES, PART_HEADERS } from './declarations.ts';

/**
 * The exports of each package and the functions come first, then the components whose name is an identifier, then other
 * components, then requests and replies. What comes later has `_` after a name that is taken.
 */
export function typeNames(
  components: readonly string[],
  operations: readonly Pick<ClientOperation, 'name'>[],
) {
  const functions = operations.map(({ name }) => name);
  const reserved = [...EXPORTED, PART_HEADERS, ...PACKAGE_NAMES, ...functions];
  const named = componentTypeNames(components, reserved);
  const taken = new Set([...reserved, ...named.values()]);
  const messages = operations.map(({ name }) => {
    const start = name[0]!.toUpperCase() + name.slice(1);
    const request = freeName(`${start}Request`, taken);
    return [name, { request, reply: freeName(`${start}Reply`, taken) }] as const;
  });
  return { components: named, messages: new Map(messages) };
}
