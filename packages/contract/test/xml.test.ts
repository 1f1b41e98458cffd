// XML bodies: read and written by the XML Objects of their schemas (OpenAPI 3.0.4, section 4.7.26).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { codePoint } from '@stubwright/test-support/codePoint';
import { runs } from '@stubwright/test-support/testAll';
import { serveToy, type Toy } from '@stubwright/test-support/toy';
import fc from 'fast-check';
import { parse } from 'yaml';
import { Problem } from '../src/errors/problem.ts';
import { parseJsonText, stringifyJson } from '../src/json/json.ts';
import { type Shape, shapeOf } from '../src/media/styles/shape.ts';
import { parseXml, readXml } from '../src/media/xml/readXml.ts';
import { writeXml } from '../src/media/xml/writeXml.ts';
import { Validators } from '../src/schema/validator.ts';

const CONTRACT = `
paths:
  /pets:
    post:
      operationId: pet
      requestBody:
        required: true
        content:
          application/xml: {schema: {$ref: '#/components/schemas/Pet'}}
          text/xml: {schema: {$ref: '#/components/schemas/Pet'}}
          application/vnd.pet+xml: {schema: {$ref: '#/components/schemas/Pet'}}
      responses:
        '200':
          description: ok
          content: {application/xml: {schema: {$ref: '#/components/schemas/Pet'}}}
  /strings:
    post:
      operationId: strings
      requestBody: {content: {text/xml: {schema: {type: string}}, application/xml: {}}}
      responses:
        '200':
          description: ok
          content: {application/xml: {schema: {type: string}}}
components:
  schemas:
    Pet:
      type: object
      required: [id, photo]
      xml: {name: pet}
      properties:
        id: {type: integer, format: int64, xml: {attribute: true}}
        name: {type: string, default: Rex}
        photo: {type: array, items: {type: string, xml: {name: url}}}
        tags: {type: array, xml: {wrapped: true}, items: {$ref: '#/components/schemas/Tag'}}
        owner:
          type: object
          nullable: true
          xml: {prefix: o, namespace: 'http://o.example/'}
          properties:
            large: {type: boolean}
            size: {type: number, readOnly: true}
        self: {$ref: '#/components/schemas/Pet'}
    Tag: {type: object, required: [n], additionalProperties: false, xml: {name: tag}, properties: {n: {type: integer}}}
`;

let toy: Toy;
let reply: unknown;

beforeAll(async () => {
  toy = await serveToy('3.0.3', CONTRACT, {
    handlers: {
      pet: ({ body }) => ({ status: 200, body: reply ?? body }),
      async strings({ body }) {
        const text = typeof body === 'string' ? body : await new Response(body).text();
        return { status: 200, body: text };
      },
    },
  });
});
afterAll(() => toy.close());

async function post(body: string, type = 'application/xml', path = '/pets') {
  const answer = await toy.fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body });
  return { ...answer, body: toy.got[0]?.['body'] };
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

