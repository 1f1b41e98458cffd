// Which source may import which: imports run downwards, inside of each package and between them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Sources {
  readonly folder: string;
  /** The first folder or file below -> what it may import, besides itself: folders and files. */
  readonly mayImport: Readonly<Record<string, readonly string[]>>;
}

const CONTRACT = 'packages/contract/src';
const MOCK = 'packages/mock/src';
const WEBHOOKS = 'packages/webhooks/src';
const TRAFFIC = 'packages/traffic/src';
const STUBWRIGHT = 'packages/stubwright/src';
const VERSIONS = 'packages/versions/src';
const SERVICE = 'packages/service/src';
const DIFF = 'packages/diff/src';
const STORE = 'packages/store/src';
const CLI = 'packages/cli/src';
const CLIENT = 'packages/client/src';
const TOOLS = 'packages/tools/src';

/** The packages below the command. */
const RUNTIME = [CONTRACT, MOCK, WEBHOOKS, TRAFFIC, STUBWRIGHT, VERSIONS, SERVICE];

const ALL: readonly Sources[] = [
  {
    folder: CONTRACT,
    mayImport: {
      errors: [],
      document: ['printable.ts'],
      json: ['errors'],
      bundle: ['document', 'json', 'operations', 'schema'],
      schema: ['document', 'json'],
      operations: ['document', 'json', 'schema'],
      media: ['document', 'errors', 'json', 'operations', 'schema'],
      requests: ['media', 'operations', 'schema'],
      patch: ['document', 'errors', 'json'],
      'patch.ts': ['patch'],
      'index.ts': ['bundle', 'document', 'errors', 'json', 'media', 'operations', 'schema'],
      'printable.ts': ['document'],
      'formats.ts': ['document'],
      'values.ts': ['json', 'media', 'operations', 'requests', 'schema'],
    },
  },
  {
    folder: MOCK,
    mayImport: {
      'exchange.ts': [CONTRACT],
      'mocked.ts': [],
      sampling: [CONTRACT],
      requests: ['sampling', CONTRACT],
      replies: ['exchange.ts', 'mocked.ts', 'sampling', CONTRACT],
      state: ['exchange.ts', 'mocked.ts', 'replies', CONTRACT],
      'mockHandler.ts': ['exchange.ts', 'mocked.ts', 'replies', 'sampling', 'state', CONTRACT],
      'samples.ts': ['sampling'],
      'index.ts': ['exchange.ts', 'mockHandler.ts', 'replies', 'requests'],
    },
  },
  {
    folder: WEBHOOKS,
    mayImport: {
      'outbox.ts': [],
      'outgoing.ts': [CONTRACT],
      'olderMessages.ts': ['outgoing.ts', CONTRACT],
      'runtimeExpression.ts': [CONTRACT],
      'signature.ts': [CONTRACT],
      'delivery.ts': ['outbox.ts', 'signature.ts', CONTRACT],
      'postgresOutbox.ts': ['outbox.ts'],
      'sqliteOutbox.ts': ['outbox.ts'],
      'sender.ts': [
        ...['delivery.ts', 'olderMessages.ts', 'outbox.ts', 'outgoing.ts'],
        ...['runtimeExpression.ts', CONTRACT],
      ],
      'index.ts': [
        ...['delivery.ts', 'olderMessages.ts', 'outbox.ts', 'postgresOutbox.ts'],
        'runtimeExpression.ts',
        ...['sender.ts', 'signature.ts', 'sqliteOutbox.ts', CONTRACT],
      ],
    },
  },
  {
    folder: TRAFFIC,
    mayImport: {
      record: [CONTRACT],
      recording: [CONTRACT],
      reading: ['record', 'recording'],
      replay: ['record', CONTRACT],
      'index.ts': ['reading', 'record', 'recording', 'replay'],
    },
  },
  {
    folder: STUBWRIGHT,
    mayImport: {
      request: [CONTRACT],
      response: [CONTRACT],
      security: ['request', CONTRACT],
      idempotency: ['request', 'response', CONTRACT],
      'idempotency.ts': ['idempotency'],
      deprecation: ['request', 'response', CONTRACT],
      patch: ['request', CONTRACT],
      'patch.ts': ['patch', CONTRACT],
      conditional: ['request', 'response', CONTRACT],
      pipeline: [
        ...[
          'conditional',
          'deprecation',
          'idempotency',
          'pages',
          'request',
          'response',
          'security',
          CONTRACT,
          MOCK,
        ],
      ],
      adapters: ['request', 'response', CONTRACT],
      testing: ['pipeline', 'request', 'response', CONTRACT, MOCK],
      'index.ts': ['pipeline', 'request', 'response', 'security', CONTRACT, MOCK],
      'koa.ts': ['adapters', 'pipeline', 'request', CONTRACT],
      'node.ts': ['adapters', 'pipeline', 'request'],
      'fetch.ts': ['pipeline', 'request', 'response', CONTRACT],
      'testing.ts': ['pipeline', 'response', 'testing', CONTRACT],
      pages: ['request', CONTRACT],
      'pageTypes.ts': ['pages', 'pipeline'],
      'pages.ts': ['pages', 'pageTypes.ts', 'pipeline'],
      'webhooks.ts': [WEBHOOKS],
      'recording.ts': ['pipeline', TRAFFIC],
      'conditional.ts': ['conditional'],
      'client-validation.ts': ['pipeline', 'request', 'response', CONTRACT],
      'koa-internals.ts': ['adapters', 'request'],
      'internals.ts': [
        ...[
          'adapters',
          'deprecation',
          'idempotency',
          'pipeline',
          'request',
          'response',
          'security',
        ],
      ],
      'bin.ts': [],
    },
  },
  {
    folder: VERSIONS,
    mayImport: {
      'configuration.ts': [CONTRACT],
      'converters.ts': [CONTRACT, STUBWRIGHT],
      'converterTypes.ts': [CONTRACT, STUBWRIGHT],
      'valueConversion.ts': ['converters.ts', CONTRACT, STUBWRIGHT],
      'linkOperation.ts': ['converters.ts', 'valueConversion.ts', CONTRACT, STUBWRIGHT],
      'versionLink.ts': [
        ...['configuration.ts', 'converters.ts', 'linkOperation.ts', 'valueConversion.ts'],
        ...[CONTRACT, STUBWRIGHT],
      ],
      'servedVersion.ts': ['converters.ts', 'versionLink.ts', CONTRACT, STUBWRIGHT],
      'versionSelection.ts': ['configuration.ts', CONTRACT, STUBWRIGHT],
      'versionedEngine.ts': ['configuration.ts', 'versionSelection.ts', CONTRACT, STUBWRIGHT],
      'versions.ts': [
        ...['configuration.ts', 'converters.ts', 'servedVersion.ts', 'versionLink.ts'],
        ...['versionSelection.ts', 'versionedEngine.ts', CONTRACT, STUBWRIGHT],
      ],
      'index.ts': [
        ...['configuration.ts', 'converters.ts', 'converterTypes.ts', 'servedVersion.ts'],
        ...['versionLink.ts', 'versionSelection.ts', 'versionedEngine.ts', 'versions.ts'],
      ],
    },
  },
  {
    folder: SERVICE,
    mayImport: {
      'nodeHttp.ts': [],
      docs: [CONTRACT, MOCK, STUBWRIGHT, VERSIONS],
      operations: ['nodeHttp.ts', CONTRACT, STUBWRIGHT],
      server: ['nodeHttp.ts', 'operations', CONTRACT, STUBWRIGHT],
      'resources.ts': ['operations'],
      'settings.ts': ['operations', CONTRACT, STUBWRIGHT],
      'startError.ts': [],
      'numericOptions.ts': ['operations', 'server', 'settings.ts', CONTRACT],
      'authentication.ts': ['operations', 'settings.ts', CONTRACT, STUBWRIGHT],
      'optional.ts': [
        ...['operations', 'resources.ts', 'settings.ts', CONTRACT, STUBWRIGHT, VERSIONS],
      ],
      'cursorSecrets.ts': ['settings.ts', CONTRACT],
      'activeContract.ts': [
        ...['cursorSecrets.ts', 'docs', 'optional.ts', 'settings.ts'],
        ...[CONTRACT, STUBWRIGHT, VERSIONS],
      ],
      'options.ts': [
        ...['operations', 'resources.ts', 'server', 'settings.ts', CONTRACT, MOCK, STUBWRIGHT],
      ],
      'apis.ts': ['activeContract.ts', 'options.ts', 'settings.ts', CONTRACT, STUBWRIGHT],
      'serving.ts': [
        ...['apis.ts', 'operations', 'optional.ts', 'resources.ts', 'server', 'settings.ts'],
        ...[CONTRACT, STUBWRIGHT],
      ],
      'service.ts': [
        ...['activeContract.ts', 'apis.ts', 'authentication.ts', 'cursorSecrets.ts'],
        ...[
          'numericOptions.ts',
          'operations',
          'optional.ts',
          'options.ts',
          'resources.ts',
          'server',
          'serving.ts',
        ],
        ...['settings.ts', CONTRACT, MOCK, STUBWRIGHT],
      ],
      'process.ts': [
        ...['authentication.ts', 'operations', 'options.ts', 'service.ts'],
        ...['settings.ts', 'startError.ts'],
      ],
      'index.ts': [
        ...['authentication.ts', 'operations', 'options.ts', 'process.ts', 'resources.ts'],
        ...['server', 'service.ts', 'settings.ts', 'startError.ts', CONTRACT, MOCK, STUBWRIGHT],
      ],
    },
  },
  {
    folder: DIFF,
    mayImport: {
      values: [CONTRACT],
      rules: ['values', CONTRACT],
      // Strings that a pattern matches.
      schema: ['rules', 'values', CONTRACT, MOCK],
      counterexample: ['rules', 'schema', 'values', CONTRACT, MOCK],
      contract: ['counterexample', 'rules', 'schema', 'values', CONTRACT],
      report: ['rules', CONTRACT],
      traffic: ['rules', CONTRACT, TRAFFIC, STUBWRIGHT],
      library: ['contract', 'report', 'rules', 'traffic', CONTRACT, TRAFFIC],
      'index.ts': ['contract', 'counterexample', 'library', 'report', 'rules'],
      'versions.ts': ['report'],
      'formats.ts': ['report'],
      'traffic-internals.ts': ['traffic'],
      'internals.ts': ['counterexample', 'rules', 'schema', 'values'],
    },
  },
  {
    folder: STORE,
    mayImport: {
      'table.ts': [],
      'writes.ts': ['table.ts'],
      'store.ts': ['table.ts', 'writes.ts'],
      'schema.ts': ['store.ts', 'table.ts'],
      'readiness.ts': [],
      'groupCommit.ts': ['readiness.ts', 'store.ts'],
      'writeQueue.ts': ['groupCommit.ts', 'readiness.ts', 'store.ts', 'table.ts', 'writes.ts'],
      'transactions.ts': ['store.ts'],
      sqlite: [
        ...['groupCommit.ts', 'readiness.ts', 'schema.ts', 'store.ts', 'table.ts'],
        ...['transactions.ts', 'writeQueue.ts', 'writes.ts'],
      ],
      postgres: [
        ...['groupCommit.ts', 'readiness.ts', 'schema.ts', 'store.ts', 'table.ts'],
        ...['transactions.ts', 'writeQueue.ts', 'writes.ts'],
      ],
      'open.ts': ['postgres', 'schema.ts', 'sqlite', 'store.ts'],
      'storeMetrics.ts': ['store.ts'],
      'idempotency.ts': ['store.ts'],
      'outbox.ts': ['store.ts'],
      'rowsAfter.ts': ['store.ts', 'table.ts'],
      'move.ts': ['store.ts', 'table.ts'],
      'moveCommand.ts': ['move.ts', 'open.ts', 'schema.ts', 'store.ts'],
      'index.ts': [
        ...[
          'idempotency.ts',
          'move.ts',
          'moveCommand.ts',
          'open.ts',
          'outbox.ts',
          'rowsAfter.ts',
          'schema.ts',
        ],
        ...['store.ts', 'storeMetrics.ts', 'table.ts', 'writes.ts'],
      ],
      'service.ts': ['open.ts', 'store.ts', 'storeMetrics.ts', 'table.ts', SERVICE, STUBWRIGHT],
    },
  },
  {
    folder: CLI,
    mayImport: {
      'main.ts': ['run.ts'],
      'run.ts': ['commands', 'output'],
      'loader.ts': ['loading'],
      patterns: [...RUNTIME],
      loading: ['patterns', ...RUNTIME],
      output: ['loading', CONTRACT],
      check: ['loading', 'output', 'patterns', 'project', ...RUNTIME],
      coverage: ['loading', ...RUNTIME],
      commands: [
        ...['check', 'client', 'coverage', 'dev', 'loading', 'output', 'project'],
        ...['proxy', 'release', 'replay', 'serving', 'traffic', 'types', DIFF],
        ...RUNTIME,
      ],
      serving: ['check', 'loading', 'output', 'project', 'types', DIFF, ...RUNTIME],
      project: ['loading', 'output', 'types', DIFF, ...RUNTIME],
      dev: ['check', 'loading', 'output', 'project', 'serving', DIFF, ...RUNTIME],
      release: [
        'check',
        'client',
        'coverage',
        'loading',
        'output',
        'project',
        'serving',
        'types',
        DIFF,
        ...RUNTIME,
      ],
      replay: [
        ...['check', 'client', 'loading', 'output', 'project', 'release', 'serving'],
        ...['types', DIFF, ...RUNTIME],
      ],
      proxy: ['output', ...RUNTIME],
      types: ['loading', ...RUNTIME],
      client: ['types', ...RUNTIME],
      traffic: ['output', DIFF, ...RUNTIME],
    },
  },
  {
    folder: CLIENT,
    mayImport: {
      'json.ts': [],
      'exactJson.ts': ['json.ts'],
      'numericOptions.ts': ['options.ts'],
      'schema.ts': ['json.ts'],
      'styles.ts': [],
      'textValues.ts': ['json.ts'],
      'anyReply.ts': [],
      'errors.ts': ['anyReply.ts'],
      'mediaTypes.ts': [],
      'timeLimit.ts': [],
      'bodyStream.ts': ['timeLimit.ts'],
      'bodies.ts': ['json.ts', 'mediaTypes.ts', 'styles.ts'],
      'replies.ts': [
        ...['anyReply.ts', 'bodyStream.ts', 'errors.ts', 'json.ts', 'mediaTypes.ts'],
        ...['options.ts', 'textValues.ts'],
      ],
      'streams.ts': [
        ...['bodies.ts', 'bodyStream.ts', 'errors.ts', 'json.ts', 'mediaTypes.ts', 'replies.ts'],
      ],
      'options.ts': ['anyReply.ts'],
      'credentials.ts': ['styles.ts'],
      'delays.ts': [],
      'connection.ts': ['anyReply.ts', 'numericOptions.ts', 'credentials.ts', 'options.ts'],
      'operationSpec.ts': ['bodies.ts', 'connection.ts', 'replies.ts', 'styles.ts'],
      'send.ts': [
        'numericOptions.ts',
        ...['anyReply.ts', 'bodies.ts', 'connection.ts', 'delays.ts', 'errors.ts'],
        ...['operationSpec.ts', 'options.ts', 'replies.ts', 'styles.ts', 'timeLimit.ts'],
      ],
      'types.ts': ['options.ts', 'streams.ts'],
      'operation.ts': [
        ...['anyReply.ts', 'bodies.ts', 'connection.ts', 'credentials.ts', 'operationSpec.ts'],
        ...['mediaTypes.ts', 'options.ts', 'send.ts', 'styles.ts', 'types.ts'],
      ],
      'unwrap.ts': ['anyReply.ts', 'errors.ts', 'types.ts'],
      'idempotency.ts': [
        ...['connection.ts', 'operation.ts', 'options.ts', 'styles.ts', 'types.ts'],
      ],
      'nextPage.ts': ['anyReply.ts', 'connection.ts', 'options.ts', 'send.ts'],
      'pages.ts': [
        ...['anyReply.ts', 'connection.ts', 'nextPage.ts', 'numericOptions.ts', 'operation.ts'],
        ...['options.ts', 'types.ts', 'unwrap.ts'],
      ],
      'tanstack.ts': [
        ...['anyReply.ts', 'connection.ts', 'errors.ts', 'idempotency.ts', 'nextPage.ts'],
        ...['operation.ts', 'options.ts', 'types.ts', 'unwrap.ts'],
      ],
      'mockedUrls.ts': [],
      'msw.ts': ['json.ts', 'mediaTypes.ts', 'mockedUrls.ts', 'replyWriter.ts', 'types.ts'],
      'replyWriter.ts': ['bodies.ts', 'conversion.ts', 'conversions.ts', 'replies.ts'],
      'reconnect.ts': [
        ...['anyReply.ts', 'connection.ts', 'errors.ts', 'numericOptions.ts', 'operation.ts'],
        ...['options.ts', 'send.ts', 'streams.ts'],
      ],
      'conversion.ts': ['bodies.ts', 'json.ts', 'mediaTypes.ts', 'schema.ts'],
      'dates.ts': ['conversion.ts'],
      'int64.ts': ['conversion.ts', 'json.ts'],
      'conversions.ts': [
        ...['anyReply.ts', 'bodies.ts', 'connection.ts', 'conversion.ts', 'dates.ts', 'errors.ts'],
        ...['int64.ts', 'json.ts', 'operation.ts', 'options.ts', 'replies.ts'],
      ],
      'index.ts': [
        ...['anyReply.ts', 'bodies.ts', 'connection.ts', 'credentials.ts', 'errors.ts', 'json.ts'],
        ...[
          'exactJson.ts',
          'operation.ts',
          'operationSpec.ts',
          'options.ts',
          'replies.ts',
          'schema.ts',
        ],
        ...['streams.ts', 'styles.ts', 'textValues.ts', 'types.ts', 'unwrap.ts'],
      ],
    },
  },
  {
    folder: TOOLS,
    mayImport: {
      'apiReport.ts': [],
      'size.ts': ['packages/service/src', 'src'],
      pack: [],
      corpus: [CLI, ...RUNTIME],
    },
  },
  {
    folder: 'src',
    mayImport: {
      plants: [],
      store: ['plants', STORE],
      handlers: ['plants', ...RUNTIME],
      'config.ts': [STORE, ...RUNTIME],
      'service.ts': ['config.ts', 'handlers', 'store', STORE, ...RUNTIME],
      'main.ts': ['config.ts', 'service.ts', ...RUNTIME],
    },
  },
];

