// Contracts as YAML; a contract with one path, and the rules of its changes.
import { parseText } from '@stubwright/cli/editor';
import { Contract, type Node } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';

/** @returns an object, or a boolean for a schema */
export function nodeOf(yaml: string): Node {
  const { value } = parseText(yaml, false) as { value: Node };
  return value;
}

/** @returns a contract as `changesBetween` takes it */
export function contractOfText(yaml: string): { readonly definition: Contract } {
  return { definition: new Contract(nodeOf(yaml)) };
}

/** Of an operation without a body. */
export const RESPONSES = { 204: { description: 'done' } };

/** @param item the path item of `/toys` */
export function toyContract(item: object): { readonly definition: Contract } {
  const info = { title: 'Toys', version: '1.0.0' };
  return { definition: new Contract({ openapi: '3.2.0', info, paths: { '/toys': item } }) };
}

/** @returns the rule of each change between two path items */
export function rulesOf(before: object, after: object): string[] {
  return changesBetween(toyContract(before), toyContract(after)).map(({ rule }) => rule);
}
