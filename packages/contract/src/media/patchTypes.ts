// The types of patches, for the generated types.
import type { DefaultsMark } from './bodyTypes.ts';

/** An operation of a JSON Patch (RFC 6902, section 4). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** A JSON Patch (RFC 6902). */
export type JsonPatch = readonly JsonPatchOperation[];

/**
 * A JSON Merge Patch (RFC 7396) of a resource: each property may be absent, and null removes an optional
 * one. Arrays are replaced.
 */
export type MergePatch<Value> = unknown extends Value
  ? Value
  : Value extends readonly unknown[] | Blob
    ? Value
    : Value extends object
      ? {
          [Name in Exclude<keyof Value, DefaultsMark>]?: MergePatch<
            Exclude<Value[Name], null | undefined> | Removed<Value, Name>
          >;
        }
      : Value;

/** No patch sets null: it removes. */
type Removed<Value, Name extends keyof Value> =
  Record<never, never> extends Pick<Value, Name> ? null : never;