/** What reads the environment: a process starts there. */
const PROCESSES = [`${STUBWRIGHT}/bin.ts`, `${SERVICE}/process.ts`, `${CLI}/main.ts`];

/** Imports that are resolved at load time; only these can form a cycle. */
const AT_ONCE = /from '([^']+)'/g;
const ANY = /(?:from |import\()'([^']+)'/g;

const files = ALL.flatMap(({ folder }) =>
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

function sourcesOf(file: string): Sources {
  return ALL.find(({ folder }) => file.startsWith(`${folder}/`))!;
}

function placeOf(file: string): string {
  return file.slice(sourcesOf(file).folder.length + 1).split('/')[0]!;
}

describe.each(files)('%s', (file) => {
  it('imports only permitted modules', () => {
    const { folder, mayImport } = sourcesOf(file);
    const place = placeOf(file);
    const imported = filesImportedBy(file, ANY)
      .map((target) =>
        sourcesOf(target).folder === folder ? placeOf(target) : sourcesOf(target).folder,
      )
      .filter((target) => target !== place);
    expect(Object.keys(mayImport)).toContain(place);
    expect(imported.filter((target) => !mayImport[place]!.includes(target))).toEqual([]);
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
    ['jose', 'auth/jwks.ts auth/jwt.ts'],
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
    expect(loaded).toEqual(['@stubwright/contract', 'stubwright/internals']);
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
    ...['service', 'store', 'diff', 'cli', 'client'],
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
      'packages/cli/src/output/progress.ts',
      // Turns of the event loop, and files that others left.
      'packages/contract/src/document/sendDocument.ts',
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
    expect(found.map(({ file }) => file).sort()).toEqual([
      // Node names a missing module in its message alone.
      'packages/cli/src/dev/freshModules.ts',
      'packages/store/src/open.ts',
      // pg has no code for a connection that ends.
      'packages/store/src/postgres/session.ts',
      'packages/versions/src/servedVersion.ts',
    ]);
  });

  it('imports nothing of the plant store', () => {
    const outside = texts
      .filter(({ file }) => file.endsWith('.ts'))
      .flatMap(({ file }) =>
        importsOf(file, ANY)
          .filter((from) => from.startsWith('.'))
          .map((from) => normalize(join(dirname(file), from)))
          .filter((target) => !target.startsWith('packages/')),
      );
    expect(outside).toEqual([]);
  });
});

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

  it.each(ALL)('have no import cycles between the folders of $folder', ({ mayImport }) => {
    // An entry such as testing.ts imports the folder of its name.
    const graph = Object.entries(mayImport).filter(([place]) => !place.endsWith('.ts'));
    expect(cyclesOf(new Map(graph))).toEqual([]);
  });
});
