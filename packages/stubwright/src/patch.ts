// Patches of resources (RFC 6902, RFC 7396), for handlers.

import { escapeToken, isObject, patchedInvalid, valueKey } from '@stubwright/contract';
import { copyOfJson, jsonPatch, mergePatch } from '@stubwright/contract/patch';
import {
  Coercions,
  declaredPart,
  removedFrom,
  Validators,
  type Violation,
  violationsOf,
} from '@stubwright/contract/values';
import {
  type PatchedResource,
  patchedResource,
  problemViolations,
  violationProblem,
  violationsText,
} from './request/body/body.ts';

export { jsonPatch, mergePatch } from '@stubwright/contract/patch';

interface ReadOnlyValue {
  readonly pointer: string;
  /** The pointer with `*` for the positions in arrays: a patch may move an item. */
  readonly place: string;
  readonly value: unknown;
}

/** @returns a violation for each readOnly property that the patch adds, removes or changes */
function changedReadOnly(
  current: unknown,
  patched: unknown,
  resource: PatchedResource,
): Violation[] {
  const before = readOnlyValues(current, resource);
  const after = readOnlyValues(patched, resource);
  const known = new Set(before.map(keyOf));
  const kept = new Set(after.map(({ place }) => place));
  const changed = after.filter((readOnlyValue) => !known.has(keyOf(readOnlyValue)));
  // An item of an array may be removed with its readOnly properties.
  const removed = before.filter(({ place, pointer }) => place === pointer && !kept.has(place));
  return [...changed, ...removed].map(({ pointer, value }) => ({
    ...{ where: '', pointer, value, keyword: 'readOnly' },
    message: 'expected the current value: it is readOnly',
  }));
}

function keyOf({ place, value }: ReadOnlyValue): string {
  return `${place} ${valueKey(value)}`;
}

/** The coercion of requests removes them. */
function readOnlyValues(value: unknown, { schema, coercions }: PatchedResource): ReadOnlyValue[] {
  const coercion = coercions.at(schema.pointer);
  if (coercion === undefined) return [];
  const whole = copyOfJson(value, () => {});
  const found: ReadOnlyValue[] = [];
  collect(whole, coercion(copyOfJson(whole, () => {})), { pointer: '', place: '' }, found);
  return found;
}

function collect(
  whole: unknown,
  without: unknown,
  at: Pick<ReadOnlyValue, 'pointer' | 'place'>,
  found: ReadOnlyValue[],
): void {
  if (typeof whole !== 'object' || whole === null) return;
  const isArray = Array.isArray(whole);
  for (const name of Object.keys(whole)) {
    const token = escapeToken(name);
    const inner = {
      pointer: `${at.pointer}/${token}`,
      place: `${at.place}/${isArray ? '*' : token}`,
    };
    const value = (whole as Record<string, unknown>)[name];
    if (!Object.hasOwn(without as object, name)) found.push({ ...inner, value });
    else collect(value, (without as Record<string, unknown>)[name], inner, found);
  }
}

