// Request bodies by media type.
import { describe, expect, it } from '@jest/globals';
import { typeInRange } from '@stubwright/contract';
import { sendForm, sendMultipart, sendText, withPartHeaders } from '../src/index.ts';
import { sentTypeOf } from '../src/mediaTypes.ts';
import { sentBody } from './exchange.ts';

describe('the media type of a body', () => {
  const bodies = Object.fromEntries(
    ['application/json', 'text/*', 'text/csv;v=1', 'text/csv;v=2', '*/*'].map((type) => [
      type,
      (_: unknown, sent: string) => ({ body: `${type} ${sent}`, type: sent }),
    ]),
  );

  it.each([
    [undefined, 'application/json application/json'],
    ['text/csv;v=2', 'text/csv;v=2 text/csv;v=2'],
    ['Text/CSV; v=3', 'text/csv;v=1 Text/CSV; v=3'],
    ['text/plain', 'text/* text/plain'],
    ['image/png', '*/* image/png'],
    ['text/*', 'text/* text/plain; charset=utf-8'],
    ['*/*', '*/* text/plain; charset=utf-8'],
  ])('%s selects the most specific one', async (mediaType, text) => {
    expect((await sentBody(bodies, 'x', mediaType)).text).toBe(text);
  });

  it('must be declared', async () => {
    const { '*/*': _, ...declared } = bodies;
    await expect(sentBody(declared, 'x', 'image/png')).rejects.toThrow(
      'call: expected a body of application/json or text/* or text/csv;v=1 or text/csv;v=2',
    );
    await expect(sentBody({}, 'x')).rejects.toThrow('call: expected a body of no media type');
  });

  it('is not invented for a range', async () => {
    const sent = sentBody({ 'image/*': sendText }, new Uint8Array([1]));
    await expect(sent).rejects.toThrow('call: expected a mediaType or a Blob of image/*');
  });

  it.each([
    [new Blob(['a'], { type: 'image/png' }), ['application/json', 'image/png'], 'image/png'],
    [new Blob(['a']), ['application/json', 'a/b+json', 'image/gif'], 'image/gif'],
    [new Uint8Array([1]), ['application/json', 'image/png'], 'image/png'],
    [new Uint8Array([1]), ['text/json'], 'text/json'],
    [new Blob(['a'], { type: 'image/webp' }), ['application/json', 'image/*'], 'image/webp'],
    [new Uint8Array([1]), ['application/*'], 'application/octet-stream'],
  ])('of bytes is theirs, or the first that is not JSON', async (bytes, types, expected) => {
    const declared = Object.fromEntries(types.map((type) => [type, sendText]));
    expect((await sentBody(declared, bytes)).type).toBe(expected);
  });
});

it('a body in a range of media types has the same media type in services', () => {
  const keys = ['image/*', 'text/*', 'application/*', '*/*', 'a/b', 'image/webp', 'Text/*'];
  const webp = new Blob(['b'], { type: 'image/webp' });
  const bytes = [Buffer.from('b'), new Uint8Array(1), new ArrayBuffer(1)];
  const blobs = [webp, new Blob(['b']), webp.stream(), new Blob([], { type: '*/*' })];
  for (const key of keys) {
    for (const body of [...bytes, ...blobs, 'a', {}, [], null, 1, true])
      expect(sentTypeOf(key, body)).toBe(typeInRange(key, body));
  }
});

describe('sendForm', () => {
  const type = 'application/x-www-form-urlencoded';

  it.each([
    [{ a: [1, { b: 2 }], c: { d: 1n }, e: null, f: undefined }, {}, 'a=1&a={"b":2}&c={"d":1}'],
    [{ a: null, b: { c: null } }, { a: { type: 'application/json' } }, 'a=null&b={"c":null}'],
    [{ a: null, b: { c: null, d: 1 } }, { b: { style: 'deepObject', explode: true } }, 'b[d]=1'],
    [{ a: [1, 2] }, { a: { type: 'application/json' } }, 'a=[1,2]'],
    [{ a: [1, 2] }, { a: { type: 'text/plain' } }, 'a=1&a=2'],
    [{ a: [1, 2] }, { a: { type: 'a/b+json; v=1' } }, 'a=[1,2]'],
    [{ a: [1, { b: 2 }] }, { a: { style: 'form', explode: false } }, 'a=1,{"b":2}'],
    [{ a: { b: { c: 1 } } }, { a: { style: 'deepObject', explode: true } }, 'a[b][c]=1'],
  ])('writes %j', async (value, fields, text) => {
    const sent = await sentBody({ [type]: sendForm(fields) }, value);
    expect([sent.type, decodeURIComponent(sent.text)]).toEqual([type, text]);
  });
});

