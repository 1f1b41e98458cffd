// All families of faults, in the order of the table.
import { existsSync } from 'node:fs';
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

const disk = new URL('disk/faults.ts', import.meta.url);
const ofTheDisk: Family[] = existsSync(disk) ? [await import(disk.href)] : [];

export const families: readonly Family[] = [
  processes,
  ...ofTheDisk,
  postgres,
  standby,
  pgBouncer,
  failover,
];
