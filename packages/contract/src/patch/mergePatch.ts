// JSON Merge Patch (RFC 7396).
import { setOwn } from '../document/nameMap.ts';
import { isObject } from '../document/node.ts';
import { copyOfJson, type PatchedObject, PatchWork } from './patchWork.ts';

/**
 * @param nulls `remove` as in RFC 7396; `keep` for a body of another media type, where null is a value
 * @returns a copy of the target with the changes of the patch
 */
export function mergePatch(
  target: unknown,
  patch: unknown,
  nulls: 'remove' | 'keep' = 'remove',
  work = new PatchWork(),
): unknown {
  const spend = (units: number) => work.add(units);
  return merged(copyOfJson(target, spend), patch, nulls === 'remove', spend);
}

/** @param target is modified */
function merged(
  target: unknown,
  patch: unknown,
  removesNull: boolean,
  spend: (units: number) => void,
): unknown {
  if (!isObject(patch)) return copyOfJson(patch, spend);
  const result: PatchedObject = isObject(target) ? target : {};
  for (const name of Object.keys(patch)) {
    spend(name.length + 1);
    const value = patch[name];
    if (value === null && removesNull) delete result[name];
    else {
      const own = Object.hasOwn(result, name) ? result[name] : undefined;
      setOwn(result, name, merged(own, value, removesNull, spend));
    }
  }
  return result;
}
