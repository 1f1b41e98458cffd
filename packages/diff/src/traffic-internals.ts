// For the packages of stubwright: a recorded request as a contract sees it. Any release may change it.

export { checkedRequest } from './traffic/checkedRequest.ts';
