// The types of a contract, by openapi-typescript, as generated/contract.ts holds them.
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { isBinary, isInt64 } from '../contract/schema/keywords.ts';

/** The contract that generated/contract.ts is of. */
export const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));
export const GENERATED = fileURLToPath(new URL('../../generated/contract.ts', import.meta.url));

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const BLOB = ts.factory.createTypeReferenceNode('Blob');
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());

/**
 * @returns the text of generated/contract.ts. An int64 does not fit a number, and bytes no string;
 *   every other type is openapi-typescript's.
 */
export async function generateTypes(): Promise<string> {
  const types = await openapiTypescript(new URL(`file://${CONTRACT}`), {
    silent: true,
    transform(schema) {
      if (!('type' in schema)) return undefined;
      const type = isInt64(schema) ? BIGINT : isBinary(schema) ? BLOB : undefined;
      const isNullable = [schema.type].flat().includes('null') || schema.nullable === true;
      return type && isNullable ? ts.factory.createUnionTypeNode([type, NULL]) : type;
    },
  });
  return `// Written by \`make generate\` from openapi.yaml; edit that.\n${astToString(types)}`;
}
