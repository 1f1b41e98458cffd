// Requests to the plant store: each response is checked against openapi.yaml.
import { recordObserved } from '../../packages/cli/src/coverage/coverage.ts';
import { declaredIn } from '../../packages/stubwright/test/support/declared.ts';
import { checkedClient } from '../../packages/stubwright/test/support/http.ts';

const check = declaredIn('openapi.yaml', recordObserved);

export const { call, exchangeBytes } = checkedClient(check, '/plants');
