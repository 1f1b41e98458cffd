// Checks a contract: structure, lint rules, examples, and its error responses.

import {
  type Contract,
  ContractErrors,
  type Finding,
  idempotencyErrors,
  type Operation,
  paginationErrors,
  rateLimitErrors,
} from '@stubwright/contract';
import { type ErrorFinding, undeclaredText } from 'stubwright/internals';
import type { Access } from '../loading/containment.ts';
import { ContractFiles } from '../loading/files.ts';
import { loadContractFiles } from '../loading/load.ts';
import { SourceLocations } from '../loading/sourceLocations.ts';
import type { AtPointer } from './atPointer.ts';
import { compileErrors, emptySchemas, ignoredPatterns } from './compileErrors.ts';
import { deprecationDateErrors } from './deprecationDates.ts';
import { undeclaredErrors } from './errorResponses.ts';
import { undeclaredProperties } from './exampleProperties.ts';
import { contractErrors, lintDefinition } from './lintContract.ts';
import { unstorableTexts } from './storableText.ts';

export interface CheckResult {
  /** Errors first. */
  readonly findings: readonly Finding[];
  /** Number of operations; undefined for a contract that does not load. */
  readonly operations: number | undefined;
}

export interface CheckOptions extends Access {
  /** `problem`, `numbered`, or the path of a module with an ErrorFormatter as default export. */
  readonly errorFormat?: string | undefined;
  /** As of `lintContract`. */
  readonly structLevel?: Finding['level'];
  /** The files of the contract; afterwards they are read. */
  readonly files?: ContractFiles;
}

/**
 * @throws {Error} with one line if the lint configuration or the module cannot be loaded
 */
export async function runChecks(
  path: string,
  { errorFormat, files: given, ...access }: CheckOptions = {},
): Promise<CheckResult> {
  try {
    const files = given ?? new ContractFiles(path, access);
    const { definition, warnings } = await loadContractFiles(path, { ...access, files });
    const { findings: linted, structLevel } = await lintDefinition(path, definition, {
      ...{ ...access, files },
    });
    const findings = [
      ...warnings.map(({ code, ...each }): Finding => {
        const isStruct = code === 'struct';
        return {
          level: isStruct ? structLevel : 'warning',
          rule: isStruct ? code : 'contract',
          ...each,
        };
      }),
      ...linted,
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

/** Number of operations whose undeclared errors are reported one by one. */
const MAX_LISTED = 3;

/** Reports the errors that no operation declares in one line for the contract. */
function summarized(findings: readonly ErrorFinding[]): AtPointer[] {
  const undeclared = findings.flatMap((each) => each.undeclared ?? []);
  if (undeclared.length <= MAX_LISTED) return [...findings];
  const statuses = new Set(undeclared.flatMap((each) => each.statuses));
  const operations = `${undeclared.length} operations, such as ${undeclared[0]!.operationId}`;
  const message = undeclaredText(operations, [...statuses].sort());
  const { pointer } = findings.find((each) => each.undeclared !== undefined)!;
  return [...findings.filter((each) => each.undeclared === undefined), { pointer, message }];
}

function extensionErrors(
  { pointer }: Operation,
  name: string,
  errors: readonly { readonly field: string; readonly message: string }[],
): AtPointer[] {
  return errors.map(({ field, message }) => {
    return { pointer: `${pointer}/${name}${field}`, message: `${name}: ${message}` };
  });
}

function rateLimitFindings(operation: Operation): AtPointer[] {
  return extensionErrors(operation, 'x-rate-limit', rateLimitErrors(operation));
}

function paginationFindings(operation: Operation): AtPointer[] {
  const described = operation.field('x-pagination');
  if (described === undefined) return [];
  return extensionErrors(operation, 'x-pagination', paginationErrors(operation, described));
}

async function locatedFindings(
  path: string,
  definition: Contract,
  { errorFormat, ...access }: CheckOptions & { readonly files: ContractFiles },
): Promise<Finding[]> {
  const locations = await SourceLocations.of(path, access);
  const { operations, document } = definition;
  const uncompiled = compileErrors(definition);
  const undeclared = await undeclaredErrors(definition, errorFormat, access.cwd);
  const found: [Finding['level'], string, readonly AtPointer[]][] = [
    ['error', 'schema-compiles', uncompiled],
    ['error', 'deprecation-dates', deprecationDateErrors(document)],
    ['error', 'pagination', operations.flatMap(paginationFindings)],
    ['error', 'rate-limit', operations.flatMap(rateLimitFindings)],
    ['error', 'idempotency', operations.flatMap((each) => idempotencyErrors(each.parameters))],
    ['warning', 'values-exist', uncompiled.length > 0 ? [] : emptySchemas(definition)],
    ['warning', 'storable-text', unstorableTexts(definition, path, access.cwd)],
    ['warning', 'ignored-pattern', ignoredPatterns(definition)],
    ['warning', 'examples-declared', undeclaredProperties(definition)],
    ['warning', 'errors-declared', summarized(undeclared)],
  ];
  return found.flatMap(([level, rule, errors]) =>
    errors.map(({ pointer, message }) => {
      return { level, rule, message, position: locations.position(pointer) };
    }),
  );
}
