// The plant store is what `stubwright init openapi.yaml` writes, with its own handler, domain and store.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newProject } from '../packages/cli/src/project/newProject.ts';
import { replaceFiles } from '../packages/cli/src/project/writeFiles.ts';
import { temporaryFolder } from './support/service.ts';

/** Written as init writes them. */
const SAME = [
  'generated/contract.json',
  'generated/contract.ts',
  'openapi.yaml',
  'src/handlers/index.ts',
  'src/handlers/operation.ts',
];

/** The plant store has its own. */
const OWN = [
  ...['.github/workflows/ci.yml', 'README.md', 'src/handlers/createPlant.ts'],
  'test/api/createPlant.test.ts',
  'test/released.test.ts',
];

/** Not in the plant store: its tests run on jest, its repository has another formatter. */
const ABSENT = ['.prettierignore', 'test/support/client.ts', 'test/support/env.ts'];

/** The lines that the plant store does not have; it has all others, in the same order. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  '.dockerignore': [],
  '.gitattributes': [],
  '.gitignore': [],
  Dockerfile: [
    '# The service as an image: Node 24, production dependencies.',
    'RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund',
    'CMD ["node", "src/main.ts"]',
  ],
  Makefile: [
    '# The commands of the project; packages are installed first. Needs Node 22.18 or later, npm and make.',
    'RUN := npm run --silent',
    'STUBWRIGHT := npx --no stubwright',
    '# npm writes this file at an installation; one older than package.json may be incomplete.',
    'export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/compiled',
    '\t@exec $(RUN) start',
    'start: $(INSTALLED) $(BUNDLE) ## Run the service',
    'test: $(INSTALLED) $(BUNDLE) ## Run every test',
    '\t@$(RUN) test',
    'check: $(INSTALLED) ## Types, drift of generated/, contract lint, breaking changes',
    '\t@$(STUBWRIGHT) release',
    '\t@$(STUBWRIGHT) replay $(URL)',
    '\t@$(RUN) check',
    '.PHONY: changelog',
    'changelog: $(INSTALLED) ## The same as Markdown: make changelog FROM=1.0.0 TO=1.1.0',
    '\t@$(STUBWRIGHT) changelog $(CONTRACT) $(if $(FROM),--from $(FROM)) $(if $(TO),--to $(TO))',
    '.PHONY: coverage',
    'coverage: test ## Run every test, and fail on declared responses that none received',
    '\t@$(STUBWRIGHT) coverage',
    'clean: ## Remove what was installed',
    '\trm -rf node_modules',
    '$(INSTALLED): package.json',
    '\tnpm install --no-audit --no-fund --loglevel=error',
    '\t@mkdir -p $(@D) && touch $@',
  ],
  'package.json': [
    '    "@redocly/openapi-core": "^2.64.0",',
    ...['  "files": [', '    "generated",', '    "src",', '    "compatibility.yaml"', '  ],'],
    '    "node": ">=22.18"',
    '    "typescript": "~5.9"',
    '    "start": "node src/main.ts",',
    '    "dev": "stubwright dev",',
    '    "coverage": "stubwright coverage",',
    '    "mock": "stubwright mock openapi.yaml",',
    '    "test": "node --test --experimental-test-isolation=none \\"test/**/*.test.ts\\"",',
    '    "check": "tsc --noEmit && stubwright generate --check && stubwright check && stubwright diff --check",',
    '    "generate": "stubwright generate",',
    '    "diff": "stubwright diff",',
    '    "changelog": "stubwright changelog",',
    '    "release": "npm run check && stubwright release",',
    '    "replay": "stubwright replay"',
    '    "@stubwright/service": "^0.1.0",',
    '    "stubwright": "^0.1.0"',
    '    "@stubwright/cli": "^0.1.0",',
  ],
  'redocly.yaml': ['  - minimal'],
  'src/handlers/services.ts': [
    '/** For example `{ readonly orders: OrderStore }`, which `open` in src/service.ts creates. */',
    'export type Services = Record<never, never>;',
  ],
  'src/main.ts': ['// Starts the service.'],
  'src/service.ts': [
    '// Composes the service: handlers, verifiers, services.',
    "import type { ServiceOptions } from '@stubwright/service';",
    'export const service = {',
    '  verifiers: (verify) => ({',
    '    bearerAuth: verify,',
    '  }),',
    '  async open() {',
    '    return { services: {} };',
    '  },',
    '} satisfies ServiceOptions<Services>;',
  ],
  'tsconfig.json': ['  "include": ["generated", "src", "test"]'],
};

