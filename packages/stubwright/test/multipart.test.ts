// The rules of multipart bodies (RFC 2046, section 5.1.1): those of forms.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runs } from '@stubwright/test-support/testAll';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import fc from 'fast-check';
import { chunked } from './support/chunked.ts';

const TEXT = '{type: string}';
const FORM = `{multipart/form-data: {schema: {type: object, properties: {f: {type: array, items: ${TEXT}}}}}}`;
const ERROR = `{application/json: {schema: {type: object, required: [error, message], properties: {error: {type: integer}, message: ${TEXT}}}}}`;
const post = (id: string, content: string) =>
  `{post: {operationId: ${id}, requestBody: {required: true, content: ${content}}, responses: {'204': {description: ok}, '400': {description: no, content: ${ERROR}}}}}`;

let toy: Toy;
let items: unknown[] = [];
let calls = 0;

beforeAll(async () => {
  toy = await serveToy('3.2.0', `paths: {/form: ${post('form', FORM)}}`, {
    handlers: {
      form: ({ body }) => {
        calls++;
        items = body.f ?? [];
        return { status: 204 };
      },
    },
  });
});
afterAll(() => toy.close());

const quoted = (boundary: string) => (/^[\w-]+$/.test(boundary) ? boundary : `"${boundary}"`);

const DISPOSITION = 'Content-Disposition: form-data; name="f"\r\n';

/**
 * @param body with H for the headers of a part
 * @returns the texts of the parts, or undefined for a body that is refused
 */
