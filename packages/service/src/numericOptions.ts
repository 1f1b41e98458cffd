// Validates the numbers of settings and bounds that a program passes: readSettings validates its own.
import {
  COUNT,
  expectNumbers,
  type NumericRange,
  POSITIVE,
  SECONDS,
  TIME_MS,
} from '@stubwright/contract';
import type { KeyTimes } from './operations/auth/jwt.ts';
import type { Limits } from './server/server.ts';
import type { Settings } from './settings.ts';

const PORT: NumericRange = { min: 0, max: 65_535 };
const SETTINGS = {
  ...{ port: PORT, bodyLimitBytes: COUNT, bodyMemoryBytes: COUNT },
  ...{ connectionLimit: POSITIVE, connectionLimitPerAddress: POSITIVE },
  ...{ handlerTimeoutSeconds: SECONDS, eventKeepAliveSeconds: SECONDS },
  shutdownGraceSeconds: SECONDS,
};
const RATE = { requests: POSITIVE, windowSeconds: { ...SECONDS, min: 0.001 } };

interface NumericOptions {
  readonly settings: Settings;
  readonly bounds?: Limits | undefined;
  readonly keyTimes?: KeyTimes | undefined;
}

/** @throws {RangeError | TypeError} for a number out of its range */
export function expectNumericOptions({
  settings,
  bounds = {} as Limits,
  keyTimes = {} as KeyTimes,
}: NumericOptions): void {
  const { admin, shedding, rateLimit, authFailureLimit } = settings;
  expectNumbers(settings, SETTINGS, 'settings.');
  expectNumbers(admin ?? {}, { port: PORT }, 'settings.admin.');
  expectNumbers(shedding, { queueLength: COUNT, lagMs: TIME_MS }, 'settings.shedding.');
  expectNumbers(rateLimit ?? {}, RATE, 'settings.rateLimit.');
  expectNumbers(authFailureLimit ?? {}, RATE, 'settings.authFailureLimit.');
  expectNumbers(bounds, rangesOf(bounds), 'bounds.');
  expectNumbers(keyTimes, rangesOf(keyTimes), 'keyTimes.');
}

function rangesOf(bounds: object): Record<string, NumericRange> {
  const names = Object.keys(bounds);
  return Object.fromEntries(names.map((name) => [name, TIME_MS]));
}
