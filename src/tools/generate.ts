// `make generate`: writes the types of openapi.yaml. `--check` compares instead, and fails on drift.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const contract = new URL('../../openapi.yaml', import.meta.url);
const target = new URL('../../generated/contract.ts', import.meta.url);

/** An int64 does not fit a number; every other type is openapi-typescript's own. */
const types = await openapiTypescript(contract, {
  transform(schema) {
    if (schema.format !== 'int64' || !('type' in schema)) return undefined;
    const names = [schema.type].flat();
    if (!names.includes('integer') && !names.includes('number')) return undefined;
    const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
    const isNullable = names.includes('null') || schema.nullable === true;
    const absent = ts.factory.createLiteralTypeNode(ts.factory.createNull());
    return isNullable ? ts.factory.createUnionTypeNode([bigint, absent]) : bigint;
  },
});
const generated = `// Written by \`make generate\` from openapi.yaml; edit that.\n${astToString(types)}`;

if (!process.argv.includes('--check')) {
  await writeFile(target, generated);
} else if ((await readFile(target, 'utf8').catch(() => '')) !== generated) {
  process.stderr.write('generated/contract.ts is stale: run `make generate`\n');
  process.exitCode = 1;
}
