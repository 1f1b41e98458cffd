// The version of a contract: OpenAPI 3.0, 3.1 or 3.2.

import { isObject } from '@stubwright/contract';

interface VersionProblem {
  /** The field of the document; empty for the document. */
  readonly field: string;
  readonly isError: boolean;
  readonly text: string;
}

/** Completes a version without a patch level; @returns an error or a warning about it */
export function versionProblem(root: unknown): VersionProblem | undefined {
  const expected = 'expected openapi: 3.0.x, 3.1.x or 3.2.x';
  const error = (field: string, what: string) => ({
    ...{ field, isError: true, text: `${what}  ${expected}` },
  });
  if (root === undefined) return error('', 'the file is empty');
  if (!isObject(root)) return error('', 'the file holds no object');
  if (root.swagger !== undefined) {
    const found = error('swagger', `swagger is ${textOf(root.swagger)}`);
    return { ...found, text: `${found.text}; the npm package swagger2openapi converts it` };
  }
  if (root.openapi === undefined) return error('', 'openapi is missing');
  const version = textOf(root.openapi);
  if (/^3\.[012]\.\d/.test(version)) return undefined;
  if (!/^3\.[012]$/.test(version)) return error('openapi', `openapi is ${version}`);
  root.openapi = `${version}.0`;
  const text = `openapi is ${version} and read as ${version}.0  ${expected}`;
  return { field: 'openapi', isError: false, text };
}

/** Without quotes, 3.0 is the number 3. */
function textOf(version: unknown): string {
  return Number.isInteger(version) ? `${version}.0` : String(version);
}
