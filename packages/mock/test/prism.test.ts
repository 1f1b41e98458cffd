// Mocks compared with Prism. docs/stubwright/from-prism.md lists the differences with their reasons.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { parse } from 'yaml';
import { type Expected, PRISM_CASES, type PrismCase } from './support/prismCases.ts';

async function respond({ contract, url = '/', init }: PrismCase): Promise<Expected> {
  const own = contract.startsWith('{')
    ? parse(contract)
    : { paths: { '/': parse(`{${contract}}`) } };
  const publish = () => Promise.resolve({ text: '', servers: [0, 0] as const });
  const definition = new Contract({
    openapi: '3.0.3',
    info: { title: 't', version: '1' },
    ...own,
  });
  const loaded = { definition, warnings: [], files: [], publish };
  const served = await createApi<undefined, Request>({ contract: loaded, mock: 'all' });
  const response = await fetchHandler(served)(new Request(`http://localhost${url}`, init));
  const type = response.headers.get('content-type')?.replace(/;.*/, '');
  const { status } = response;
  return { status, body: await response.text(), ...(type !== undefined && { type }) };
}

describe('a mock and Prism', () => {
  it.each(PRISM_CASES.filter(({ stubwright }) => stubwright === undefined))(
    'agree on $harness',
    async (each) => {
      expect(await respond(each)).toMatchObject(each.prism);
    },
  );

  it.each(PRISM_CASES.filter(({ stubwright }) => stubwright !== undefined))(
    'differ on $harness',
    async (each) => {
      expect(await respond(each)).toMatchObject(each.stubwright!);
    },
  );
});
