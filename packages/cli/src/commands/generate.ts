// `stubwright generate`: writes generated/ from openapi.yaml; `--check` fails if a file is stale.
import { ContractErrors } from 'stubwright/internal/document/definition';
import { CONTRACT } from '../check/contracts.ts';
import { generate, staleFiles, write } from './generated.ts';

try {
  const files = await generate(CONTRACT);
  if (!process.argv.includes('--check')) {
    await write(files);
  } else {
    for (const path of await staleFiles(files)) {
      process.stderr.write(`${path} is stale: generate it again\n`);
      process.exitCode = 1;
    }
  }
} catch (error) {
  if (!(error instanceof ContractErrors)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
