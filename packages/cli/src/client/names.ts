// Names of functions and types of a generated client.

import type { Operation } from '@stubwright/contract';
import { componentTypeNames, freeName, identifierOf } from '../types/names.ts';
import {
  type ClientOperation,
  EXPORTED,
  HEAD,
  KEYED,
  PACKAGE_NAMES,
  PART_HEADERS,
  TYPES,
} from './declarations.ts';

/** Reserved in modules (ECMA-262, section 12.7.2), and the other names of a generated module. */
const TAKEN = [
  ...'arguments await break case catch class const continue debugger default delete do else enum'.split(
    ' ',
  ),
  ...'eval export extends false finally for function if implements import in instanceof'.split(' '),
  ...'interface let new null package private protected public return static super switch'.split(
    ' ',
  ),
  ...'this throw true try typeof undefined var void while with yield'.split(' '),
  ...'api bindOperations clientConnection conditional connect createClient either openConnection options String'.split(
    ' ',
  ),
  ...'operation operations sendForm sendJson sendJsonLines sendMultipart sendText'.split(' '),
  ...'receiveAny receiveBytes receiveEvents receiveForm receiveHeader receiveJson receiveJsonLines receiveText'.split(
    ' ',
  ),
  ...'paged withIdempotencyKey withReconnection toJson formText sendEvents then'.split(' '),
  ...[...EXPORTED, ...TYPES, HEAD, KEYED, PART_HEADERS, 'BasicCredential', 'Credential'],
  ...['AnyReply', 'esm', 'MethodsOf', 'OperationFunction', 'OperationMethod', 'functions'],
  ...['PagedFunction', 'PagedMethod', 'withConversions', 'selecting', 'isDateTime', 'isFullDate'],
  ...['dateAsDate', 'dateTimeAsDate', 'int64AsString', 'int64AsNumber', 'Date'],
];

/** @returns the name of the function of each operation: its operationId, if that is an identifier */
export function functionNames(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const taken = new Set(TAKEN);
  const isPlain = (id: string) => identifierOf(id) === id;
  const ids = operations.map(({ operationId }) => operationId);
  // An operationId that is an identifier keeps its name.
  const sorted = new Set([...ids.filter(isPlain), ...ids]);
  return new Map(Array.from(sorted, (id) => [id, freeName(identifierOf(id), taken)]));
}

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
