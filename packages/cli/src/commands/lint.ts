// `stubwright lint`: lints a contract; warnings fail too.
// Usage: lint.ts [CONTRACT]
import { lintContract } from '../check/lintContract.ts';

const findings = await lintContract(process.argv[2] ?? 'openapi.yaml');
for (const finding of findings) process.stderr.write(`${finding}\n`);
if (findings.length > 0) process.exitCode = 1;
