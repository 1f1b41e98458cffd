// Internal to the packages of stubwright, for replays and policies. Any release may change it.

export { inside } from './counterexample/spot.ts';
export { MINIMUM_NOTICE_DAYS } from './rules/sunset.ts';
