// Reports of many changes: folded by cause, summarized, and short enough for a pull request.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';
import { changelogOf, changelogPage } from '../src/report/changelogPage.ts';
import { reportOf } from '../src/report/report.ts';
import { type DiffFormat, markdownOf, reportAs } from '../src/report/write.ts';
import { type Change, convertedChanges } from '../src/rules/rules.ts';

const locations = {
  at: (pointer: string) => `a.yaml:1:1${pointer}`,
  position: () => ({ file: 'a.yaml', line: 1, column: 1 }),
};
const BOTH = { before: locations, after: locations };

function removed(name: string, at: number): Change {
  const pointer = `/components/schemas/Toy${at % 40}/allOf/${at}`;
  return {
    rule: 'request-property-removed',
    severity: 'breaking',
    operations: [`POST /toys/${at}`],
    part: 'request body',
    what: `the property ${name} was removed`,
    effect: 'Clients that send it are refused.',
    before: pointer,
    after: pointer,
  };
}

function many(count: number, nameOf: (at: number) => string): Change[] {
  return Array.from({ length: count }, (_, at) => removed(nameOf(at), at));
}

describe('the text report', () => {
  it('folds the locations of one cause', () => {
    const text = reportOf(
      many(5, () => 'tag'),
      BOTH,
    );
    expect(
      text,
    ).toBe(`breaking    POST /toys/0  request body; POST /toys/1  request body; POST /toys/2  request body and 2 more
            the property tag was removed: Clients that send it are refused. (request-property-removed)
            a.yaml:1:1/components/schemas/Toy0/allOf/0 -> a.yaml:1:1/components/schemas/Toy0/allOf/0
            a.yaml:1:1/components/schemas/Toy1/allOf/1 -> a.yaml:1:1/components/schemas/Toy1/allOf/1
            a.yaml:1:1/components/schemas/Toy2/allOf/2 -> a.yaml:1:1/components/schemas/Toy2/allOf/2 and 2 more`);
  });

  it('of 800 changes starts with a summary per rule and component, and has one line per cause', () => {
    const causes = 100;
    const [rules, components, lines] = reportOf(
      many(800, (at) => `p${at % causes}`),
      BOTH,
    ).split('\n\n');
    expect(rules).toMatch(/^causes by rule +breaking +risky +compatible\n/);
    expect(rules).toMatch(/\nrequest-property-removed +100 +0 +0$/);
    expect(components).toMatch(/\nschemas Toy0 +\d+ +0 +0\n/);
    expect(components).toMatch(/\nand 25 more$/);
    expect(lines!.split('\n')).toHaveLength(causes);
    expect(lines!.split('\n')[0]).toBe(
      'a.yaml:1:1/components/schemas/Toy0/allOf/0  breaking  the property p0 was removed: Clients that send it are refused. (request-property-removed)  [POST /toys/0  request body and 7 more]',
    );
  });
});

describe('the Markdown report', () => {
  it.each([
    ['many changes', many(3_000, (at) => `p${at}`)],
    ['long names', many(100, (at) => `${at}`.padEnd(30_000, 'x'))],
    ['names of Markdown markup', many(300, (at) => `${at}`.padEnd(3_000, '|'))],
    [
      'long names of components',
      many(3_000, (at) => `p${at}`).map((change, at) => {
        const pointer = `/components/schemas/${`${at}`.padEnd(5_000, '|')}`;
        return { ...change, before: pointer, after: pointer };
      }),
    ],
  ])('of %s is shorter than 65,000 characters and counts the others', (_, changes) => {
    const text = markdownOf(changes, 'a.yaml since b.yaml');
    expect(text.length).toBeLessThan(65_000);
    const items = text.split('\n').filter((line) => line.startsWith('- ')).length;
    expect(text).toContain(`\n${changes.length - items} more, which`);
  });

  it('names each change of a short report', () => {
    const text = markdownOf([removed('tag', 0)], 'a.yaml since b.yaml: 1 breaking');
    expect(text).toContain('**a.yaml since b.yaml: 1 breaking**');
    expect(text).toContain(
      '- POST /toys/0  request body: the property tag was removed. Clients that send it are refused. (request-property-removed)',
    );
  });
});

