// Generates the TypeScript types of the contract with openapi-typescript.
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { Definition } from '../../../stubwright/src/document/definition.ts';
import { isBigint, isBinary, SchemaModel } from '../../../stubwright/src/schema/model.ts';

/** The contract of generated/contract.ts. */
export const CONTRACT = fileURLToPath(new URL('../../../../openapi.yaml', import.meta.url));
export const GENERATED = fileURLToPath(
  new URL('../../../../generated/contract.ts', import.meta.url),
);

const MODEL = SchemaModel.of(new Definition({ openapi: '3.1.0' }));
const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const BLOB = ts.factory.createTypeReferenceNode('Blob');
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());

/**
 * @returns the source of generated/contract.ts: int64 as bigint, binary as Blob, the rest as
 *   openapi-typescript generates it
 */
export async function generateTypes(): Promise<string> {
  const types = await openapiTypescript(new URL(`file://${CONTRACT}`), {
    silent: true,
    transform(schema) {
      const read = MODEL.made(schema);
      const type = isBigint(read) ? BIGINT : isBinary(read) ? BLOB : undefined;
      return type && read.types?.has('null') ? ts.factory.createUnionTypeNode([type, NULL]) : type;
    },
  });
  return `// Written by \`make generate\` from openapi.yaml; edit that.\n${astToString(types)}`;
}
