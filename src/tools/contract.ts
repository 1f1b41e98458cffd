// `make contract CONTRACT=path`: says what is wrong with a contract; a good one is remembered, so that
// no start has to check it again.
import { ContractFaults } from '../contract/definition/definition.ts';
import { loadContract } from '../contract/loading/load.ts';

const path = process.argv[2] ?? 'openapi.yaml';
try {
  const { definition, warnings } = await loadContract(path);
  for (const warning of warnings) process.stdout.write(`${warning}\n`);
  process.stdout.write(
    `${path}: ${definition.operations.length} operations, ${warnings.length} warnings\n`,
  );
} catch (error) {
  if (!(error instanceof ContractFaults)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
