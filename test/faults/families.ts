// All families of faults, in the order of the table.
import * as disk from './disk/faults.ts';
import * as failover from './failover.ts';
import type { Fault } from './fault.ts';
import * as pgBouncer from './pgBouncer.ts';
import * as postgres from './postgres.ts';
import * as processes from './processes.ts';
import * as standby from './standby.ts';

export interface Family {
  readonly faults: Readonly<Record<string, Fault>>;
  /** @returns the programs that are not installed */
  missingPrograms?(): string[];
}

export const families: readonly Family[] = [
  processes,
  disk,
  postgres,
  standby,
  pgBouncer,
  failover,
];
