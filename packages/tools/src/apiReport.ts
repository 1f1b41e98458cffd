// Writes the API report of stubwright, one file per entry point: packages/stubwright/api/*.api.md.
// With `--check` fails if a report differs from the sources.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import {
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
} from '@microsoft/api-extractor';

const PACKAGE = resolve(import.meta.dirname, '../../stubwright');
const DECLARATIONS = resolve(PACKAGE, '../../build/api');
const REPORTS = `${PACKAGE}/api`;
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

const isCheck = process.argv[2] === '--check';
const { exports } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, 'utf8'));
const entries = Object.values<string>(exports)
  .filter((target) => target.endsWith('.ts') && !target.includes('*'))
  .map((target) => basename(target, '.ts'));

rmSync(DECLARATIONS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const compilation = ['-p', PACKAGE, '--outDir', DECLARATIONS, '--emitDeclarationOnly'];
execFileSync(process.execPath, [TSC, ...compilation], { stdio: 'inherit' });
const changed = entries.filter((entry) => !writeReport(entry));
for (const entry of changed) {
  process.stderr.write(
    `packages/stubwright/api/${entry}.api.md differs from the sources: run make api-report\n`,
  );
}
process.exitCode = changed.length > 0 ? 1 : 0;

/** @returns false for a changed report, with `--check` */
function writeReport(entry: string): boolean {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: PACKAGE,
      mainEntryPointFilePath: `${DECLARATIONS}/${entry}.d.ts`,
      compiler: { tsconfigFilePath: `${PACKAGE}/tsconfig.json`, skipLibCheck: true },
      apiReport: {
        enabled: true,
        reportFileName: `${entry}.api.md`,
        reportFolder: REPORTS,
        reportTempFolder: DECLARATIONS,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: `${PACKAGE}/package.json`,
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
