// Which source may import which: imports run downwards, inside of each package and between them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Each imports earlier ones only. */
const PACKAGES = [
  ...['contract', 'client', 'mock', 'webhooks', 'traffic', 'stubwright', 'versions', 'service'],
  ...['store', 'diff', 'cli', 'lsp', 'tools'],
].map((name) => `packages/${name}/src`);
const [CONTRACT, , , , , STUBWRIGHT, , SERVICE, , , CLI] = PACKAGES;
/** The packages of a running service. */
const RUNTIME = PACKAGES.slice(0, 8).filter((folder) => folder !== 'packages/client/src');
const FOLDERS = [...PACKAGES, 'src'];

/** What reads the environment: a process starts there. */
const PROCESSES = [
  ...[`${STUBWRIGHT}/bin.ts`, `${SERVICE}/process.ts`, `${CLI}/main.ts`],
  // GIT_DIR is in the environment of the git that it starts.
  `${CLI}/loading/gitRevision.ts`,
];

/** Measures the plant store. */
const MEASURING = 'packages/tools/src/size.ts';

/** Imports that are resolved at load time; only these can form a cycle. */
const AT_ONCE = /from '([^']+)'/g;
const ANY = /(?:from |import[ (])'([^']+)'/g;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => join(folder, file)),
);

function importsOf(file: string, pattern: RegExp): string[] {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, from]) => from!);
}

/** @returns the files of this repository that a file imports, without generated types */
function filesImportedBy(file: string, pattern: RegExp): string[] {
  return importsOf(file, pattern)
    .map((from) => fileOf(from, file))
    .filter((target) => target !== undefined && !target.startsWith('generated/')) as string[];
}

function fileOf(from: string, file: string): string | undefined {
  if (from.startsWith('.')) return normalize(join(dirname(file), from));
  const [, name, entry = ''] = /^(?:@stubwright\/)?(\w+)((?:\/[\w-]+)?)$/.exec(from) ?? [];
  // A generated client imports @stubwright/client.
  if (name === undefined || !/^(?:@stubwright\/(?!client)|stubwright\b)/.test(from))
    return undefined;
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  const target: string | undefined = exports[`.${entry}`];
  return target?.endsWith('.ts') ? join('packages', name, target) : undefined;
}

/** @returns the index of the package of a file in the order of imports */
function layerOf(file: string): number {
  return FOLDERS.findIndex((folder) => file.startsWith(`${folder}/`));
}

describe.each(files)('%s', (file) => {
  it('imports its package and earlier ones', () => {
    const later = filesImportedBy(file, ANY).filter((target) => layerOf(target) > layerOf(file));
    expect(file === MEASURING ? [] : later).toEqual([]);
  });

  it('starts with a header comment', () => {
    expect(readFileSync(file, 'utf8')).toMatch(/^(?:#!.*\n)?\/\/ \S/);
  });

  it('reads process.env only where a process starts', () => {
    const code = readFileSync(file, 'utf8').replace(/^ *\/\/.*$/gm, '');
    expect(/process\.env/.test(code) && !PROCESSES.includes(file)).toBe(false);
  });
});

describe(`${CLI}/run.ts`, () => {
  it('uses the folder, streams, environment and signals of its caller', () => {
    const own = /process\.(?:argv|cwd|exit|exitCode|kill|on|once|stderr|stdin|stdout)\b|console\./;
    const using = files.filter(
      (file) => file.startsWith(`${CLI}/`) && own.test(readFileSync(file, 'utf8')),
    );
    // The process, and a reporter of jest.
    expect(using.sort()).toEqual([`${CLI}/coverage/reporter.ts`, `${CLI}/main.ts`]);
  });
});

describe('optional libraries', () => {
  it.each([
    ['prom-client', 'admin/metrics.ts'],
    ['@opentelemetry/api', 'trace.ts'],
    ['rate-limiter-flexible', 'rateLimit.ts'],
    ['jose', 'auth/jwt.ts'],
    ['oauth4webapi', 'auth/introspection.ts'],
  ])('are imported only where needed: %s', (library, places) => {
    const folder = `${SERVICE}/operations`;
    const importing = (pattern: RegExp) =>
      files.filter((file) => pattern.test(readFileSync(file, 'utf8')));
    expect(importing(new RegExp(`from '${library}'`)).join(' ')).toBe(
      places.replaceAll(/(?<=^| )/g, `${folder}/`),
    );
    // Only `import()`, and types.
    const atOnce = files
      .filter((file) => !file.startsWith(folder))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/^import (?!type )[^;]*from '([^']+)'/gm)].map(
          ([, from]) => normalize(join(dirname(file), from!)),
        ),
      );
    expect(
      atOnce.filter((target) => places.split(' ').some((each) => target === `${folder}/${each}`)),
    ).toEqual([]);
  });
});

