// Writes the types of a served contract: openapi-typescript.mjs URL FILE. Its command line has no
// place for a `transform`, by which an int64 is a bigint.
import { writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const [url, file] = process.argv.slice(2);
const types = await openapiTypescript(new URL(url), {
  transform: ({ format }) =>
    format === 'int64' ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword) : undefined,
});
await writeFile(file, astToString(types));
