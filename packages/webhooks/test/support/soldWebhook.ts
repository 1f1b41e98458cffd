// A contract with one webhook, whose body is any text.

import { Contract, type LoadedContract } from '@stubwright/contract';

export const SOLD_CONTRACT: LoadedContract = {
  definition: new Contract({
    ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1' } },
    webhooks: {
      sold: { post: { requestBody: { content: { 'application/json': { schema: {} } } } } },
    },
  }),
  ...{ warnings: [], files: [] },
  publish: () => Promise.resolve({ text: '', servers: [0, 0] as const }),
};

export interface SoldHooks {
  sold: { post: { requestBody: { content: { 'application/json': string } }; responses: object } };
}

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
