// Compares the readOnly properties of a resource before and after a patch.
import { escapeToken, valueKey } from '@stubwright/contract';
import { copyOfJson } from '@stubwright/contract/patch';
import type { Violation } from '@stubwright/contract/values';
import type { PatchedResource } from '../request/patchedResource.ts';

interface ReadOnlyValue {
  readonly pointer: string;
  /** The pointer with `*` for the positions in arrays: a patch may move an item. */
  readonly place: string;
  readonly value: unknown;
}

/** @returns a violation for each readOnly property that the patch adds, removes or changes */
export function changedReadOnly(
  current: unknown,
  patched: unknown,
  resource: PatchedResource,
): Violation[] {
  const before = readOnlyValues(current, resource);
  const after = readOnlyValues(patched, resource);
  const known = new Set(before.map(keyOf));
  const kept = new Set(after.map(({ place }) => place));
  const changed = after.filter((each) => !known.has(keyOf(each)));
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
