// Who may know whom: the imports of src/ run downwards, as the README's layout says.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Place in src/ -> the places that it may import. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'main.ts': ['config.ts', 'identity.ts', 'log.ts', 'service.ts', 'startError.ts'],
  'service.ts': [
    'admin',
    'admission',
    'app.ts',
    'auth',
    'config.ts',
    'contract',
    'identity.ts',
    'log.ts',
    'optional.ts',
    'plants',
    'served.ts',
    'server.ts',
    'store',
  ],
  'served.ts': [
    'config.ts',
    'contract',
    'docs',
    'handlers',
    'identity.ts',
    'optional.ts',
    'plants',
  ],
  'optional.ts': ['admin', 'admission', 'config.ts', 'plants', 'tracing'],
  'identity.ts': ['auth', 'config.ts', 'contract', 'log.ts'],
  'app.ts': ['contract', 'koaBody.ts', 'log.ts'],
  'koaBody.ts': ['contract'],
  'server.ts': ['admission', 'closing.ts', 'contract', 'refusal.ts'],
  'refusal.ts': ['closing.ts', 'contract'],
  'closing.ts': [],
  'config.ts': ['admission', 'auth'],
  'log.ts': [],
  'startError.ts': [],
  admin: [],
  admission: ['contract'],
  auth: ['contract'],
  contract: [],
  dev: ['config.ts', 'contract', 'evolution', 'handlers', 'log.ts', 'service.ts', 'startError.ts'],
  docs: ['contract'],
  evolution: ['contract'],
  handlers: ['contract', 'plants'],
  plants: [],
  store: ['plants'],
  tracing: ['contract'],
  tools: [
    'config.ts',
    'contract',
    'dev',
    'evolution',
    'identity.ts',
    'log.ts',
    'plants',
    'startError.ts',
    'store',
  ],
};

/** What starts the service; whatever else it needs to know it is told. */
const PROCESSES = ['main.ts', 'tools/dev.ts'];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

function importsOf(file: string, pattern = /(?:from |import\()'([^']+)'/g): string[] {
  const text = readFileSync(join('src', file), 'utf8');
  return [...text.matchAll(pattern)].map(([, from]) => from!);
}

/** What is imported while loading; a circle of these is one. */
const AT_ONCE = /from '([^']+)'/g;

function placeOf(file: string): string {
  return file.split('/')[0]!;
}

describe.each(files)('src/%s', (file) => {
  it('imports only what its place may know', () => {
    const place = placeOf(file);
    const reached = importsOf(file)
      .filter((from) => from.startsWith('.'))
      .map((from) => relative('src', join('src', dirname(file), from)))
      .filter((target) => !target.startsWith('../generated/'))
      .map(placeOf)
      .filter((target) => target !== place);
    expect(Object.keys(MAY_IMPORT)).toContain(place);
    expect(reached.filter((target) => !MAY_IMPORT[place]!.includes(target))).toEqual([]);
  });

  it('opens with what it holds', () => {
    expect(readFileSync(join('src', file), 'utf8')).toMatch(/^\/\/ \S/);
  });

  it('reads process.env only where a process starts', () => {
    const reads = /process\.env/.test(
      readFileSync(join('src', file), 'utf8').replace(/^ *\/\/.*$/gm, ''),
    );
    expect(reads && !PROCESSES.includes(file)).toBe(false);
  });
});

describe('what only some services need', () => {
  it.each([
    ['prom-client', 'admin/metrics.ts'],
    ['@opentelemetry/api', 'tracing/trace.ts'],
    ['rate-limiter-flexible', 'admission/rateLimit.ts'],
    ['jose', 'auth/issuerKeys.ts auth/jwt.ts'],
  ])('is loaded where it is asked for: %s', (library, places) => {
    const importing = (pattern: RegExp) =>
      files.filter((file) => pattern.test(readFileSync(join('src', file), 'utf8'))).join(' ');
    expect(importing(new RegExp(`from '${library}'`))).toBe(places);
    const folder = places.split('/')[0];
    expect(
      importing(
        new RegExp(`^import (?!type)[^;]*from '\\./${folder}/(jwt|issuer|open|rate|trace)`, 'm'),
      ),
    ).toBe('');
  });
});

describe.each(['handlers', 'plants', 'store'])('src/%s', (place) => {
  it('knows no HTTP and no Koa', () => {
    const all = files.filter((file) => placeOf(file) === place).flatMap((file) => importsOf(file));
    expect(all.filter((from) => /^(node:http|koa)/.test(from))).toEqual([]);
  });
});

describe('src/docs/site.ts', () => {
  it('loads nothing of the page until it is asked for', () => {
    const text = readFileSync('src/docs/site.ts', 'utf8');
    const loaded = [...text.matchAll(/^import (?!type )[^;]* from '([^']+)'/gm)].map(
      ([, from]) => from,
    );
    expect(loaded).toEqual(['../contract/exchange.ts', '../contract/problem.ts']);
  });
});

describe('src/', () => {
  it('has no circle of imports', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file, AT_ONCE)
          .filter((from) => from.startsWith('.'))
          .map((from) => relative('src', join('src', dirname(file), from))),
      ]),
    );
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) circles.push([...path, file].join(' -> '));
      else for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });
});
