// Values as XML: written by sendXml, read by receiveXml.
import { describe, expect, it } from '@jest/globals';
import { receiveXml, sendXml, type XmlSpec } from '../src/index.ts';
import { exchange, sentBody } from './exchange.ts';

describe('XML', () => {
  const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
  const rows: readonly (readonly [XmlSpec, unknown, string])[] = [
    [{ types: 'number' }, 1, '<root>1</root>'],
    [
      { name: 'a', prefix: 'p', namespace: 'urn:n', types: 'null' },
      null,
      `<p:a xmlns:p="urn:n" xmlns:xsi="${XSI}" xsi:nil="true"></p:a>`,
    ],
    [{ namespace: 'urn:n', properties: {} }, {}, '<root xmlns="urn:n"></root>'],
    [{ items: { types: 'bigint' } }, [1n, 2n], '<root><root>1</root><root>2</root></root>'],
    [{ items: { name: 'i', types: 'number' } }, [1], '<root><i>1</i></root>'],
    [
      { properties: { a: { as: 'attribute', types: 'number' }, b: { types: 'boolean' } } },
      { a: 1, b: true },
      '<root a="1"><b>true</b></root>',
    ],
    [
      { properties: { a: { as: 'attribute', name: 'x', prefix: 'p', namespace: 'urn:n' } } },
      { a: '<"&\n\t\r>' },
      '<root xmlns:p="urn:n" p:x="&lt;&quot;&amp;&#10;&#9;&#13;&gt;"></root>',
    ],
    [
      { properties: { a: { as: 'attribute' }, t: { as: 'text', types: 'number' } } },
      { a: 'b', t: 2 },
      '<root a="b">2</root>',
    ],
    [
      { properties: { t: { as: 'cdata' } } },
      { t: ']]>\r<' },
      '<root><![CDATA[]]]]><![CDATA[>]]>&#13;<![CDATA[<]]></root>',
    ],
    [
      { properties: { l: { items: { types: 'number' } } } },
      { l: [1, 2] },
      '<root><l>1</l><l>2</l></root>',
    ],
    [
      { properties: { l: { as: 'wrapper', items: { name: 'i', types: 'number' } } } },
      { l: [1, 2] },
      '<root><l><i>1</i><i>2</i></l></root>',
    ],
    [
      { properties: { l: { items: { types: 'number' } } }, required: ['l'] },
      { l: [] },
      '<root></root>',
    ],
    [{ properties: {}, others: { types: 'number' } }, { z: 3 }, '<root><z>3</z></root>'],
    [{ properties: { a: () => ({ properties: {} }) } }, { a: {} }, '<root><a></a></root>'],
  ];

  it.each(rows)('%j', async (spec, value, element) => {
    const type = 'application/xml';
    const sent = await sentBody({ [type]: sendXml(spec) }, value);
    expect(sent.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${element}`);
    const response = new Response(sent.text, { headers: { 'Content-Type': type } });
    const content = { [type]: receiveXml(spec) };
    const { reply } = await exchange({ replies: { 200: { content } } }, response);
    expect(reply.body).toEqual(value);
  });

  it.each([
    ['<a>&amp;&lt;&gt;&quot;&apos;&#65;&#x42;&other;&#x110000;</a>', '&<>"\'AB&other;&#x110000;'],
    ['<a><![CDATA[<&]]><!-- c -->d<?e f?></a>', '<&d'],
    ['<a/>', ''],
    ['<p:a xmlns:p="urn:n" xsi:nil="1"/>', null],
    ['<a>\r\n\r</a>', '\n\n'],
  ])('reads %s', async (text, value) => {
    const response = new Response(text, { headers: { 'Content-Type': 'text/xml' } });
    const content = { 'text/xml': receiveXml({ types: 'string' }) };
    const { reply } = await exchange({ replies: { 200: { content } } }, response);
    expect(reply.body).toBe(value);
  });

  it.each(['', 'x', '<a>', '</a>', '<a></b>', '<a/><b/>', '<a/>x', '<!DOCTYPE a><a/>', '<a b=c/>'])(
    'rejects %j',
    async (text) => {
      const response = new Response(text, { headers: { 'Content-Type': 'text/xml' } });
      const content = { 'text/xml': receiveXml({}) };
      await expect(exchange({ replies: { 200: { content } } }, response)).rejects.toThrow(
        text === '' ? undefined : 'expected XML',
      );
    },
  );
});
