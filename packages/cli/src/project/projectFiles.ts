// The files of a project that do not depend on its operations: scripts, configuration, CI, image.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Contract } from '@stubwright/contract';
import type { Entry } from './handlerIndex.ts';
import { allowedLines, copyLines, startedFiles } from './layout.ts';
import { literal, propertyKey } from './names.ts';
import { commandsOf, versionedManager, type Workplace } from './packageManager.ts';
import { PG_RANGE, type ProjectStore, projectStore, type StoreName } from './storeFiles.ts';
import { projectTemplates, type TemplateSet, type Values } from './templates.ts';
import { RUNNERS, type RunnerName } from './testRunner.ts';

/** Runtimes of a project besides Node. */
export const TARGETS = ['workers'] as const;
export type TargetName = (typeof TARGETS)[number];

interface FilesOptions {
  readonly workplace: Workplace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly test: RunnerName;
  readonly store?: StoreName | undefined;
  readonly target?: TargetName | undefined;
  readonly has: (path: string) => boolean;
}

/** @returns the files by path, the store, and one line for each file that is left out */
export function projectFiles(
  definition: Contract,
  first: Entry | undefined,
  options: FilesOptions,
): { files: Map<string, string>; leftOut: string[]; store: ProjectStore | undefined } {
  const title = String(definition.title ?? 'Service')
    .replace(/\s+/g, ' ')
    .trim();
  const name = packageName(title);
  const store = options.store && projectStore(definition, options.store, name);
  const started = startedFiles({ hasStore: store !== undefined });
  const files = projectTemplates([...setsOf(options), ...(store?.sets ?? [])], {
    ...versions(),
    ...commandValues(options),
    ...store?.values,
    copied: copyLines(started),
    allowed: allowedLines(started),
    name,
    title,
    verifiers: verifiersText(definition),
    schemes: `[${verifierSchemes(definition).map(literal).join(', ')}]`,
    ...cursorValues(definition),
    workers: options.target === 'workers' ? WORKERS : '',
    ignored: options.target === 'workers' ? '.wrangler/\n' : '',
    tokens: testTokens(definition),
    handler: first?.name ?? 'operation',
    operationId: literal(first?.operationId ?? 'operation'),
    status: String(successOf(definition, first)),
  });
  files.set('package.json', manifestText(files.get('package.json')!, options));
  return { files, leftOut: leftOut(options.workplace), store };
}

/** Of a Worker. `page` of `stubwright/pages` signs the cursors of lists. */
function cursorValues({ operations }: Contract): Values {
  const hasPages = operations.some((operation) => operation.field('x-pagination') !== undefined);
  if (!hasPages) return { cursorBinding: '', cursorSecrets: '' };
  return {
    cursorBinding:
      '  /** Signs the cursors of pages: `npx wrangler secret put CURSOR_SECRET`. */\n' +
      '  readonly CURSOR_SECRET?: string;\n',
    cursorSecrets: '    cursorSecrets: env.CURSOR_SECRET ? [env.CURSOR_SECRET] : undefined,\n',
  };
}

/** Of the README. */
const WORKERS = `
## Run on Cloudflare Workers

\`src/worker.ts\` is the entry, and \`wrangler.jsonc\` its configuration. \`make test\` also calls the Worker, on Node.

\`\`\`sh
npx wrangler dev --var API_TOKEN:secret    # runs it on this machine; callers send this token
npx wrangler secret put API_TOKEN          # the token of callers of the deployed Worker
npx wrangler deploy
\`\`\`
`;

/** @returns the lowest declared success; 200 without one */
function successOf({ operations }: Contract, first: Entry | undefined): number {
  const operation = operations.find(({ operationId }) => operationId === first?.operationId);
  const codes = [...(operation?.responses.keys() ?? [])].filter((key) => /^2\d\d$/.test(key));
  return codes.length === 0 ? 200 : Math.min(...codes.map(Number));
}

function setsOf({ workplace, has, test, target }: FilesOptions): TemplateSet[] {
  const isAlone = workplace.workspace === undefined;
  const needsLinker = isAlone && workplace.manager === 'yarn' && !has('.yarnrc.yml');
  return [
    'service',
    ...(isAlone ? (['image'] as const) : []),
    ...(isAlone && !workplace.isInRepository ? (['repository'] as const) : []),
    ...(needsLinker ? (['yarn'] as const) : []),
    ...(test === 'jest' ? (['jest'] as const) : []),
    ...(target === 'workers' ? (['workers'] as const) : []),
  ];
}

function leftOut({ workspace, isInRepository }: Workplace): string[] {
  return [
    ...(workspace === undefined
      ? []
      : [`Dockerfile: left out, since ${workspace} has the lock file`]),
    ...(workspace === undefined && !isInRepository
      ? []
      : ['.github/workflows/ci.yml: left out, since GitHub reads the root of the repository only']),
  ];
}