/** @param change receives each value that is no object or array, and whether it is at or below one of `pointers` */
function mapLeaves(
  value: unknown,
  pointers: ReadonlySet<string>,
  change: (leaf: unknown, isBelow: boolean, pointer: string) => unknown,
  { pointer, isBelow }: { pointer: string; isBelow: boolean } = { pointer: '', isBelow: false },
): unknown {
  if (typeof value !== 'object' || value === null) return change(value, isBelow, pointer);
  const entries = Object.entries(value).map(([name, inner]) => {
    const at = `${pointer}/${escapeToken(name)}`;
    const below = { pointer: at, isBelow: isBelow || pointers.has(at) };
    return [name, mapLeaves(inner, pointers, change, below)] as const;
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Operations that could show a value which responses do not have, such as a `writeOnly` property. */
const SHOWING = new Set<unknown>(['copy', 'move']);

/** @returns the patched copy, and a function that returns a violation for each hidden value that it shows */
function patchedByOperations(
  current: unknown,
  patch: unknown,
  { schema }: PatchedResource,
  validators: Validators,
) {
  const shows = Array.isArray(patch) && patch.some((op) => isObject(op) && SHOWING.has(op['op']));
  if (!shows) return { patched: jsonPatch(current, patch), shown: () => [] };
  const declaredIn = declaredPart(validators, schema);
  const hiddenIn = (value: unknown) =>
    new Set([...removedFrom(value, declaredIn(value))].map(({ pointer }) => pointer));
  const whole = copyOfJson(current, () => {});
  // A function stands for a hidden value: no operation changes it.
  const marked = mapLeaves(whole, hiddenIn(whole), (leaf, isHidden) =>
    isHidden ? () => leaf : leaf,
  );
  const result = jsonPatch(marked, patch);
  const patched = mapLeaves(result, new Set(), (leaf) =>
    typeof leaf === 'function' ? leaf() : leaf,
  );
  const shown = () => {
    const violations: Violation[] = [];
    const message = 'expected no value that responses do not have';
    mapLeaves(result, hiddenIn(patched), (leaf, isHidden, pointer) => {
      if (typeof leaf !== 'function' || isHidden) return;
      violations.push({ where: '', pointer, message, value: undefined, keyword: 'writeOnly' });
    });
    return violations;
  };
  return { patched, shown };
}

/**
 * Applies the body of a request to a resource. The content of the body declares the schema of the resource
 * with `x-patch-of`. An int64 of the result is a bigint.
 *
 * @param current the whole resource, which is not changed
 * @param patch the body of the request
 * @returns the patched copy, which is valid
 * @throws {Problem} 40902 for a `test` that is false; 42201 for an operation that cannot be applied; 42202
 *   for a result that violates the schema, that changes a `readOnly` property, or that shows a value which
 *   responses do not have; 40000 for a malformed patch
 * @throws {TypeError} for a patch that is no body of a content with `x-patch-of`
 * @example
 * const toy = await tx.find(id);
 * await tx.store(applyPatch(toy, request.body));
 */
export function applyPatch<Resource extends object>(current: Resource, patch: unknown): Resource {
  if (typeof patch !== 'object' || patch === null) throw notAnObject(patch);
  const resource = patchedResource(patch);
  if (resource === undefined) {
    throw new TypeError('applyPatch: expected the body of a request whose content has x-patch-of');
  }
  if (resource.kind === 'merge' && Array.isArray(patch)) throw notAnObject(patch);
  const { validators, coercions } = responseSide(resource);
  const { patched, shown } =
    resource.kind === 'merge'
      ? { patched: mergePatch(current, patch), shown: () => [] }
      : patchedByOperations(current, patch, resource, validators);
  const { pointer } = resource.schema;
  checkResult(patched, pointer, resource, validators);
  const violations = [...changedReadOnly(current, patched, resource), ...shown()];
  if (violations.length > 0) throw invalid(violations);
  const coercion = coercions.at(pointer);
  return (coercion === undefined ? patched : coercion(patched)) as Resource;
}

function notAnObject(value: unknown): Error {
  const message = 'expected an object';
  return violationProblem([{ where: '', pointer: '', message, value, keyword: 'type' }]);
}

interface ResponseSide {
  readonly validators: Validators;
  readonly coercions: Coercions;
}

/** By those of requests: they are of one contract. */
const responseSides = new WeakMap<Validators, ResponseSide>();

/** A resource has `readOnly` properties, as a response has. */
function responseSide({ validators: ofRequests, schema }: PatchedResource): ResponseSide {
  const known = responseSides.get(ofRequests);
  if (known !== undefined) return known;
  const validators = new Validators(schema.model.definition, 'response');
  const side = { validators, coercions: new Coercions(validators) };
  responseSides.set(ofRequests, side);
  return side;
}

/** @throws {Problem} 42202 */
function checkResult(
  patched: unknown,
  pointer: string,
  { validators: ofRequests }: PatchedResource,
  ofResponses: Validators,
): void {
  const validate = ofResponses.at(pointer);
  if (!validate(patched)) throw invalid(violationsOf(validate.errorsOf(patched), ''));
  // A response may have any value in a `writeOnly` property, and the stored resource need not have it.
  const validateHidden = ofRequests.at(pointer);
  if (validateHidden(patched)) return;
  const violations = violationsOf(validateHidden.errorsOf(patched), '');
  const wrong = violations.filter(({ keyword }) => keyword !== 'required');
  if (wrong.length > 0) throw invalid(wrong);
}

function invalid(violations: readonly Violation[]): Error {
  return patchedInvalid(violationsText(violations), problemViolations(violations));
}