async function read(body: string, boundary = 'b', given?: number): Promise<unknown[] | undefined> {
  const bytes = Buffer.from(body.replaceAll('H', DISPOSITION));
  const size = given ?? bytes.length;
  const { status, text } = await toy.fetch('/form', {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${quoted(boundary)}` },
    body: size < bytes.length ? chunked(bytes, size) : bytes,
    duplex: 'half',
  } as RequestInit);
  expect([204, 400]).toContain(status);
  if (status === 400) expect(JSON.parse(text)).toMatchObject({ error: expect.any(Number) });
  return status === 204 ? items : undefined;
}

describe('a multipart body', () => {
  const LAST = '\r\n--b--\r\n';

  it.each<[string, string, unknown[] | undefined]>([
    ['one part', `--b\r\nH\r\nx${LAST}`, ['x']],
    ['an empty part', `--b\r\nH\r\n${LAST}`, ['']],
    ['a part that ends after its headers', `--b\r\nH${LAST}`, ['']],
    ['no line end after the last boundary', '--b\r\nH\r\nx\r\n--b--', ['x']],
    ['a preamble', `this is\r\nignored --b\r\n--b\r\nH\r\nx${LAST}`, ['x']],
    ['a preamble with a longer boundary', `--bX\r\nH\r\nno\r\n--b\r\nH\r\nx${LAST}`, ['x']],
    ['an epilogue', `--b\r\nH\r\nx${LAST}ignored\r\n--b\r\nH\r\nno${LAST}`, ['x']],
    ['padding', `--b \t \r\nH\r\nx\r\n--b--\t \r\n`, ['x']],
    ['a longer boundary in a part', `--b\r\nH\r\nx\r\n--bX\r\ny${LAST}`, ['x\r\n--bX\r\ny']],
    ['a boundary and a dash in a part', `--b\r\nH\r\nx\r\n--b-\r\ny${LAST}`, ['x\r\n--b-\r\ny']],
    ['a longer boundary with a dash', `--b\r\nH\r\nx\r\n--bX-\r\ny${LAST}`, ['x\r\n--bX-\r\ny']],
    ['a longer last boundary', `--b\r\nH\r\nx\r\n--b--X\r\ny${LAST}`, ['x\r\n--b--X\r\ny']],
    ['a boundary within a line', `--b\r\nH\r\nx--b\r\n--b--y${LAST}`, ['x--b\r\n--b--y']],
    ['a boundary after a line feed', `--b\r\nH\r\nx\n--b\r\ny${LAST}`, ['x\n--b\r\ny']],
    ['a boundary before a line feed', `--b\r\nH\r\nx\r\n--b\ny${LAST}`, ['x\r\n--b\ny']],
    ['a boundary after a carriage return', `--b\r\nH\r\nx\r--b\r\ny${LAST}`, ['x\r--b\r\ny']],
    ['carriage returns', `--b\r\nH\r\nx\r\r\r\n--\r\r\n-${LAST}`, ['x\r\r\r\n--\r\r\n-']],
    ['a folded header', `--b\r\nX: 1\r\n\t2\r\nH\r\nx${LAST}`, ['x']],
    ['only a longer boundary', `--bX\r\nH\r\nx\r\n--bX--\r\n`, undefined],
    ['no last boundary', '--b\r\nH\r\nx\r\n--b\r\nH\r\ny', undefined],
    ['a longer boundary instead of the last', `--b\r\nH\r\nx\r\n--b--X`, undefined],
    ['line feeds only', '--b\nH\nx\n--b--\n', undefined],
    ['headers without an empty line', `--b\r\nX: y${LAST}`, undefined],
    ['two boundaries that share a line end', `--b\r\n--b--\r\n`, undefined],
    ['a header without a colon', `--b\r\nHnonsense\r\n\r\nx${LAST}`, undefined],
    ['nothing', '', undefined],
  ])('with %s', async (_, body, parts) => {
    for (const size of [undefined, 1, 2, 3]) {
      expect([size, await read(body, 'b', size)]).toEqual([size, parts]);
    }
  });

  it('without parts', async () => {
    expect(await read('--b--\r\n')).toEqual([]);
  });

  it('has the same parts, however it arrives', async () => {
    const unit = fc.constantFrom(
      ...['--b', '--', '-', '\r\n', '\r', '\n', ' ', 'X', 'H', 'H\r\n', '\r\n--b', '\r\n--b--'],
      ...['\r\n--b\r\nH\r\n', '--b\r\nH\r\n', '\r\n--bX', 'é'],
    );
    const body = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
    const whole = body.map((text) => `--b\r\nH\r\n${text}\r\n--b--\r\n`);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(body, whole),
        fc.integer({ min: 1, max: 9 }),
        async (text, size) => {
          expect(await read(text, 'b', size)).toEqual(await read(text));
        },
      ),
      { numRuns: runs(150) },
    );
  });
});

describe('a boundary', () => {
  const body = (boundary: string) => `--${boundary}\r\nH\r\nx\r\n--${boundary}--\r\n`;

  it.each([
    'b',
    "0aZ'()+_,-./:=?",
    'a b',
    '-'.repeat(70),
    `----WebKitFormBoundary${'x'.repeat(16)}`,
  ])('may be %j', async (boundary) => {
    expect(await read(body(boundary), boundary)).toEqual(['x']);
  });

  it('is checked first', async () => {
    const family = 'multipart/form-data';
    const bad = ['x'.repeat(71), 'x'.repeat(4000), 'a ', 'a*b', 'a&b', 'é', 'a\\"b', ''];
    const types = [family, `${family}; boundary=`, ...bad.map((b) => `${family}; boundary="${b}"`)];
    calls = 0;
    for (const type of types) {
      // A response before the end of the body shows that nothing was awaited.
      const endless = new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from('--')),
      });
      const { status, text } = await toy.fetch('/form', {
        method: 'POST',
        headers: { 'Content-Type': Buffer.from(type).toString('latin1') },
        body: endless,
        duplex: 'half',
      } as RequestInit);
      expect([type, status, JSON.parse(text)]).toEqual([
        type,
        400,
        { error: 40004, message: expect.stringContaining('boundary of at most 70 characters') },
      ]);
    }
    expect(calls).toBe(0);
  });
});
