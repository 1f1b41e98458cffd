// Requests to the plant store: each response is checked against openapi.yaml.

import { declaredIn } from '@stubwright/test-support/declared';
import { checkedClient } from '@stubwright/test-support/http';
import { recordObserved } from '../../packages/cli/src/coverage/coverage.ts';

const check = declaredIn('openapi.yaml', recordObserved);

export const { call, exchangeBytes } = checkedClient(check, '/plants');
