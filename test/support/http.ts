// Requests to the plant store: each response is checked against openapi.yaml.

import { recordObserved } from '@stubwright/cli/coverage';
import { declaredIn } from '@stubwright/test-support/declared';
import { checkedClient } from '@stubwright/test-support/http';

const check = declaredIn('openapi.yaml', recordObserved);

export const { call, exchangeBytes } = checkedClient(check, '/plants');
