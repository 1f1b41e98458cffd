// Requests to the plant store: each response is checked against openapi.yaml.
import { declaredIn } from '../../packages/stubwright/test/support/declared.ts';
import { checkedClient } from '../../packages/stubwright/test/support/http.ts';
import { recordObserved, WITHOUT_BODY } from './observed.ts';

const check = declaredIn('openapi.yaml', (operationId, status, type = WITHOUT_BODY) =>
  recordObserved(`${operationId} ${status} ${type}`),
);

export const { call, exchangeBytes } = checkedClient(check, '/plants');