function versions(): Values {
  const own = manifestAt(new URL('../../package.json', import.meta.url));
  const runtime = manifestAt(createRequire(import.meta.url).resolve('stubwright/package.json'));
  return {
    ...runtime.peerDependencies,
    // In the sources, types are compiled by a package of the repository.
    typescript: { ...own.devDependencies, ...own.dependencies }['typescript']!,
    stubwright: `^${runtime.version}`,
    service: `^${runtime.version}`,
    cli: `^${own.version}`,
    redocly: own.peerDependencies['@redocly/openapi-core']!,
  };
}

function commandValues({ workplace: { manager, workspace }, test }: FilesOptions): Values {
  const { locks, installed, ...commands } = commandsOf(manager);
  const root = workspace?.replace(/[^/]+$/, '') ?? '';
  const { module, afterAll, script } = RUNNERS[test];
  return {
    ...commands,
    manager,
    installed: `${root}node_modules/${installed}`,
    locks: locks.join(' '),
    allowedLocks: locks.map((name) => `!${name}`).join('\n'),
    // The runner has npm only.
    corepack: manager === 'npm' ? '' : '\n      - run: corepack enable',
    runner: module,
    afterAll,
    test: JSON.stringify(script).slice(1, -1),
  };
}

/** Adds the packages of the test runner and of the store, and the version of the package manager, which corepack reads. */
function manifestText(text: string, { workplace, env, test, store }: FilesOptions): string {
  const { name, ...manifest } = JSON.parse(text) as Record<string, unknown>;
  // Without a version corepack runs Yarn 1, which has other options.
  const isPinned = workplace.workspace === undefined && workplace.manager === 'yarn';
  const packageManager = isPinned ? versionedManager(workplace.manager, env) : undefined;
  const packages = { ...(manifest['devDependencies'] as object), ...RUNNERS[test].packages };
  const stored = {
    ...(manifest['dependencies'] as object),
    ...(store && { '@stubwright/store': versions()['stubwright'] }),
    ...(store === 'postgres' && { pg: PG_RANGE }),
  };
  const dependencies = Object.fromEntries(Object.entries(stored).sort());
  const devDependencies = Object.fromEntries(Object.entries(packages).sort());
  const { version, private: isPrivate, type, ...others } = manifest;
  const first = { name, version, private: isPrivate, type };
  const pinned = packageManager === undefined ? {} : { packageManager };
  // Of `pnpm deploy`, which writes a folder for production.
  const files = startedFiles({ hasStore: store !== undefined }).map(({ path }) => path);
  return `${JSON.stringify({ ...first, ...pinned, files, ...others, dependencies, devDependencies }, null, 2)}\n`;
}

/** @returns the security schemes of the operations; the first has bearer tokens if one has, as JWTs are */
function verifierSchemes({ operations, securitySchemes }: Contract): string[] {
  const schemes = operations.flatMap(({ security }) => security.flatMap(Object.keys));
  const declared = [...new Set(schemes)].filter((name) => securitySchemes.has(name));
  const isBearer = (name: string) => {
    const { type, scheme } = securitySchemes.get(name)!;
    return type === 'oauth2' || type === 'openIdConnect' || scheme === 'bearer';
  };
  return [...declared.filter(isBearer), ...declared.filter((name) => !isBearer(name))];
}

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

function manifestAt(path: string | URL): Manifest {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name */
function packageName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['service'];
  return words.join('-').slice(0, 100);
}

/** In lines of their own: Prettier keeps an object that has a line break. */
function verifiersText(definition: Contract): string {
  const schemes = verifierSchemes(definition);
  if (schemes.length === 0) return '() => ({})';
  const verifiers = schemes.map((name, index) => {
    const verifier = index === 0 ? 'verify' : `verify.forScheme(${literal(name)})`;
    return `    ${propertyKey(name)}: ${verifier},\n`;
  });
  return `(verify) => ({\n${verifiers.join('')}  })`;
}

/** The static tokens of the tests: one with every scope and one without, for each security scheme. */
function testTokens(definition: Contract): string {
  const [, ...others] = verifierSchemes(definition);
  const names = ['', ...others.map((name) => ` scheme=${encodeURIComponent(name)}`)];
  const entries = names.flatMap((scheme) => [
    `token-with-every-scope${scheme} scope=*`,
    `token-without-scopes${scheme}`,
  ]);
  const literals = entries.map(literal);
  return others.length === 0
    ? `[${literals.join(', ')}]`
    : `[\n${literals.map((token) => `  ${token},\n`).join('')}]`;
}
