// Encoding Objects with style, explode or allowReserved: properties of forms as query parameters (RFC 6570).
import { describe, expect, it } from '@jest/globals';
import type { Node } from '@stubwright/contract';
import { multipartOf, RequestWriter, Validators } from '@stubwright/contract/values';
import fc from 'fast-check';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';
import { loadedContract } from './support/contract.ts';

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

const COLOR = {
  type: 'object',
  properties: { R: { type: 'integer' }, G: { type: 'string' } },
};
const TAGS = { type: 'array', items: { type: 'string' } };
const properties = {
  color: COLOR,
  tags: TAGS,
  sizes: { type: 'array', items: { type: 'integer' } },
  toys: { type: 'array', items: COLOR },
  note: { type: 'string' },
  file: { type: 'string', contentMediaType: 'application/octet-stream' },
};

function contractOf(encoding: Node, openapi: string) {
  const media = { schema: { type: 'object', properties, additionalProperties: false }, encoding };
  const content = { [URLENCODED]: media, [MULTIPART]: media };
  const requestBody = { required: true, content };
  const responses = { 200: { description: 'ok', content } };
  return loadedContract({
    openapi,
    paths: { '/form': { post: { operationId: 'send', requestBody, responses } } },
  });
}

async function formOf(encoding: Node, version = '3.1.0') {
  const contract = contractOf(encoding, version);
  const { definition } = contract;
  const writer = new RequestWriter(new Validators(definition, 'request'));
  const [operation] = definition.operations;
  let received: unknown;
  const echo = ({ body, mediaType }: { body: unknown; mediaType: string }) => {
    received = body;
    return { status: 200, type: mediaType, body };
  };
  const api = await createApi({ contract, handlers: { send: echo } });
  const handle = fetchHandler(api);
  return {
    write: (body: object, type: string) => writer.body(operation!, body, type)!.body,
    /** @returns the body that the handler got, or the error; and the response as the client would write it */
    async send(body: string | FormData, type = URLENCODED) {
      received = undefined;
      const bytes = typeof body === 'string' ? new Blob([body], { type }) : multipartOf(body);
      const headers = { 'content-type': bytes.type };
      const request = new Request('http://t/form', { method: 'POST', headers, body: bytes });
      const response = await handle(request);
      if (received === undefined) return { error: (await response.json()) as { detail: string } };
      const echoed =
        type === URLENCODED ? await response.text() : pairsOf(await response.formData());
      return { received: JSON.parse(JSON.stringify(received)), echoed };
    },
  };
}

function pairsOf(form: FormData): string[] {
  return [...form].map(([name, value]) => `${name}=${value}`);
}

const value = { color: { R: 100, G: 'a b' }, tags: ['x,y', 'é&=+%', '|'], sizes: [1, 2] };

/** Encoding of a property, its text in an URL-encoded form, and its parts. */
const STYLES: [string, keyof typeof value, Node, string[], string[]?][] = [
  ['form', 'tags', { style: 'form' }, ['tags=x%2Cy', 'tags=%C3%A9%26%3D%2B%25', 'tags=%7C']],
  ['form, not exploded', 'tags', { explode: false }, ['tags=x%2Cy,%C3%A9%26%3D%2B%25,%7C']],
  ['form, not exploded', 'sizes', { style: 'form', explode: false }, ['sizes=1,2']],
  ['space delimited', 'sizes', { style: 'spaceDelimited' }, ['sizes=1%202']],
  ['pipe delimited', 'sizes', { style: 'pipeDelimited' }, ['sizes=1%7C2']],
  [
    'allowReserved',
    'tags',
    { allowReserved: true },
    ['tags=x%2Cy', 'tags=%C3%A9%26%3D%2B%25', 'tags=%7C'],
  ],
  ['form', 'color', { style: 'form' }, ['R=100', 'G=a%20b']],
  ['form, not exploded', 'color', { explode: false }, ['color=R,100,G,a%20b']],
  [
    'deep object',
    'color',
    { style: 'deepObject', explode: true },
    ['color%5BR%5D=100', 'color%5BG%5D=a%20b'],
    ['color[R]=100', 'color[G]=a%20b'],
  ],
];

