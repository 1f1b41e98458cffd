// Content keywords annotate: requests whose text is neither base64 nor JSON are accepted.
import { describe, expect, it } from '@jest/globals';
import { loadMockable } from '@stubwright/cli/loader';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';

const CONTRACT = 'packages/stubwright/test/regressions/annotations.yaml';
const contract = await loadMockable(CONTRACT);
const handle = fetchHandler(await createApi({ contract, mock: 'all' }));
const { examples } =
  contract.definition.document.paths['/payment'].post.requestBody.content['application/json'];

async function post(message: unknown, base = '/v1/merchants/M/devices/D/sync') {
  const response = await handle(
    new Request(`http://t${base}/payment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    }),
  );
  const body: unknown = await response.json();
  return { status: response.status, body };
}

describe('a contract with content keywords', () => {
  it.each(Object.keys(examples))('accepts the request %s', async (name) => {
    const { status, body } = await post(examples[name].value);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      SaleToPOIResponse: {
        PaymentResponse: { Response: { AdditionalResponse: 'tid=1&pan=4111*1111' } },
      },
    });
  });

  it('is reached by the name of a server that is no URL', async () => {
    const { status } = await post(examples.encoded.value, '/%3Clocal-terminal-IP-address%3E');
    expect(status).toBe(200);
  });

  it('enforces formats, patterns and enums', async () => {
    const { value } = examples.display;
    const changed = (change: object) => ({
      SaleToPOIRequest: { ...value.SaleToPOIRequest, ...change },
    });
    const header = value.SaleToPOIRequest.MessageHeader;
    for (const change of [
      { DisplayRequest: { OutputXHTML: '*' } },
      { MessageHeader: { ...header, SaleID: '' } },
      { MessageHeader: { ...header, MessageClass: 'Other' } },
      { SecurityTrailer: 'e30=' },
    ]) {
      expect((await post(changed(change))).status).toBe(400);
    }
  });
});