/** The lines that only the plant store has. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  'src/main.ts': ['// Starts the plant store.'],
  'tsconfig.json': [
    '  "include": [".github", "generated", "src", "test", "packages", "docs/*.ts", "jest.config.ts"],',
    '  "exclude": ["packages/cli/templates", "test/adoption", "test/sdk/clients"]',
  ],
};

/** The sources that only the plant store has. */
const ADDED_SOURCES = /^src\/(?:config\.ts|(?:plants|store)\/)/;

let written: ReadonlyMap<string, string | Buffer>;
beforeAll(async () => {
  const folder = temporaryFolder();
  try {
    const { files } = await newProject('openapi.yaml', join(folder.path, 'new'));
    written = formatted(files, folder.path);
  } finally {
    folder.remove();
  }
});

/** @returns the files in the format of this repository: init writes that of Prettier */
function formatted(
  files: ReadonlyMap<string, string | Buffer>,
  folder: string,
): Map<string, string | Buffer> {
  const sources = [...files.keys()].filter((name) => /^(?:src|test)\/.*\.ts$/.test(name));
  const { formatter, javascript } = JSON.parse(readFileSync('biome.json', 'utf8'));
  const config = JSON.stringify({ formatter, javascript });
  const written = sources.map((name) => [name, files.get(name)!] as const);
  replaceFiles(new Map([...written, ['biome.json', config]]), { cwd: folder });
  const biome = resolve('node_modules/.bin/biome');
  execFileSync(biome, ['format', '--write', '.'], { cwd: folder, stdio: 'pipe' });
  const texts = sources.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  return new Map([...files, ...texts]);
}

/** @returns the lines without those of another text that come in the same order */
function linesOnlyIn(text: string, other: string): string[] {
  const lines = text.split('\n');
  const others = other.split('\n');
  // Lengths of the longest common subsequences.
  const common = Array.from({ length: lines.length + 1 }, () =>
    new Array<number>(others.length + 1).fill(0),
  );
  for (let at = lines.length - 1; at >= 0; at--) {
    for (let to = others.length - 1; to >= 0; to--) {
      common[at]![to] =
        lines[at] === others[to]
          ? common[at + 1]![to + 1]! + 1
          : Math.max(common[at + 1]![to]!, common[at]![to + 1]!);
    }
  }
  const only: string[] = [];
  for (let at = 0, to = 0; at < lines.length; ) {
    if (lines[at] === others[to]) {
      at++;
      to++;
    } else if (to < others.length && common[at]![to + 1]! >= common[at + 1]![to]!) to++;
    else only.push(lines[at++]!);
  }
  return only.filter((line) => line !== '');
}

describe('the plant store', () => {
  it('has the files of stubwright init', () => {
    const names = [...written.keys()];
    expect(names.toSorted()).toEqual(
      [...SAME, ...OWN, ...ABSENT, ...Object.keys(REPLACED)].toSorted(),
    );
    expect(names.filter((name) => !existsSync(name)).toSorted()).toEqual(ABSENT);
  });

  it.each(SAME)('has the same %s', (file) => {
    expect(String(written.get(file))).toBe(readFileSync(file, 'utf8'));
  });

  it.each(Object.keys(REPLACED))('replaces only the listed lines of %s', (file) => {
    const only = linesOnlyIn(String(written.get(file)), readFileSync(file, 'utf8'));
    expect(only.toSorted()).toEqual(REPLACED[file]!.toSorted());
  });

  it.each(Object.keys(ADDED))('adds only the listed lines to %s', (file) => {
    const only = linesOnlyIn(readFileSync(file, 'utf8'), String(written.get(file)));
    expect(only.toSorted()).toEqual(ADDED[file]!.toSorted());
  });

  it('adds only sources of its domain, its store and its settings', () => {
    const listed = execFileSync('git', ['ls-files', 'src'], { encoding: 'utf8' });
    const sources = listed.split('\n').filter((file) => file !== '' && existsSync(file));
    expect(sources.filter((file) => !written.has(file) && !ADDED_SOURCES.test(file))).toEqual([]);
  });
});
