// The files of a contract, and values in them.
import type { Positions, Ranges } from './position.ts';

/** A file of a contract that is read and parsed. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly value: unknown;
  readonly positions: Positions;
  /** Of the value with its overlays; undefined without overlays. */
  readonly ranges?: Ranges | undefined;
  /** True if the value has parts that the text has not. */
  readonly isChanged?: boolean;
}

/** A value in a file. */
export interface Target {
  readonly file: SourceFile;
  readonly pointer: string;
  readonly node: unknown;
}

/** Why a reference has no target. */
export interface Unresolved {
  readonly reason: string;
  /** What unresolved references at several locations have in common. */
  readonly cause?: string | undefined;
  /** True if the file has errors of its own, which are reported. */
  readonly isReported?: boolean;
}