describe('null in a form', () => {
  it.each([sendForm, sendMultipart])('is no item, and not required: %p', async (writer) => {
    const send = (value: object, fields = {}) =>
      sentBody({ 'multipart/form-data': writer(fields) }, value);
    await expect(send({ a: [1, null] })).rejects.toThrow('expected an item other than null');
    await expect(send({ a: [undefined] })).rejects.toThrow(TypeError);
    await expect(send({ a: [null] }, { a: { style: 'form' } })).rejects.toThrow(TypeError);
    await expect(send({ a: null }, { a: { required: true } })).rejects.toThrow(
      'expected the property a, got null',
    );
    expect((await send({ zero: null, one: 1 })).text).not.toContain('zero');
  });
});

describe('sendMultipart', () => {
  const type = 'multipart/form-data';
  const parts = async (value: unknown, fields = {}) => {
    const sent = await sentBody({ [type]: sendMultipart(fields) }, value);
    const [, boundary] = /^multipart\/form-data; boundary=(part-\d+)$/.exec(sent.type!)!;
    expect(sent.text.endsWith(`\r\n--${boundary}--\r\n`)).toBe(true);
    const all = sent.text.split(`--${boundary}\r\n`);
    return all.slice(1).map((part) => part.replace(/\r\n(--part-\d+--\r\n)?$/, ''));
  };
  const head = 'Content-Disposition: form-data; name=';
  const png = new File(['x'], 'a"b\r\n.png', { type: 'image/png' });

  it('escapes names as browsers do', async () => {
    expect(await parts({ 'a"\r\n': 1 })).toEqual([`${head}"a%22%0D%0A"\r\n\r\n1`]);
    expect(await parts({ 'a"': png })).toEqual([
      `${head}"a%22"; filename="a%22b%0D%0A.png"\r\nContent-Type: image/png\r\n\r\nx`,
    ]);
  });

  it.each([
    [{ a: [1, { b: 2 }] }, {}, [['1'], ['{"b":2}']]],
    [{ a: 'x' }, { a: { type: 'application/json' } }, [['"x"']]],
    [
      { a: { b: 1 } },
      { a: { type: 'text/x', write: (value: object) => `<${JSON.stringify(value)}>` } },
      [['Content-Type: text/x', '<{"b":1}>']],
    ],
    [{ a: 'x' }, { a: { type: 'text/x', write: () => 'unused' } }, [['x']]],
  ])('writes the parts of %j', async (value, fields, expected) => {
    const all = expected.map((lines) =>
      [`${head}"a"`, ...lines.slice(0, -1), '', lines.at(-1)].join('\r\n'),
    );
    expect(await parts(value, fields)).toEqual(all);
  });

  it('writes a style as parts of text', async () => {
    const style = { style: 'deepObject', explode: true };
    expect(await parts({ a: { 'b c': '1=2' } }, { a: style })).toEqual([
      `${head}"a[b c]"\r\n\r\n1%3D2`,
    ]);
  });

  it.each([
    [new Blob(['x'], { type: 'a/b' }), 'a', 'a/b'],
    [new Blob(['x']), 'a', 'c/d'],
    [new Uint8Array([120]), 'a', 'c/d'],
  ])('writes files with a name and a type', async (file, name, own) => {
    const expected = `${head}"a"; filename="${name}"\r\nContent-Type: ${own}\r\n\r\nx`;
    expect(await parts({ a: file }, { a: { type: 'c/d' } })).toEqual([expected]);
  });

  it('writes bytes without a type as octets, and a FormData and bytes as they are', async () => {
    expect((await parts({ a: new Uint8Array([120]) }))[0]).toContain('application/octet-stream');
    const form = new FormData();
    form.set('own', '1');
    const sent = await sentBody({ [type]: sendMultipart() }, form);
    expect(sent.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(sent.text).toContain('name="own"');
    const bytes = new TextEncoder().encode('raw');
    expect(await sentBody({ [type]: sendMultipart() }, bytes)).toEqual({ type, text: 'raw' });
  });

  it('writes the headers of a part, of one line each', async () => {
    const headers = { 'X-A': 1, 'X-B': 'b\tc' };
    expect(await parts({ a: withPartHeaders(['x', 'y'], headers) })).toEqual([
      ...['x', 'y'].map((text) => `X-A: 1\r\nX-B: b\tc\r\n${head}"a"\r\n\r\n${text}`),
    ]);
    for (const bad of [
      { 'X A': '1' },
      { '': '1' },
      { a: '1\r\nb: 2' },
      { a: '\0' },
      { a: '\x7f' },
    ]) {
      expect(() => withPartHeaders('x', bad as never)).toThrow(
        'expected a header of one line in each part',
      );
    }
  });
});
