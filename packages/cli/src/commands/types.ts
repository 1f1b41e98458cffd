// Generates the TypeScript types of a contract with openapi-typescript.
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { Definition } from 'stubwright/internal/document/definition';
import { isBigint, isBinary, SchemaModel } from 'stubwright/internal/schema/model';
import ts from 'typescript';

const MODEL = SchemaModel.of(new Definition({ openapi: '3.1.0' }));
const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const BLOB = ts.factory.createTypeReferenceNode('Blob');
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());

/**
 * @returns the source of generated/contract.ts: int64 as bigint, binary as Blob, the rest as
 *   openapi-typescript generates it
 */
export async function generateTypes(path: string): Promise<string> {
  const types = await openapiTypescript(pathToFileURL(path), {
    silent: true,
    transform(schema) {
      const read = MODEL.synthetic(schema);
      const type = isBigint(read) ? BIGINT : isBinary(read) ? BLOB : undefined;
      return type && read.types?.has('null') ? ts.factory.createUnionTypeNode([type, NULL]) : type;
    },
  });
  return `// Generated from ${path}; edit that.\n${astToString(types)}`;
}
