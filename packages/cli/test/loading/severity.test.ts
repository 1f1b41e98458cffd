// The messages of the installed version of Redocly, which severity.ts classifies.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { NormalizedProblem } from '@redocly/openapi-core';
import { classify } from '../../src/loading/severity.ts';

const require = createRequire(import.meta.url);
const LIB = dirname(require.resolve('@redocly/openapi-core'));

/** Names in message templates -> what they stand for. */
const VALUES: Readonly<Record<string, string>> = {
  'type.name': 'Schema',
  nodeType: 'string',
  'propSchema.type': 'string',
  propValueType: 'number',
  itemsType: 'string',
  'oasTypeOf(item)': 'number',
  existingSamePath: '/toys/{id}',
  pathName: '/toys/{name}',
  'ambiguousPath.path': '/toys/{id}',
  currentPath: '/toys/{name}',
};

/** @returns the messages that a module reports, with values for their expressions */
function messagesOf(module: string): string[] {
  const source = readFileSync(join(LIB, module), 'utf8');
  const texts = [...source.matchAll(/message: (`(?:[^`\\]|\\.)*`|'[^']*')/g)];
  return texts.map(([, text]) =>
    text!
      .slice(1, -1)
      .replaceAll('\\`', '`')
      .replace(/\$\{([^}]*)\}/g, (_, name: string) => VALUES[name] ?? 'name'),
  );
}

function problem(message: string, ruleId = 'struct'): NormalizedProblem {
  const location = [{ source: {}, pointer: '#/paths' }];
  return { ruleId, severity: 'warn', message, location, suggest: [] } as never;
}

describe('the rule struct', () => {
  const messages = messagesOf('rules/common/struct.js');

  it('reports as many messages as are classified', () => {
    expect(messages).toHaveLength(9);
  });

  it.each(messages)('has no unknown message: %s', (message) => {
    expect(classify(problem(message))?.text).not.toContain('expected valid OpenAPI');
  });

  it('makes an unknown message an error', () => {
    expect(classify(problem('The moon is full.'))).toEqual({
      isError: true,
      text: 'The moon is full  expected valid OpenAPI',
    });
  });
});

describe.each(['no-identical-paths', 'no-ambiguous-paths'])('the rule %s', (rule) => {
  const messages = messagesOf(`rules/common/${rule}.js`);

  it('reports one message, which is a warning with both paths', () => {
    expect(messages.map((each) => classify(problem(each, rule)))).toEqual([
      {
        isError: false,
        text: '/toys/{name} is ambiguous with /toys/{id}, which takes precedence  expected unambiguous paths',
      },
    ]);
  });

  it('makes an unknown message an error', () => {
    expect(classify(problem('The paths `/a` collide.', rule))).toEqual({
      isError: true,
      text: 'The paths /a collide  expected valid OpenAPI',
    });
  });
});

describe('@redocly/openapi-core', () => {
  it('is a dependency with an exact version, which is installed', () => {
    const { dependencies } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
    const { version } = JSON.parse(readFileSync(join(LIB, '../package.json'), 'utf8'));
    expect(dependencies['@redocly/openapi-core']).toBe(version);
  });
});
