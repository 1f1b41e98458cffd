// XML as the client reads it, beside the round trips with the engine.
import { describe, expect, it } from '@jest/globals';
import { UnreadableBody } from '../src/errors.ts';
import { receiveXml, sendXml, type XmlSpec } from '../src/xml.ts';
import { testReading } from './support/reading.ts';

const id = { types: 'bigint' };
const SPEC: XmlSpec = {
  name: 'toy',
  properties: {
    id: { ...id, as: 'attribute' },
    name: { types: 'string' },
    tags: { items: { types: 'string', name: 'tag' }, as: 'wrapper' },
    sizes: { items: id },
    next: () => SPEC,
  },
};
const read = (xml: string, spec = SPEC) => receiveXml(spec)(new Response(xml), testReading());

describe('receiveXml', () => {
  it('reads prefixes, comments, CDATA, character references and both quotes', async () => {
    const xml = `<?xml version='1.0'?><!-- a > b -->
      <p:toy xmlns:p="http://toys" p:id='9007199254740993' xml:lang="en">
        <p:name>a &amp;&#x20;&#98;<![CDATA[<c>]]><!-- --> d</p:name>
        <tags><tag/><tag>two</tag></tags><sizes>1</sizes><sizes>9223372036854775807</sizes>
        <next id = "2"></next>
      </p:toy>`;
    expect(await read(xml)).toEqual({
      ...{ id: 9007199254740993n, name: 'a & b<c> d', tags: ['', 'two'] },
      ...{ sizes: [1n, 9223372036854775807n], next: { id: 2n } },
    });
  });

  it.each([
    ['<sizes><a>1</a></sizes>', [{ a: 1n }]],
    ['<sizes><a>1</a></sizes><sizes><a>2</a></sizes>', [{ a: 1n }, { a: 2n }]],
    ['<sizes>L</sizes>', 'L'],
  ])('reads %s as an array without wrapper, else as text', async (inner, sizes) => {
    const items = { properties: { a: id } };
    const spec = { name: 'toy', properties: { sizes: { types: 'string', items } } };
    expect(await read(`<toy>${inner}</toy>`, spec)).toEqual({ sizes });
  });

  it.each([
    ...[
      '',
      'text',
      '<a',
      '<a>',
      '<a></b>',
      '</a>',
      '<a/><b/>',
      '<a/>text',
      '<a b></a>',
      '<a b=c/>',
    ],
    ...[
      '<a b="<"/>',
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
      '<![CDATA[',
      '<!-- ',
      '<a>'.repeat(5000),
    ],
    ...[`<a${' '.repeat(100_000)}`, '<a b="'.repeat(50_000), `<a${' b="c"'.repeat(50_000)}`],
    ...['<!--'.repeat(100_000), '<a><![CDATA['.repeat(50_000), '&#'.repeat(100_000)],
  ])('rejects %.40s', async (xml) => {
    await expect(read(xml)).rejects.toThrow(UnreadableBody);
  });
});

describe('sendXml', () => {
  it('rejects characters that XML cannot represent, and names that are none', () => {
    const write = sendXml(SPEC);
    expect(() => write({ name: 'a\0' }, 'application/xml')).toThrow('expected characters that XML');
    expect(() => write({ 'a b': 1 }, 'application/xml')).toThrow('expected an XML name, got a b');
  });

  it('sends a string and bytes as they are', () => {
    expect(sendXml(SPEC)('<a/>', 'text/xml')).toEqual({ body: '<a/>', type: 'text/xml' });
  });
});
