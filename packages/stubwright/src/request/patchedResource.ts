// The resource that the body of a request patches, for `applyPatch`.
import { type Content, parseMediaType, type Schema } from '@stubwright/contract';
import type { Coercion, Coercions, Validators } from '@stubwright/contract/values';

export type PatchKind = 'merge' | 'operations';

/** What a patch is about. */
export interface PatchedResource {
  readonly kind: PatchKind;
  readonly schema: Schema;
  /** For requests. */
  readonly validators: Validators;
  /** For requests. */
  readonly coercions: Coercions;
}

const KINDS: ReadonlyMap<string | undefined, PatchKind> = new Map([
  ['application/merge-patch+json', 'merge'],
  ['application/json-patch+json', 'operations'],
]);

const resources = new WeakMap<object, PatchedResource>();

/** @returns undefined for a value that is no body of a content with `x-patch-of` */
export function patchedResource(patch: object): PatchedResource | undefined {
  return resources.get(patch);
}

/**
 * @param key of the content
 * @param coercion of the content, if it has one
 * @returns the coercion, which also remembers the resource of a patch; `coercion` for other contents
 */
export function rememberingCoercion(
  { patchOf: schema }: Content,
  key: string,
  coercion: Coercion | undefined,
  own: Pick<PatchedResource, 'validators' | 'coercions'>,
): Coercion | undefined {
  const kind = schema && KINDS.get(parseMediaType(key)?.type);
  if (kind === undefined || schema === undefined) return coercion;
  const resource = { ...own, kind, schema };
  return (value) => {
    const coerced = coercion === undefined ? value : coercion(value);
    if (typeof coerced === 'object' && coerced !== null) resources.set(coerced, resource);
    return coerced;
  };
}
