// `stubwright lint`: lints a contract; fails on errors, not on warnings.
// Usage: lint.ts [CONTRACT]
import { lintContract } from '../check/lintContract.ts';

const path = process.argv[2] ?? 'openapi.yaml';
try {
  const findings = await lintContract(path);
  for (const { text } of findings) process.stderr.write(`${text}\n`);
  const errors = findings.filter(({ isError }) => isError).length;
  if (findings.length > 0) {
    process.stderr.write(`${path}: ${errors} errors, ${findings.length - errors} warnings\n`);
  }
  if (errors > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
