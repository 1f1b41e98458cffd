// A contract with one webhook, whose body is any text.

import { loadedContract } from '@stubwright/test-support/loadedContract';

export const SOLD_CONTRACT = loadedContract({
  webhooks: {
    sold: { post: { requestBody: { content: { 'application/json': { schema: {} } } } } },
  },
});

export interface SoldHooks {
  sold: { post: { requestBody: { content: { 'application/json': string } }; responses: object } };
}

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
