// For the packages of stubwright: a recorded request as a contract sees it, and its callers. Any release may
// change it.

export {
  addCount,
  type CallerRequests,
  type Counts,
  callersText,
  mostFirst,
} from './traffic/callerCounts.ts';
export { checkedRequest } from './traffic/checkedRequest.ts';
