// `make generate`: writes the types of openapi.yaml; `--check` fails if they are stale.
import { readFile, writeFile } from 'node:fs/promises';
import { GENERATED, generateTypes } from './types.ts';

const types = await generateTypes();
if (!process.argv.includes('--check')) {
  await writeFile(GENERATED, types);
} else if ((await readFile(GENERATED, 'utf8').catch(() => '')) !== types) {
  process.stderr.write('generated/contract.ts is stale: run `make generate`\n');
  process.exitCode = 1;
}
