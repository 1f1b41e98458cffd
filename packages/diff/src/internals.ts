// For the packages of stubwright: what a replay and a policy read of the diff. Any release may change it.

export { inside } from './counterexample/spot.ts';
export { MINIMUM_NOTICE_DAYS } from './rules/sunset.ts';
