// Mocks compared with Prism. docs/stubwright/from-prism.md lists the differences with their reasons.
import { expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { parse } from 'yaml';
import { PRISM_CASES } from './support/prismCases.ts';

it.each(PRISM_CASES)(
  '%s is answered as by Prism, or with the listed difference',
  async (...row) => {
    const [, contract, { url = '/', ...init }, prism, [status, type, body] = prism] = row;
    const parts = contract.startsWith('{')
      ? parse(contract)
      : { paths: { '/': parse(`{${contract}}`) } };
    const publish = () => Promise.resolve({ text: '', servers: [0, 0] as const });
    const info = { title: 't', version: '1' };
    const definition = new Contract({ openapi: '3.0.3', info, ...parts });
    const loaded = { definition, warnings: [], files: [], publish };
    const served = await createApi<undefined, Request>({ contract: loaded, mock: 'all' });
    const response = await fetchHandler(served)(new Request(`http://localhost${url}`, init));
    expect(response.status).toBe(status);
    if (type !== undefined) expect(response.headers.get('content-type')?.split(';')[0]).toBe(type);
    if (body !== undefined) expect(await response.text()).toBe(body);
  },
);