describe('a report of converted changes', () => {
  const contractWith = (maximum: number) => {
    const parameter = { name: 'limit', in: 'query', schema: { type: 'integer', maximum } };
    const get = { parameters: [parameter], responses: { 204: { description: 'ok' } } };
    const info = { title: 'Toys', version: '1' };
    return new Contract({ openapi: '3.1.0', info, paths: { '/toys': { get } } });
  };
  const contracts = { before: contractWith(100), after: contractWith(50) };
  const breaking = changesBetween(
    { definition: contracts.before },
    { definition: contracts.after },
  );
  const names = { before: 'old.yaml', after: 'new.yaml' };
  const reportOfChanges = (changes: readonly Change[], format: DiffFormat) =>
    reportAs({ ...{ changes, contracts, names }, locations: BOTH }, format);
  const FAILURE = /::error|"level": "error"|<failure|### breaking/;

  it.each(['sarif', 'junit', 'github', 'markdown'] as const)('has no failure as %s', (format) => {
    const converted = convertedChanges(breaking, '1.4.0', () => true);
    const report = reportOfChanges(converted, format);
    expect(report).toContain('Converters serve the clients of 1.4.0.');
    expect(report).not.toMatch(FAILURE);
    expect(reportOfChanges(breaking, format)).toMatch(FAILURE);
  });
});

describe('the changelog', () => {
  const title = { name: 'Toys', before: '1.0.0', after: '2.0.0' };
  const shared = (count: number): Change => ({
    ...removed('tag', 0),
    operations: Array.from({ length: count }, (_, at) => `GET /toys/${at}`),
    otherParts: { 'GET /toys/1': 'response 200 /*' },
  });

  it('lists a change under each of its operations, with the part of each', () => {
    const text = changelogOf(
      [{ ...shared(3), operations: [...shared(3).operations, 'webhook sold'] }],
      title,
    );
    for (const [operation, part] of [
      ['GET /toys/0', 'request body'],
      ['GET /toys/1', 'response 200 /\\*'],
      ['GET /toys/2', 'request body'],
      ['webhook sold', 'request body'],
    ]) {
      expect(text).toContain(
        `### \`${operation}\`\n\n- **${part}**: the property tag was removed.`,
      );
    }
  });

  it('says that nothing changed, or counts the changes', () => {
    expect(changelogOf([], title)).toContain('\n\nNothing changed.\n');
    const text = changelogOf([shared(1)], title);
    expect(text).toContain('\n\n1 ');
    expect(text).not.toContain('\n\n\n');
    expect(text).not.toContain('Nothing changed');
  });

  it('names all of the operations that share a change', () => {
    const text = changelogOf([shared(40)], title);
    expect(text).toContain('### 40 operations\n\n`GET /toys/0`, `GET /toys/1`, ');
    for (const each of shared(40).operations) expect(text).toContain(`\`${each}\``);
    expect(text.match(/the property tag was removed/g)).toHaveLength(1);
    const documentation = { ...shared(40), rule: 'documentation-changed', severity: 'compatible' };
    const described = changelogOf([documentation as Change], title);
    for (const each of shared(40).operations) expect(described).toContain(`- ${each}  `);
  });
});

