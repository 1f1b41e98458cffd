// `make generate`: writes the types of openapi.yaml. `--check` compares instead, and fails on drift.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { isBinary, isInt64 } from '../contract/schema/keywords.ts';

const contract = new URL('../../openapi.yaml', import.meta.url);
const target = new URL('../../generated/contract.ts', import.meta.url);

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const BLOB = ts.factory.createTypeReferenceNode('Blob');
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());

/** An int64 does not fit a number, and bytes no string; every other type is openapi-typescript's. */
const types = await openapiTypescript(contract, {
  transform(schema) {
    if (!('type' in schema)) return undefined;
    const type = isInt64(schema) ? BIGINT : isBinary(schema) ? BLOB : undefined;
    const isNullable = [schema.type].flat().includes('null') || schema.nullable === true;
    return type && isNullable ? ts.factory.createUnionTypeNode([type, NULL]) : type;
  },
});
const generated = `// Written by \`make generate\` from openapi.yaml; edit that.\n${astToString(types)}`;

if (!process.argv.includes('--check')) {
  await writeFile(target, generated);
} else if ((await readFile(target, 'utf8').catch(() => '')) !== generated) {
  process.stderr.write('generated/contract.ts is stale: run `make generate`\n');
  process.exitCode = 1;
}
