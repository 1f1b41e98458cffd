// Writes what every object and schema of contracts declares, as text: `make transcripts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { Contract, isObject, Schema } from '@stubwright/contract';
import { RICH } from '@stubwright/test-support/richContracts';
import { parse } from 'yaml';
import { ContractObject } from '../src/operations/contractObject.ts';

export const DECLARED_FACTS = 'packages/contract/test/declaredFacts.txt';

const FILES = ['packages/cli/test/types/contract.yaml', 'packages/cli/test/types/openapi32.yaml'];

export const DOCUMENTS: readonly object[] = [
  ...Object.values(RICH),
  ...FILES.map((file) => parse(readFileSync(file, 'utf8'), { intAsBigInt: true })),
];

/** @returns each object that operations and webhooks lead to, with the values of its getters */
export function declaredFacts(): string {
  return DOCUMENTS.map((document) => {
    const contract = new Contract(document);
    return `openapi ${contract.openapi}\n${factsOf(contract).text}\n`;
  }).join('\n');
}

/** @returns the objects and schemas of a contract, and their lines */
export function factsOf(contract: Contract): {
  readonly objects: ReadonlySet<object>;
  readonly text: string;
} {
  const objects = new Set<object>(contract.operations);
  const lines = [lineOf(contract, objects)];
  for (const each of objects) lines.push(lineOf(each, objects));
  return { objects, text: lines.join('\n') };
}

/** Not shown: most facts are absent. */
const NOTHING: readonly (string | undefined)[] = [undefined, 'false', '[]', '{}'];

/** Adds the objects that the getters return to those that are found. */
function lineOf(object: object, found: Set<object>): string {
  const facts = Object.entries(gettersOf(object)).flatMap(([name, value]) => {
    const text = shown(value, found);
    return NOTHING.includes(text) ? [] : [`${name}: ${text}`];
  });
  return [titleOf(object), ...facts].join('  ');
}

function titleOf(object: object): string {
  return `${object.constructor.name} ${'pointer' in object ? object.pointer : ''}`;
}

/** The document itself with its identifiers, and what leads to all schemas. */
const OMITTED = [
  ...['document', 'identifiers', 'node', 'model', 'contract', 'pointer', 'written', 'inner'],
];

function gettersOf(object: object): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (let at = object; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (OMITTED.includes(name) || typeof value === 'function' || name in values) continue;
      values[name] = get === undefined ? value : get.call(object);
    }
  }
  return values;
}

function shown(value: unknown, found: Set<object>): string | undefined {
  if (value === undefined || typeof value === 'function') return undefined;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof ContractObject || value instanceof Schema) {
    found.add(value);
    return titleOf(value);
  }
  const isList = Array.isArray(value) || value instanceof Set;
  if (isList) return `[${[...value].map((each) => shown(each, found)).join(', ')}]`;
  const entries = isMap(value) ? [...value] : Object.entries(gettersOf(value));
  // Contents and responses.
  if ('values' in value && typeof value.values === 'function' && !isMap(value)) {
    entries.push(['values', [...value.values()]]);
  }
  const parts = entries.flatMap(([name, each]) => {
    const text = shown(each, found);
    return text === undefined ? [] : [`${name}: ${text}`];
  });
  return isObject(value) ? `{${parts.join(', ')}}` : String(value);
}

/** Not for a class that extends Map. */
function isMap(value: object): value is ReadonlyMap<string, unknown> {
  return Object.getPrototypeOf(value) === Map.prototype;
}

if (import.meta.main) writeFileSync(DECLARED_FACTS, declaredFacts());
