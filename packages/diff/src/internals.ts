// For the packages of stubwright: what a recording of requests and a replay read of the diff. Any release may change it.

export { inside, type Spot } from './counterexample/spot.ts';
export { type TriedValue, TriedValues } from './counterexample/triedValues.ts';
export { isAnnouncedRemoval, MINIMUM_NOTICE_DAYS } from './rules/sunset.ts';
export { implies } from './schema/implication.ts';
export { canonical } from './values/formatting.ts';
