// `stubwright manifest`: lists the enforced constructs; `--check` fails on unexplained gaps.
// Usage: manifest.ts [--check] [CONTRACT]
import { parseArgs } from 'node:util';
import { ContractErrors, type Definition } from 'stubwright/internal/document/definition';
import { loadContract } from '../loading/load.ts';
import { type ManifestRow, manifestOf, unexplained } from '../manifest/manifest.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' } },
});

try {
  const { definition } = await loadContract(positionals[0] ?? 'openapi.yaml');
  const rows = manifestOf(definition);
  if (values.check) check(definition, rows);
  else print(rows);
} catch (error) {
  if (!(error instanceof ContractErrors)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function check(definition: Definition, rows: readonly ManifestRow[]): void {
  for (const { kind, construct, enforcement } of unexplained(definition, rows)) {
    process.stderr.write(
      `${kind} ${construct}: ${enforcement}; name it under x-not-enforced with a reason\n`,
    );
    process.exitCode = 1;
  }
}

function print(rows: readonly ManifestRow[]): void {
  for (const { kind, construct, count, enforcement } of rows) {
    process.stdout.write(
      `${kind.padEnd(20)} ${construct.padEnd(36)} ${String(count).padStart(6)}  ${enforcement}\n`,
    );
  }
}
