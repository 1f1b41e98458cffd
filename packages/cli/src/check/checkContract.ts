// Checks a contract: structure, lint rules, examples, what the engine enforces, and its error responses.
import { ContractErrors, type Definition } from 'stubwright/contract';
import { SourceLocations } from '../diff/report/sourceLocations.ts';
import type { Access } from '../loading/containment.ts';
import { ContractFiles } from '../loading/files.ts';
import { loadContractFiles } from '../loading/load.ts';
import { manifestOf, unexplained } from '../manifest/manifest.ts';
import { type Finding, findingIn } from '../output/finding.ts';
import { compileErrors } from './compile.ts';
import { undeclaredErrors } from './errorResponses.ts';
import { undeclaredProperties } from './exampleProperties.ts';
import { contractErrors, lintDefinition } from './lintContract.ts';

export interface CheckResult {
  /** Errors first. */
  readonly findings: readonly Finding[];
  /** Number of operations; undefined for a contract that does not load. */
  readonly operations: number | undefined;
}

export interface CheckOptions extends Access {
  /** `problem`, `numbered`, or the path of a module with an ErrorFormatter as default export. */
  readonly errorFormat?: string | undefined;
}

/**
 * @throws {Error} with one line if the lint configuration or the module cannot be loaded
 */
export async function runChecks(
  path: string,
  { errorFormat, ...access }: CheckOptions = {},
): Promise<CheckResult> {
  try {
    const files = new ContractFiles(path, access);
    const { definition, warnings } = await loadContractFiles(path, { ...access, files });
    const findings = [
      ...warnings.map((text) => findingIn(text, 'warning', 'contract')),
      ...(await lintDefinition(path, definition, access)),
      ...(await locatedFindings(path, definition, { errorFormat, files, ...access })),
    ];
    const [errors, others] = [true, false].map((isError) =>
      findings.filter(({ level }) => (level === 'error') === isError),
    );
    return { findings: [...errors!, ...others!], operations: definition.operations.length };
  } catch (error) {
    if (!(error instanceof ContractErrors)) throw error;
    return { findings: contractErrors(error), operations: undefined };
  }
}

async function locatedFindings(
  path: string,
  definition: Definition,
  { errorFormat, ...access }: CheckOptions & { readonly files: ContractFiles },
): Promise<Finding[]> {
  const locations = await SourceLocations.of(path, definition.document, access);
  const finding = (
    level: Finding['level'],
    rule: string,
    { pointer, message }: { pointer: string; message: string },
  ): Finding => ({ level, rule, message, position: locations.position(pointer) });
  const gaps = unexplained(definition, manifestOf(definition)).map(
    ({ kind, construct, enforcement, pointer }) => ({
      pointer,
      message: `${kind} ${construct}: ${enforcement}; name it under x-not-enforced with a reason`,
    }),
  );
  return [
    ...compileErrors(definition).map((each) => finding('error', 'schema-compiles', each)),
    ...gaps.map((each) => finding('warning', 'enforced', each)),
    ...undeclaredProperties(definition).map((each) =>
      finding('warning', 'examples-declared', each),
    ),
    ...(await undeclaredErrors(definition, errorFormat, access.cwd)).map((each) =>
      finding('warning', 'errors-declared', each),
    ),
  ];
}
