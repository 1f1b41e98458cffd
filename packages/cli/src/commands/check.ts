// `stubwright check`: reports the errors of a contract.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Finding } from '@stubwright/contract';
import { countOf, shellWord } from '@stubwright/contract/printable';
import type { Command } from 'commander';
import type { CheckResult } from '../check/runChecks.ts';
import { FailedCheck } from '../output/errors.ts';
import { type Format, findingLines, writeFindings } from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import {
  type AllowOutside,
  accessOf,
  contractArgument,
  FileOption,
  integerOption,
  type RecordingOptions,
  recordsIn,
  rulesPage,
  STDIN,
  StubwrightCommand,
  trafficOption,
} from './options.ts';

interface Options extends AllowOutside, RecordingOptions {
  readonly errors?: string;
  readonly maxWarnings?: number;
  readonly all?: true;
  readonly format: Format;
}

export function check(io: CommandIo): Command {
  return new StubwrightCommand('check')
    .summary('check a contract: structure, lint rules, examples, error responses')
    .description('Reports errors of a contract and violated lint rules, and fails on errors.')
    .addArgument(contractArgument({ readsStdin: true }, '[contract...]'))
    .addOption(
      new FileOption(
        '--errors <format>',
        'error bodies of the service: problem, numbered or a module',
        (format) => /[./]/.test(format),
      ),
    )
    .option('--max-warnings <number>', 'exit with 1 if there are more warnings', (text) =>
      integerOption('--max-warnings', text, 0, Number.MAX_SAFE_INTEGER),
    )
    .addOption(trafficOption(': reports their violations, and the unused parts;'))
    .with('caller', 'allowOutside', 'overlay')
    .option('--all', 'list the findings of each rule, also if there are many')
    .with('quiet', 'format', 'json')
    .action((contracts: readonly string[], options: Options) => {
      if (contracts.length > 1 && options.traffic !== undefined) {
        throw new Error(`CONTRACT: got ${contracts.length} contracts, expected one with --traffic`);
      }
      return checkAndReport(contracts, options, io);
    })
    .withExamples('check openapi.yaml', "check 'apis/*.yaml' --max-warnings 0");
}

interface Checked extends CheckResult {
  readonly contract: string;
  readonly traffic: Awaited<ReturnType<typeof trafficOf>>;
}

async function checkAndReport(
  contracts: readonly string[],
  { errors: errorFormat, maxWarnings = Number.POSITIVE_INFINITY, format, ...options }: Options,
  io: CommandIo,
): Promise<void> {
  const { runChecks } = await import('../check/runChecks.ts');
  const results: Checked[] = [];
  for (const contract of contracts) {
    io.progress.show(`checking ${contract}`);
    // Its warnings are findings.
    const access = { ...accessOf(io, options, contract), onOverlayWarning: undefined };
    const result = await runChecks(contract, { errorFormat, ...access });
    const isLoaded = result.operations !== undefined;
    const traffic = isLoaded ? await trafficOf(contract, { ...options, access }, io) : undefined;
    results.push({ contract, traffic, ...result });
  }
  const findings = results.flatMap((result) => result.findings);
  if (format === 'json') {
    const reports = results.map(({ contract, operations = null, findings, traffic }) => {
      return { contract, operations, findings, ...traffic };
    });
    io.stdout.write(`${JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2)}\n`);
  } else if (format === 'text') {
    for (const result of results) await writeText(result, options, io);
    if (results.length > 1) {
      io.note(`${countOf(results.length, 'contract')}: ${countsOf(findings, io)}\n`);
    }
    if (io.isTerminal) writeAdvice(contracts, findings, io);
  } else await writeFindings(findings, format, 'check', io);
  const errors = findings.filter(({ level }) => level === 'error').length;
  if (errors > 0 || findings.length - errors > maxWarnings) throw new FailedCheck();
}

async function writeText(
  { contract, operations, findings, traffic }: Checked,
  { all, quiet }: Pick<Options, 'all' | 'quiet'>,
  io: CommandIo,
): Promise<void> {
  const shown = quiet ? findings.filter(({ level }) => level === 'error') : findings;
  const lines = findingLines(shown, { isWhole: all, paint: io.styles.paint });
  io.stdout.write(lines.map((line) => `${line}\n`).join(''));
  const found = operations === undefined ? '' : `${countOf(operations, 'operation')}, `;
  io.note(`${contract}: ${found}${countsOf(findings, io)}\n`);
  if (traffic === undefined) return;
  const { trafficText } = await import('../traffic/trafficCheck.ts');
  io.stdout.write(`${trafficText(traffic.traffic)}\n`);
}

function countsOf(findings: readonly Finding[], { styles: { paint } }: CommandIo): string {
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.length - errors;
  return [
    paint(errors > 0 ? 'red' : 'green', countOf(errors, 'error')),
    warnings > 0 ? paint('yellow', countOf(warnings, 'warning')) : countOf(warnings, 'warning'),
  ].join(', ');
}

/** For a person who checks a contract that no project uses yet. */
function writeAdvice(
  [contract = CONTRACT]: readonly string[],
  findings: readonly Finding[],
  { cwd, note, styles: { paint } }: CommandIo,
): void {
  if (findings.length > 0) note(`${paint('dim', `The rules: ${rulesPage()}`)}\n`);
  const isProject = ['generated', RELEASED].some((folder) => existsSync(resolve(cwd, folder)));
  if (isProject || contract === STDIN) return;
  const path = shellWord(contract);
  note(`
${paint('bold', 'Next')}
  stubwright mock ${path}               serves it, with examples
  stubwright init ${path} my-service    writes a service for it
  stubwright diff HEAD ${path}          reports the effect of your edits on clients
`);
}

/** @returns undefined without `--traffic` */
async function trafficOf(
  path: string,
  { traffic, caller, access }: RecordingOptions & { readonly access: ReturnType<typeof accessOf> },
  io: CommandIo,
) {
  const records = await recordsIn({ traffic, caller }, io);
  if (records === undefined) return undefined;
  const [{ openContract }, { checkTraffic }, served] = await Promise.all([
    import('../check/contracts.ts'),
    import('../traffic/trafficCheck.ts'),
    import('../serving/servedVersions.ts'),
  ]);
  const { definition } = await openContract(path, { variable: 'CONTRACT', ...access });
  const older = await served.olderContracts(definition.version, access);
  return { traffic: await checkTraffic(definition, records, older) };
}