describe.each(['handlers', 'plants', 'store'])('src/%s', (place) => {
  it('does not depend on HTTP or Koa', () => {
    const own = files.filter((file) => file.startsWith(`src/${place}/`));
    const imported = own.flatMap((file) => importsOf(file, ANY));
    expect(imported.filter((from) => /^(node:http|koa)/.test(from))).toEqual([]);
  });
});

describe(`${SERVICE}/docs/docs.ts`, () => {
  it('loads the page on first request', () => {
    const text = readFileSync(`${SERVICE}/docs/docs.ts`, 'utf8');
    const loaded = [...text.matchAll(/^import (?!type )[^;]* from '([^']+)'/gm)].map(
      ([, from]) => from,
    );
    expect(loaded.filter((from) => !from!.startsWith('node:'))).toEqual([
      '@stubwright/contract',
      'stubwright/internals',
    ]);
  });
});

describe.each(RUNTIME)('%s', (folder) => {
  it('loads node:http without undici', () => {
    const importing = files
      .filter((file) => file.startsWith(`${folder}/`))
      .filter((file) =>
        /^import (?!type )[^;]* from 'node:https?'/m.test(readFileSync(file, 'utf8')),
      );
    expect(importing).toEqual([]);
  });
});

describe('a fact about a contract', () => {
  const sources = files.filter((file) => file.startsWith('packages/'));
  const using = (pattern: RegExp) =>
    sources.filter((file) => pattern.test(readFileSync(file, 'utf8')));
  const outside = (pattern: RegExp) =>
    using(pattern).filter((file) => !file.startsWith(`${CONTRACT}/`));
  const count = (pattern: RegExp) =>
    sources.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)]).length;

  it('is read from nodes in packages/contract and in the loader alone', () => {
    const raw = /LocatedNode|[dD]efinition\)?[!?]?\.(?:at|children|descendant|follow|step)\(/;
    expect(outside(raw).filter((file) => !file.startsWith(`${CLI}/loading/`))).toEqual([]);
  });

  it('has one selection of a media type', () => {
    // Of the entries of `content`, and of the media types of one part of a form.
    expect(count(/matchMediaType\(/g)).toBeLessThanOrEqual(3);
    expect(outside(/matchMediaType\(/)).toEqual([]);
  });

  it('has one reader of content maps', () => {
    expect(count(/children\(.*'content'/g)).toBe(1);
  });
});

describe('packages/', () => {
  const folders = [
    ...['contract', 'mock', 'webhooks', 'traffic', 'stubwright', 'versions'],
    ...['service', 'store', 'diff', 'cli', 'client', 'lsp'],
  ]
    .flatMap((name) => ['src', 'test'].map((part) => `packages/${name}/${part}`))
    .filter(existsSync);
  const texts = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile()),
    )
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

  it('does not mention the plant store in sources, tests and file names', () => {
    const named = texts.filter(({ file, text }) => /plant/i.test(file + text));
    expect(named.map(({ file }) => file)).toEqual([]);
  });

  it('has no two exports with one name', () => {
    const names = texts
      .filter(({ file }) => /^packages\/\w+\/src\/.*\.ts$/.test(file))
      .flatMap(({ text }) => {
        const exported = text.matchAll(
          /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
        );
        // The overloads of a function are one export.
        return [...new Set([...exported].map(([, name]) => name!))];
      });
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('reads no clock and no random number where the result depends on the contract alone', () => {
    const reading = texts.filter(
      ({ file, text }) =>
        /^packages\/(?:cli|contract|diff|mock)\/src\//.test(file) &&
        /\b(?:Date\.now|performance\.now|hrtime|Math\.random|new Date\(\))/.test(text),
    );
    expect(reading.map(({ file }) => file).sort()).toEqual([
      // Lines for people.
      'packages/cli/src/commands/serveVersion.ts',
      ...['develop', 'watch'].map((name) => `packages/cli/src/dev/${name}.ts`),
      'packages/cli/src/output/terminal.ts',
      // Files that others left.
      'packages/contract/src/media/multipart/uploadFolder.ts',
      // Expired acceptances, and dates of Sunset.
      'packages/diff/src/report/policy.ts',
      'packages/diff/src/rules/sunset.ts',
    ]);
  });

  it('matches no sentence of a library', () => {
    const matching =
      /(?:message|stack)\b\)?[?!]?\.(?:match|matchAll|includes|startsWith|endsWith|search)\(|\.(?:test|exec)\([^()]*(?:message|stack)\b/;
    const found = texts.filter(({ file, text }) => /\/src\//.test(file) && matching.test(text));
    expect(found.map(({ file }) => file)).toEqual([]);
  });
});

describe.each([...readdirSync('packages').map((name) => `packages/${name}`), 'src'])(
  '%s',
  (folder) => {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/(?:^|\/)node_modules\//.test(file))
      .map((file) => join(folder, file))
      .filter((file) => file !== MEASURING);

    it('imports of other packages their entries alone, also in its tests', () => {
      const outside = sources.flatMap((file) =>
        importsOf(file, ANY)
          .filter((from) => from.startsWith('.'))
          .map((from) => normalize(join(dirname(file), from)))
          .filter((target) => !/^generated\//.test(target) && !target.startsWith(`${folder}/`))
          .map((target) => `${file} -> ${target}`),
      );
      expect(outside).toEqual([]);
    });

    // Test files of a worker share modules: a hook at the top would run for the first of them alone.
    it('registers hooks of tests in test files, or in functions that these call', () => {
      const shared = sources.filter((file) => !file.endsWith('.test.ts'));
      const hooked = shared.filter((file) =>
        /^(?:after|before)(?:All|Each)\(/m.test(readFileSync(file, 'utf8')),
      );
      expect(hooked).toEqual([]);
    });
  },
);

/** @returns the cycles of a graph, each as `a -> b -> a` */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]) => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' -> '));
    else if (!done.has(node)) {
      for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
      done.add(node);
    }
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

describe('the sources', () => {
  it('have no import cycles', () => {
    expect(cyclesOf(new Map(files.map((file) => [file, filesImportedBy(file, AT_ONCE)])))).toEqual(
      [],
    );
  });

  it.each(FOLDERS)('have no import cycles between the folders of %s', (folder) => {
    const placeOf = (file: string) => file.slice(folder.length + 1).split('/')[0]!;
    const graph = new Map<string, string[]>();
    for (const file of files.filter((each) => each.startsWith(`${folder}/`))) {
      const imported = filesImportedBy(file, ANY).filter((target) =>
        target.startsWith(`${folder}/`),
      );
      const places = imported.map(placeOf).filter((place) => place !== placeOf(file));
      // An entry such as testing.ts imports the folder of its name.
      const others = places.filter((place) => !place.endsWith('.ts'));
      if (!placeOf(file).endsWith('.ts'))
        graph.set(placeOf(file), [...(graph.get(placeOf(file)) ?? []), ...others]);
    }
    expect(cyclesOf(graph)).toEqual([]);
  });
});
