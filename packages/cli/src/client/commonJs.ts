// Writes the entry of a generated package for CommonJS, whose code is the ES module.
import type { ClientOperation } from './declarations.ts';

/** Node requires ES modules since 22.12; this module has their exports. */
export const COMMONJS_MODULE = "module.exports = require('./index.js');\n";

/** Exported classes with a type parameter or without. */
const CLASSES: Readonly<Record<string, string>> = {
  ErrorReply: 'ErrorReply<Reply extends AnyReply = AnyReply> = esm.ErrorReply<Reply>',
  NoResponse: 'NoResponse = esm.NoResponse',
  UndeclaredResponse: 'UndeclaredResponse = esm.UndeclaredResponse',
};
const AS_MODULE = "with { 'resolution-mode': 'import' }";

/** TypeScript requires declarations of a CommonJS module for one (TS1479). The types are those of index.d.ts. */
export function commonJsDeclarations(
  operations: readonly ClientOperation[],
  exported: readonly string[],
): string {
  const names = [...exported, 'connect', 'createClient', ...operations.map(({ name }) => name)];
  const types = exported.flatMap((name) => CLASSES[name] ?? []);
  return [
    `import type { AnyReply } from '@stubwright/client' ${AS_MODULE};\n`,
    `import type * as esm from './index.js' ${AS_MODULE};\n\n`,
    `export type * from './index.js' ${AS_MODULE};\n\n`,
    ...types.map((type) => `export type ${type};\n`),
    ...names.map((name) => `export declare const ${name}: typeof esm.${name};\n`),
  ].join('');
}