describe('the page of a changelog', () => {
  const HOSTILE = '</pre><script>alert(1)</script>';
  const contractWith = (
    limit: number,
    { tags = ['toys', 'shop'], name = 'a', isAdded = false } = {},
  ) => {
    const parameter = { name, in: 'query', schema: { type: 'integer', maximum: limit } };
    const responses = { 204: { description: 'none' } };
    return new Contract({
      openapi: '3.1.0',
      info: { title: name, version: '1.0.0' },
      tags: [{ name: 'shop' }, { name: 'unused' }],
      paths: {
        '/toys': { get: { tags, parameters: [parameter], responses } },
        '/games': { get: { parameters: [parameter], responses } },
        ...(isAdded && { '/new': { get: { tags: ['toys'], responses } } }),
      },
      webhooks: { sold: { post: { parameters: [parameter], responses } } },
    });
  };
  const pageOf = (before: Contract, after: Contract) => {
    const changes = changesBetween({ definition: before }, { definition: after });
    const title = { name: String(after.title), before: '1.0.0', after: '2.0.0' };
    return changelogPage(changes, title, { before, after });
  };
  const textsOf = (page: string, element: string) =>
    [...page.matchAll(new RegExp(`<${element}[^>]*>(.*?)</${element}>`, 'g'))].map(
      ([, text]) => text,
    );

  it('has a section for each tag, in the order of the contract, and the most severe changes first', () => {
    const page = pageOf(contractWith(9), contractWith(5, { isAdded: true }));
    expect(textsOf(page, 'h2')).toEqual(['shop', 'toys', 'Other operations', 'Webhooks']);
    const [, toys] = page.split('<h2 ').slice(1);
    expect(textsOf(toys!, 'h3')).toEqual(['Breaking changes', 'New and compatible']);
    expect(textsOf(toys!, 'code')).toContain('GET /new');
  });

  it('has the YAML of both contracts, with the lines that differ', () => {
    const page = pageOf(contractWith(9), contractWith(5));
    expect(page).toContain('<del>maximum: 9</del>');
    expect(page).toContain('<ins>maximum: 5</ins>');
    const added = pageOf(contractWith(9), contractWith(9, { isAdded: true }));
    expect(added).toContain('<span class="absent">not declared</span>');
    expect(added).not.toContain('<del>');
  });

  it('has no script, no other file, and no markup of the contracts', () => {
    const options = { name: HOSTILE, tags: [HOSTILE] };
    const page = pageOf(contractWith(9, options), contractWith(5, options));
    expect(page).toContain('&#60;script&#62;');
    expect(page).not.toMatch(/<script|<link|<img|url\(|@import|https?:/i);
    expect(page).toContain('@media print');
  });

  it('says that nothing changed', () => {
    expect(pageOf(contractWith(9), contractWith(9))).toContain('<p>Nothing changed.</p>');
  });
});

describe('an explained report', () => {
  const of = (schema: object) => {
    const content = { 'application/json': { schema } };
    const post = { requestBody: { content }, responses: { 204: { description: 'stored' } } };
    const info = { title: 'Toys', version: '1' };
    const document = { openapi: '3.1.0', info, paths: { '/toys': { post } } };
    return { definition: new Contract(document) };
  };
  it.each<[string, object, object]>([
    ['rule', { type: 'string', maxLength: 9 }, { type: 'string', maxLength: 5 }],
    ['automaton', { type: 'string', pattern: '^a*$' }, { type: 'string', pattern: '^a{3}$' }],
    ['automaton', { type: 'integer' }, { type: 'integer', minimum: 5 }],
    [
      'implication',
      { type: 'integer', not: { minimum: 5 } },
      { type: 'integer', not: { minimum: 5 }, maximum: 6 },
    ],
    [
      'samples',
      { type: 'object', properties: { a: {}, b: {} } },
      {
        ...{ type: 'object', properties: { a: {}, b: {} } },
        dependentSchemas: { a: { properties: { b: { type: 'integer' } } } },
      },
    ],
  ])('names what decided: %s', (by, was, is) => {
    const changes = changesBetween(of(was), of(is));
    const text = reportOf(changes, BOTH, { isExplained: true });
    expect(text).toContain(`, by ${by})`);
    expect(reportOf(changes, BOTH)).not.toContain(', by ');
  });
});
