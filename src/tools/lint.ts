// `make check`: Redocly's strictest rules on openapi.yaml; a warning is a failure too.
import { fileURLToPath } from 'node:url';
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

const problems = await lint({
  ref: fileURLToPath(new URL('../../openapi.yaml', import.meta.url)),
  config: await createConfig({ extends: ['recommended-strict'] }),
});
if (problems.length > 0) {
  formatProblems(problems, { totals: getTotals(problems), version: '', format: 'stylish' });
  process.exitCode = 1;
}
