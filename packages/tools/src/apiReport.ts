// Writes the reports of the public API, one file per entry point: packages/*/api/*.api.md.
// With `--check` fails if a report differs from the sources.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import {
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
} from '@microsoft/api-extractor';

const ROOT = resolve(import.meta.dirname, '../../..');
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const PACKAGES = ['stubwright', 'service', 'store', 'diff'];
/** A report has the types of the other packages that its entry exports. */
const COMPILER_OPTIONS = {
  ...{ target: 'es2024', lib: ['es2024'], module: 'nodenext', types: ['node'], skipLibCheck: true },
  paths: Object.fromEntries(
    [
      ['@stubwright/contract', 'contract'],
      ['@stubwright/mock', 'mock'],
      ['@stubwright/webhooks', 'webhooks'],
      ['@stubwright/traffic', 'traffic'],
      ['stubwright', 'stubwright'],
      ['@stubwright/service', 'service'],
    ].flatMap(([name, folder]) => [
      [name, [`${ROOT}/build/api/${folder}/index.d.ts`]],
      [`${name}/*`, [`${ROOT}/build/api/${folder}/*.d.ts`]],
    ]),
  ),
};
/** Entries for the other packages of a release, which any release may change. */
const INTERNAL = new Set(['internals', 'koa-internals', 'traffic-internals']);

const isCheck = process.argv[2] === '--check';
for (const name of ['contract', 'mock', 'webhooks', 'traffic', ...PACKAGES])
  writeDeclarations(name);
const changed = PACKAGES.flatMap(changedReports);
for (const report of changed) {
  process.stderr.write(`${report} differs from the sources: run make api-report\n`);
}
process.exitCode = changed.length > 0 ? 1 : 0;

function writeDeclarations(name: string): void {
  const declarations = `${ROOT}/build/api/${name}`;
  rmSync(declarations, { recursive: true, force: true });
  const compilation = ['--outDir', declarations, '--emitDeclarationOnly'];
  execFileSync(process.execPath, [TSC, '-p', `${ROOT}/packages/${name}`, ...compilation], {
    stdio: 'inherit',
  });
}

/** @returns with `--check` the paths of changed reports */
function changedReports(name: string): string[] {
  const folder = `${ROOT}/packages/${name}`;
  const declarations = `${ROOT}/build/api/${name}`;
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const entries = Object.values<string>(exports)
    .filter((target) => target.endsWith('.ts'))
    .map((target) => basename(target, '.ts'))
    .filter((entry) => !INTERNAL.has(entry));
  mkdirSync(`${folder}/api`, { recursive: true });
  return entries
    .filter((entry) => !writeReport(folder, `${declarations}/${entry}.d.ts`))
    .map((entry) => `packages/${name}/api/${entry}.api.md`);
}

/** @returns false for a changed report, with `--check` */
function writeReport(folder: string, declaration: string): boolean {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: declaration,
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS } },
      apiReport: {
        enabled: true,
        reportFileName: `${basename(declaration, '.d.ts')}.api.md`,
        reportFolder: `${folder}/api`,
        reportTempFolder: dirname(declaration),
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: `${folder}/package.json`,
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: quiet,
  });
  return !isCheck || !apiReportChanged;
}

/** The report contains its warnings. */
function quiet(message: ExtractorMessage): void {
  message.handled = message.logLevel !== ExtractorLogLevel.Error;
}