describe('an XML request body', () => {
  it.each<[string, string, unknown]>([
    ['attributes', '<pet id="1"/>', {}],
    ['a prefix and namespaces', '<p:pet xmlns:p="u:p" xmlns="u:q" p:id="1"/>', {}],
    ['an int64', `<pet id=" 1 "/>`, {}],
    ['text', '<pet id="1"><name> a &lt;<![CDATA[&]]>&#xe9;\r\n</name></pet>', { name: ' a <&é\n' }],
    ['repeated elements', '<pet id="1"><url>a</url><url/></pet>', { photo: ['a', ''] }],
    [
      'wrapped elements',
      '<pet id="1"><tags><tag><n>7</n></tag> <tag><n> 8\n</n></tag></tags></pet>',
      { tags: [{ n: 7 }, { n: 8 }] },
    ],
    [
      'an object',
      '<pet id="1"><owner><large>true</large></owner></pet>',
      { owner: { large: true } },
    ],
    ['a readOnly property', '<pet id="1"><owner><size>1</size></owner></pet>', { owner: {} }],
    [
      'null',
      '<pet id="1"><owner xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/></pet>',
      { owner: null },
    ],
    [
      'null as 1',
      '<pet id="1"><owner xsi:nil="1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/></pet>',
      { owner: null },
    ],
    [
      'no null as 0',
      '<pet id="1"><owner xsi:nil="0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/></pet>',
      { owner: {} },
    ],
    ['undeclared elements', '<pet id="1"><a><b>1</b><b>2</b></a></pet>', { a: { b: ['1', '2'] } }],
    [
      'a recursion',
      '<pet id="1"><pet id="2"/></pet>',
      { self: { id: 2n, name: 'Rex', photo: [] } },
    ],
    [
      'comments and instructions',
      `\ufeff${DECLARATION}<?a b?><pet id="1"><!-- a --><name>a<!-- b -->b</name></pet>`,
      { name: 'ab' },
    ],
  ])('with %s is read', async (_, text, value) => {
    const { status, body } = await post(text);
    expect([status, body]).toEqual([200, { id: 1n, name: 'Rex', photo: [], ...(value as object) }]);
  });

  it.each(['text/xml', 'application/vnd.pet+xml'])('of %s is read', async (type) => {
    const { body } = await post('<pet id="9007199254740993"/>', type);
    expect(body).toMatchObject({ id: 9007199254740993n });
  });

  it.each([
    ['<pet/>', 40000, /^\/id is required$/],
    ['<pet id="9223372036854775808"/>', 40000, /^\/id expected an int64/],
    ['<pet id="1"><id>1</id></pet>', 40004, /expected no element <id> in <pet>/],
    ['<pet id="1"><name>a</name><name>b</name></pet>', 40000, /\/name expected string/],
    ['<pet id="1"><name><b/></name></pet>', 40000, /\/name expected string/],
    ['<pet id="1"><owner>x</owner></pet>', 40000, /\/owner expected object/],
    ['<pet id="1"><owner><large>1</large></owner></pet>', 40000, /\/owner\/large expected boolean/],
    ['<pet id="1"><tags><tag/></tags></pet>', 40000, /\/tags\/0\/n is required/],
    [
      '<pet id="1"><tags><tag><n>1</n><m/></tag></tags></pet>',
      40000,
      /\/tags\/0\/m is not declared/,
    ],
    ['<pet id="1"><tags><other/></tags></pet>', 40004, /expected <tag> in <tags>, found <other>/],
    ['<pet id="1">text<name/></pet>', 40004, /expected no text between elements in <pet>/],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><pet id="1"/>', 40004, /expected XML in UTF-8/],
    ['<!DOCTYPE pet><pet id="1"/>', 40004, /without a DOCTYPE/],
  ])('%s is refused', async (text, error, message) => {
    const { status, text: answer } = await post(text);
    expect([status, JSON.parse(answer)]).toEqual([
      400,
      { error, message: expect.stringMatching(message) },
    ]);
  });

  it('that is empty is missing', async () => {
    const { text } = await toy.fetch('/pets', {
      method: 'POST',
      headers: { 'Content-Type': 'application/xml' },
      body: new ReadableStream({ start: (controller) => controller.close() }),
      duplex: 'half',
    } as RequestInit);
    expect(JSON.parse(text).error).toBe(40002);
  });

  it.each(['text/xml', 'application/xml'])(
    'of %s whose schema is not an object is passed as it was sent',
    async (type) => {
      expect(await post('<a', type, '/strings')).toMatchObject({ status: 200, text: '<a' });
    },
  );
});