describe.each(STYLES)('%s of %s', (_, name, encoding, texts, parts = texts) => {
  const body = { [name]: value[name], note: 'n' };
  // The media type of a property with a style is ignored.
  const withType = { [name]: { ...encoding, contentType: 'application/json' } };

  it.each(['3.0.3', '3.1.0', '3.2.0'])(
    'is that of a query in a URL-encoded form, %s',
    async (version) => {
      const { write, send } = await formOf(withType, version);
      const text = [...texts, 'note=n'].join('&');
      expect(write(body, URLENCODED)).toBe(text);
      expect(await send(text)).toEqual({ received: body, echoed: text });
    },
  );

  it.each(['3.1.0', '3.2.0'])(
    'is one part per pair in multipart/form-data, %s',
    async (version) => {
      const { write, send } = await formOf(withType, version);
      const form = write(body, MULTIPART) as FormData;
      expect(pairsOf(form)).toEqual([...parts, 'note=n']);
      // Values without a style come first.
      const echoed = ['note=n', ...parts];
      expect(await send(form, MULTIPART)).toEqual({ received: body, echoed });
    },
  );

  it('is ignored in multipart/form-data of OpenAPI 3.0', async () => {
    const { write, send } = await formOf({ [name]: encoding }, '3.0.3');
    const form = write(body, MULTIPART) as FormData;
    const own = value[name];
    const expected = Array.isArray(own)
      ? own.map((each) => `${name}=${each}`)
      : [`${name}=${JSON.stringify(own)}`];
    expect(pairsOf(form)).toEqual([...expected, 'note=n']);
    expect(await send(form, MULTIPART)).toMatchObject({ received: body });
  });
});

describe('a form with styles', () => {
  it('keeps JSON for objects without a style', async () => {
    const { write, send } = await formOf({ tags: { explode: false } });
    const body = { color: value.color, tags: ['a', 'b'] };
    const text = 'color=%7B%22R%22%3A100%2C%22G%22%3A%22a%20b%22%7D&tags=a,b';
    expect(write(body, URLENCODED)).toBe(text);
    expect(await send(text)).toEqual({ received: body, echoed: text });
  });

  it('writes reserved characters that delimit nothing with allowReserved', async () => {
    const { write, send } = await formOf({ note: { allowReserved: true } });
    const body = { note: 'a:/?@!$()*;&=+#,b' };
    const text = 'note=a:/?@!$()*;%26%3D%2B%23%2Cb';
    expect(write(body, URLENCODED)).toBe(text);
    expect(await send(text)).toEqual({ received: body, echoed: text });
    const form = write(body, MULTIPART) as FormData;
    expect(await send(form, MULTIPART)).toEqual({ received: body, echoed: [text] });
  });

  it('writes the objects of an array as JSON, which OpenAPI leaves undefined', async () => {
    const { write, send } = await formOf({ toys: { style: 'form', explode: true } });
    const body = { toys: [{ R: 1 }, { G: 'g' }] };
    for (const type of [URLENCODED, MULTIPART]) {
      expect(await send(write(body, type), type)).toMatchObject({ received: body });
    }
  });

  it.each<[string, Node, string, string]>([
    ['two values', { tags: { explode: false } }, 'tags', 'form field expected one value'],
    ['malformed text', { note: { style: 'form' } }, 'note', 'expected percent-encoded UTF-8'],
  ])('rejects %s', async (what, encoding, name, message) => {
    const { send } = await formOf(encoding);
    const form = new FormData();
    const texts = what === 'two values' ? ['a', 'b'] : ['%zz'];
    for (const text of texts) form.append(name, text);
    const { error } = await send(form, MULTIPART);
    expect(error?.detail).toContain(message.replace('form field ', ''));
    expect(error?.detail).toContain(`form field ${name}`);
    const text = texts.map((each) => `${name}=${each}`).join('&');
    expect((await send(text)).error?.detail).toContain(message);
  });

  it('is read as it was written', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab ,|&=+%[]é"\r\n'), maxLength: 5 });
    const color = fc.record({ R: fc.nat(), G: text }, { noNullPrototype: true });
    // A value without its delimiter, and without an empty array, which has no text.
    const list = fc.array(
      text.filter((each) => each !== ''),
      { minLength: 1, maxLength: 3 },
    );
    const style = fc.constantFrom<Node>(
      ...STYLES.flatMap(([, , encoding]) =>
        encoding.style === 'spaceDelimited' || encoding.style === 'pipeDelimited' ? [] : [encoding],
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        style.filter(({ style: name }) => name !== 'deepObject'),
        style,
        fc.record({ tags: list, color }, { requiredKeys: [], noNullPrototype: true }),
        async (tags, own, body) => {
          const { write, send } = await formOf({ tags, color: own });
          for (const type of [URLENCODED, MULTIPART]) {
            const { received } = await send(write({ ...body, note: 'n' }, type), type);
            expect(received).toEqual({ ...body, note: 'n' });
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
