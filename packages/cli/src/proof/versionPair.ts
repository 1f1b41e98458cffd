// A served version with the next newer one, and its converters.
import type { Contract, Position } from '@stubwright/contract';
import type { VersionConverters } from '@stubwright/versions';

export interface VersionPair {
  readonly version: string;
  readonly older: Contract;
  readonly newer: Contract;
  readonly converters: VersionConverters;
  /** @param pointer into the older contract */
  positionOf(pointer: string): Position | undefined;
}