describe('a hostile XML body', () => {
  const entities = Array.from(
    { length: 9 },
    (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
  ).join('');
  const names = Array.from({ length: 9_000 }, (_, at) => `a${at}="1"`).join(' ');

  it.each([
    ['billion laughs', `<!DOCTYPE pet [<!ENTITY e0 "x">${entities}]><pet id="1">&e9;</pet>`, 400],
    [
      'external entity',
      '<!DOCTYPE p [<!ENTITY e SYSTEM "file:///etc/passwd">]><pet>&e;</pet>',
      400,
    ],
    ['256 levels', `<pet id="1">${'<a>'.repeat(255)}${'</a>'.repeat(255)}</pet>`, 200],
    ['257 levels', `<pet id="1">${'<a>'.repeat(256)}${'</a>'.repeat(256)}</pet>`, 400],
    ['10,000 levels', '<pet>'.repeat(10_000), 400],
    ['thousands of attributes', `<pet id="1" ${names}/>`, 200],
  ])('%s is answered', async (_, text, status) => {
    expect((await post(text)).status).toBe(status);
  });

  it('cannot set a prototype', async () => {
    const { status, body } = await post(
      '<pet id="1"><__proto__><role>admin</role></__proto__><constructor>c</constructor></pet>',
    );
    expect(status).toBe(200);
    expect((body as { role?: string }).role).toBeUndefined();
    expect(Object.keys(body as object)).toEqual(
      expect.arrayContaining(['__proto__', 'constructor']),
    );
  });
});

describe('a large XML document', () => {
  const items = 20_000;
  const name = '🌱ä'.repeat(20);

  it('is read in slices, between which other work is done', async () => {
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    const { children } = await parseXml(Buffer.from(`<a>${'<b/>'.repeat(items)}</a>`));
    clearInterval(count);
    expect(children.length).toBe(items);
    expect(turns).toBeGreaterThan(1);
  });

  it('is read the same wherever a slice ends', async () => {
    for (let shift = 0; shift < 4; shift++) {
      const text =
        ' '.repeat(shift) + `<b c="${name}">${name}&amp;<![CDATA[${name}]]></b>`.repeat(300);
      const { children } = await parseXml(Buffer.from(`<a>${text}</a>`));
      const read = children.map(({ attributes, text: own }) => `${attributes['c']} ${own}`);
      expect(new Set(read)).toEqual(new Set([`${name} ${name}&${name}`]));
    }
  });
});

describe('an XML response body', () => {
  it.each<[string, unknown, string]>([
    [
      'every construct',
      {
        undeclared: 1,
        self: { id: 2, photo: [] },
        owner: { large: false },
        tags: [{ n: 1 }, { n: 2 }],
        photo: ['a', ''],
        name: ' <&>"\r\n',
        id: 9007199254740993n,
      },
      '<pet id="9007199254740993"><name> &lt;&amp;&gt;&quot;&#13;&#10;</name><url>a</url><url/>' +
        '<tags><tag><n>1</n></tag><tag><n>2</n></tag></tags>' +
        '<o:owner xmlns:o="http://o.example/"><large>false</large></o:owner><pet id="2"/></pet>',
    ],
    [
      'null',
      { id: 1, photo: [], owner: null },
      '<pet id="1"><o:owner xmlns:o="http://o.example/" ' +
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></pet>',
    ],
  ])('holds %s', async (_, value, text) => {
    reply = value;
    const answer = await post('<pet id="1"/>');
    reply = undefined;
    expect(answer.headers.get('content-type')).toBe('application/xml');
    expect(answer.text).toBe(DECLARATION + text);
  });

  it.each([
    ['an invalid value', { id: 'x', photo: [] }, /\/id expected/],
    ['bytes', Buffer.from('<pet id="1"/>'), /expected object|is required/],
    [
      'a control character',
      { id: 1, photo: [], name: '\u0001' },
      /characters that XML can represent/,
    ],
  ])('that is %s is an error', async (_, value, message) => {
    reply = value;
    const { status, text } = await post('<pet id="1"/>');
    reply = undefined;
    expect([status, text]).toEqual([500, expect.stringMatching(message)]);
  });
});

describe('the names of an array', () => {
  // The examples of OpenAPI 3.0.4, section 4.7.26.2.
  it.each([
    ['{items: {type: string}}', '<animals>a</animals><animals>b</animals>'],
    ['{items: {type: string, xml: {name: animal}}}', '<animal>a</animal><animal>b</animal>'],
    [
      '{items: {type: string, xml: {name: animal}}, xml: {name: aliens}}',
      '<animal>a</animal><animal>b</animal>',
    ],
    [
      '{items: {type: string}, xml: {wrapped: true}}',
      '<animals><animals>a</animals><animals>b</animals></animals>',
    ],
    [
      '{items: {type: string}, xml: {name: aliens, wrapped: true}}',
      '<aliens><aliens>a</aliens><aliens>b</aliens></aliens>',
    ],
    [
      '{items: {type: string, xml: {name: animal}}, xml: {wrapped: true}}',
      '<animals><animal>a</animal><animal>b</animal></animals>',
    ],
    [
      '{items: {type: string, xml: {name: animal}}, xml: {name: aliens, wrapped: true}}',
      '<aliens><animal>a</animal><animal>b</animal></aliens>',
    ],
  ])('%s are written and read: %s', async (array, text) => {
    const animals = { type: 'array', ...parse(array) };
    const { shape, write } = outline({ type: 'object', properties: { animals } });
    const xml = `${DECLARATION}<S>${text}</S>`;
    expect(await readXml(Buffer.from(xml), shape)).toEqual({ animals: ['a', 'b'] });
    expect(write({ animals: ['a', 'b'] })).toBe(xml);
  });
});

describe('a mock', () => {
  it('sends XML that is valid as a request', async () => {
    const mock = await serveToy('3.0.3', CONTRACT, { mock: 'all' });
    const { text, headers } = await mock.fetch('/pets', {
      method: 'POST',
      headers: { 'Content-Type': 'application/xml' },
      body: '<pet id="1"/>',
    });
    await mock.close();
    expect(headers.get('mock-violation')).toBeNull();
    expect(text).toMatch(/^<\?xml .*\?>\n<pet id="/);
    expect((await post(text)).status).toBe(200);
  });
});

const SCHEMA = {
  type: 'object',
  required: ['list', 'nested'],
  properties: {
    text: { type: 'string' },
    note: { type: 'string', xml: { attribute: true, name: 'n' } },
    large: { type: 'integer' },
    number: { type: 'number' },
    flag: { type: ['boolean', 'null'] },
    list: { type: 'array', items: { type: ['integer', 'null'] } },
    nested: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
    wrapped: {
      type: 'array',
      xml: { wrapped: true, name: 'w', prefix: 'p', namespace: 'urn:p' },
      items: { $ref: '#/components/schemas/S' },
    },
  },
  additionalProperties: { type: 'string' },
};

/** @returns the shape and the writer of a reference to the component S */
function outline(S: object): { shape: Shape; write: (value: unknown) => string } {
  const schemas = { S, Root: { $ref: '#/components/schemas/S' } };
  const definition = new Contract({ openapi: '3.1.0', paths: {}, components: { schemas } });
  const validators = new Validators(definition, 'request');
  const schema = validators.model.at('/components/schemas/Root')!;
  const shape = shapeOf(schema, validators);
  return { shape, write: (value) => writeXml(value, { schema, shape }) };
}

const { shape, write } = outline(SCHEMA);

describe('XML', () => {
  // Every character that XML can represent.
  const text = fc
    .string({ unit: codePoint })
    .map((each) => each.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));
  const { value } = fc.letrec((tie) => ({
    value: fc.record(
      {
        text,
        note: text,
        large: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
        number: fc.double({ noNaN: true, noDefaultInfinity: true }),
        flag: fc.constantFrom(true, false, null),
        list: fc.array(fc.oneof(fc.integer(), fc.constant(null))),
        nested: fc.array(fc.array(text)),
        wrapped: fc.array(tie('value'), { maxLength: 2 }),
        'x-other.é': text,
      },
      { requiredKeys: ['list', 'nested'] },
    ),
  }));

  it('is read as JSON of the same value is', async () => {
    await fc.assert(
      fc.asyncProperty(value, async (each) => {
        const read = await readXml(Buffer.from(write(each)), shape);
        expect(read).toEqual(parseJsonText(stringifyJson(each)));
      }),
    );
  });

  it('of any form takes linear time', async () => {
    const LENGTH = 2 ** 19;
    const part = fc.constantFrom(
      ...[
        '<a>',
        '</a>',
        '<a/>',
        '<list>',
        ' a="',
        '"',
        "'",
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?',
        '?>',
      ],
      ...[
        '&amp;',
        '&#1',
        ';',
        '&',
        '\r\n',
        '\t',
        ' ',
        '=',
        '<',
        '>',
        'é',
        'xmlns:a="b" ',
        '<!DOCTYPE a [',
        ']',
      ],
    );
    const unit = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', '<S>', '<S '),
        unit,
        unit,
        async (start, repeated, end) => {
          const document = start + repeated.repeat(LENGTH / repeated.length) + end;
          try {
            await readXml(Buffer.from(document), shape);
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('of a recursive schema is outlined once, however deep the elements nest', async () => {
    const one = shape.property('wrapped').items();
    expect(one.property('wrapped').items()).toBe(one);
  });
});
