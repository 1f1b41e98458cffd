// `stubwright contract [PATH] [--errors FORMAT] [--max-warnings N]`: reports the errors of a contract,
// compiles its validators, and reports the error responses of the engine that it does not declare.
import { parseArgs } from 'node:util';
import { ContractErrors } from 'stubwright/internal/document/definition';
import { compileErrors } from '../check/compile.ts';
import { errorResponseWarnings } from '../check/errorResponses.ts';
import { loadContract } from '../loading/load.ts';

const { positionals, values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { errors: { type: 'string' }, 'max-warnings': { type: 'string' } },
});
const [path = 'openapi.yaml'] = positionals;
const maxWarnings = Number(values['max-warnings'] ?? Number.POSITIVE_INFINITY);
try {
  const { definition, warnings } = await loadContract(path);
  const errors = compileErrors(definition);
  if (errors.length > 0) throw new ContractErrors(errors.map((line) => `${path}${line}`));
  const all = [...warnings, ...(await errorResponseWarnings(path, definition, values.errors))];
  for (const warning of all) process.stdout.write(`${warning}\n`);
  process.stdout.write(
    `${path}: ${definition.operations.length} operations, ${all.length} warnings\n`,
  );
  if (all.length > maxWarnings) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof ContractErrors)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
