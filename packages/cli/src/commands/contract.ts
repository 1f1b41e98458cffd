// `stubwright contract`: reports the errors of a contract, and compiles its validators.
import { ContractErrors } from 'stubwright/internal/document/definition';
import { compileErrors } from '../check/compile.ts';
import { loadContract } from '../loading/load.ts';

const path = process.argv[2] ?? 'openapi.yaml';
try {
  const { definition, warnings } = await loadContract(path);
  for (const warning of warnings) process.stdout.write(`${warning}\n`);
  const errors = compileErrors(definition);
  if (errors.length > 0) throw new ContractErrors(errors.map((line) => `${path}${line}`));
  process.stdout.write(
    `${path}: ${definition.operations.length} operations, ${warnings.length} warnings\n`,
  );
} catch (error) {
  if (!(error instanceof ContractErrors)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
