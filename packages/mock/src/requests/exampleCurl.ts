// Creates a curl command for a valid request.
import type { Contract, Operation } from '@stubwright/contract';
import { shellWord } from '@stubwright/contract/printable';
import { Validators } from '@stubwright/contract/values';
import { Samples } from '../sampling/sample.ts';
import { type ExampleRequest, ExampleRequests } from './exampleRequest.ts';

export interface CurlOptions {
  /** `http://127.0.0.1:3000` */
  readonly origin: string;
  /** Replaces the paths of the contract's servers; undefined to use them. */
  readonly basePath: string | undefined;
  /** The credentials for all security schemes. */
  readonly token: string;
}

/**
 * Prefers an operation that needs the token, which is shown nowhere else, then one that succeeds on an
 * empty store: a GET, without path parameters.
 *
 * @returns undefined if no operation has a valid request that curl can send
 */
export function exampleCurl(
  definition: Contract,
  { origin, basePath, token }: CurlOptions,
): string | undefined {
  const validators = new Validators(definition, 'request');
  const requests = new ExampleRequests(definition, validators, new Samples(validators));
  for (const operation of definition.operations.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const url = origin + (basePath ?? operation.basePaths[0]);
    try {
      const command = curlCommand(url, requests.of(operation, token));
      if (command !== undefined) return command;
    } catch {
      // No valid sample was found: the next operation may have one.
    }
  }
  return undefined;
}

/** The lower rank is the better example. */
function rankOf({ method, path, responses, security }: Operation): number {
  const needsToken = security.length > 0;
  const hasSuccess = [...responses.keys()].some((status) => /^(?:2|default)/.test(status));
  const own = (hasSuccess ? 0 : 4) + (path.includes('{') ? 2 : 0) + (method === 'get' ? 0 : 1);
  return (needsToken ? 0 : 8) + own;
}

/** @returns undefined for a request that curl cannot send */
function curlCommand(
  url: string,
  { method, target, headers, body }: ExampleRequest,
): string | undefined {
  const data = dataOf(body);
  const isHead = method === 'HEAD';
  if (data === undefined || (isHead && data.length > 0)) return undefined;
  const usual = data.length > 0 ? 'POST' : 'GET';
  const verb = method === usual ? [] : isHead ? ['--head'] : ['-X', method];
  // curl expands brackets and braces of a URL.
  const globbing = /[[\]{}]/.test(target) ? ['--globoff'] : [];
  const fields = Object.entries(headers).flatMap(([name, value]) => [
    '-H',
    value === '' ? `${name};` : `${name}: ${value}`,
  ]);
  const words = ['curl', ...verb, ...globbing, url + target, ...fields, ...data];
  return words.some((word) => word.includes('\0')) ? undefined : words.map(shellWord).join(' ');
}

/** @returns undefined for an empty form, which curl cannot send */
function dataOf(body: ExampleRequest['body']): string[] | undefined {
  if (body === undefined) return [];
  // `-d` reads a file if the data starts with `@`.
  if (typeof body === 'string') return [body.startsWith('@') ? '--data-raw' : '-d', body];
  const parts = [...body].map(([name, value]) => `${name}=${value}`);
  return parts.length === 0 ? undefined : parts.flatMap((part) => ['--form-string', part]);
}
