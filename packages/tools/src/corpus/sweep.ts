// Sweeps a running service: valid requests must get a declared success, invalid ones a declared 4xx.

import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type Contract,
  commonTypes,
  type DeclaredResponse,
  isJsonMediaType,
  type LoadedContract,
  type Operation,
  type Parameter,
  parseJsonText,
} from '@stubwright/contract';
import { describeErrors, Validators } from '@stubwright/contract/values';
import { type ExampleRequest, ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import { schemeOf } from 'stubwright/internals';

/** The result of a sweep. */
export interface Sweep {
  readonly version: string;
  readonly operations: number;
  /** Operations that are disabled by an error of the contract. */
  readonly disabled: number;
  readonly warnings: number;
  /** Valid requests that were sent. */
  readonly valid: number;
  /** Invalid requests that were sent. */
  readonly invalid: number;
  /** Mock responses that violate their schema because no valid value was found. */
  readonly invalidMocks: number;
  /** One line per failure: `message  METHOD /path`. */
  readonly failures: readonly string[];
}

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const TOKEN = 'token';
/** JSON values of which at least one violates almost every schema. */
const INVALID_VALUES = ['null', '1', '"x"', 'true', '[]', '{}', '[null]', '{"":null}'];

/** @param url scheme, host and port of a service that serves the contract */
export async function sweep(
  { definition, warnings }: Pick<LoadedContract, 'definition' | 'warnings'>,
  url: string,
): Promise<Sweep> {
  const requestValidators = new Validators(definition, 'request');
  const responseValidators = new Validators(definition, 'response');
  const samples = new Samples(requestValidators);
  const requests = new ExampleRequests(definition, requestValidators, samples);
  const failures: string[] = [];
  const counts = { valid: 0, invalid: 0, invalidMocks: 0 };
  for (const operation of definition.operations) {
    const route = `${operation.method.toUpperCase()} ${operation.path}`;
    const fail = (message: string) => failures.push(`${message}  ${route}`);
    let request: ExampleRequest;
    try {
      request = requests.of(operation, TOKEN);
    } catch (error) {
      fail(`no valid request: ${(error as Error).message}`);
      continue;
    }
    try {
      const response = await send(url, operation, request);
      counts.valid++;
      if (response.headers.has('mock-violation')) counts.invalidMocks++;
      const violation = violationOf(operation, response, responseValidators);
      if (violation !== undefined) fail(violation);
      const invalidRequests = [
        ...invalidVariants(definition, operation, request, requestValidators),
        ...invalidParameters(requests, operation, requestValidators),
      ];
      for (const [what, invalidRequest] of invalidRequests) {
        const { status, ...rest } = await send(url, operation, invalidRequest);
        counts.invalid++;
        if (status < 400 || status > 499) fail(`${status} for a request with ${what}`);
        const declared = operation.responses.for(status);
        if (declared === undefined) continue;
        const error = bodyViolation(declared, { status, ...rest }, responseValidators);
        if (error !== undefined) fail(`${error}, for a request with ${what}`);
      }
    } catch (error) {
      fail(
        `no response: ${((error as Error).cause as Error)?.message ?? (error as Error).message}`,
      );
    }
  }
  return {
    version: definition.openapi,
    operations: definition.operations.length,
    disabled: definition.disabled.length,
    warnings: warnings.length,
    failures,
    ...counts,
  };
}

async function send(
  url: string,
  { basePaths }: Operation,
  request: ExampleRequest,
): Promise<ReceivedResponse> {
  const { method, target, headers, body } = request;
  const base = (basePaths[0] ?? '').replace(/\{[^{}]+\}/g, 'x');
  // Not fetch: it adds Accept-Language and other headers, which contracts may restrict.
  const encoded = new Response(body ?? null);
  const type = body instanceof FormData ? encoded.headers.get('content-type') : undefined;
  const bytes = Buffer.from(await encoded.arrayBuffer());
  const length = body === undefined ? {} : { 'Content-Length': bytes.length };
  const sent = http.request(url + base + target, {
    method,
    headers: { ...headers, ...(type && { 'Content-Type': type }), ...length },
    agent: AGENT,
  });
  sent.end(bytes);
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  return {
    status: response.statusCode!,
    headers: new Headers(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
    text: await text(response),
  };
}

const AGENT = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** @returns the violation in the response to a valid request, if any */
function violationOf(
  operation: Operation,
  { status, headers, text }: ReceivedResponse,
  validators: Validators,
): string | undefined {
  const keys = [...operation.responses.keys()];
  const hasSuccess = keys.length === 0 || keys.some((key) => /^[23]|default/.test(key));
  if (status >= 500 || (hasSuccess && status >= 400)) {
    return `${status} for a valid request: ${messageOf(text)}`;
  }
  const response = operation.responses.for(status);
  if (response === undefined) return keys.length === 0 ? undefined : `${status} is not declared`;
  const hasBody = operation.method !== 'head' && status !== 204;
  if (!hasBody || headers.has('mock-violation')) return undefined;
  return bodyViolation(response, { status, headers, text }, validators);
}

/** @returns the violation in a body of the media type and schema of a declared response, if any */
function bodyViolation(
  { contents }: DeclaredResponse,
  { status, headers, text }: ReceivedResponse,
  validators: Validators,
): string | undefined {
  const type = headers.get('content-type');
  if (type === null || text === '' || contents.size === 0) return undefined;
  const content = contents.get(type) ?? contents.select(type)?.content;
  if (content === undefined) return `${status} has the undeclared media type ${type}`;
  if (content.schema === undefined || !isJsonMediaType(type)) return undefined;
  const validate = validators.at(content.schema.pointer);
  const value = parseJsonText(text);
  if (validate(value)) return undefined;
  return `${status} violates its schema: ${describeErrors(validate.errorsOf(value), '').slice(0, 200)}`;
}

function messageOf(text: string): string {
  try {
    const { message, detail } = JSON.parse(text);
    return String(message ?? detail).slice(0, 300);
  } catch {
    return text.slice(0, 100);
  }
}

/** @yields the defect, and the request with only this defect */
function* invalidVariants(
  definition: Contract,
  operation: Operation,
  request: ExampleRequest,
  validators: Validators,
): Generator<[string, ExampleRequest]> {
  const isChecked = (name: string) => {
    const scheme = definition.securitySchemes.get(name);
    return scheme !== undefined && schemeOf(scheme) !== undefined;
  };
  const { security } = operation;
  if (security.length > 0 && security.every((schemes) => Object.keys(schemes).some(isChecked))) {
    yield ['no credentials', withoutCredentials(definition, operation, request)];
  }
  if (!operation.parameters.some(acceptsAnyName)) {
    const { target } = request;
    const undeclared = `${target}${target.includes('?') ? '&' : '?'}not-declared=1`;
    yield ['an undeclared query parameter', { ...request, target: undeclared }];
  }
  const required = operation.parameters.find(
    (parameter) => parameter.in === 'query' && parameter.isRequired,
  );
  if (required !== undefined) {
    const [path] = request.target.split('?');
    yield [`no query parameter ${required.name}`, { ...request, target: path! }];
  }
  yield* invalidBodies(operation, request, validators);
}

/** Invalid as a number, a boolean, most enums and formats. */
const WRONG_TEXT = '~';

/** @yields for each location a request with one parameter that is invalid in every interpretation */
function* invalidParameters(
  requests: ExampleRequests,
  operation: Operation,
  validators: Validators,
): Generator<[string, ExampleRequest]> {
  const isInvalid = ({ valueSchema: schema, isReserved }: Parameter) => {
    if (schema === undefined || isReserved) return false;
    const interpretations = [WRONG_TEXT, [WRONG_TEXT], { [WRONG_TEXT]: '' }, {}];
    return !interpretations.some((interpretation) => validators.at(schema.pointer)(interpretation));
  };
  for (const location of ['path', 'query', 'header', 'cookie']) {
    const invalid = operation.parameters.find(
      (parameter) => parameter.in === location && isInvalid(parameter),
    );
    if (invalid === undefined) continue;
    yield [
      `${invalid.title}=~`,
      requests.of(operation, TOKEN, { parameters: new Map([[invalid, WRONG_TEXT]]) }),
    ];
  }
}

function* invalidBodies(
  { requestBody }: Operation,
  request: ExampleRequest,
  validators: Validators,
): Generator<[string, ExampleRequest]> {
  if (requestBody === undefined || request.body === undefined) return;
  const { 'Content-Type': type, ...headers } = request.headers;
  if (requestBody.isRequired) {
    yield ['no body', { ...request, headers, body: undefined }];
  }
  if (type === undefined || !isJsonMediaType(type)) return;
  yield ['a body that is not JSON', { ...request, body: '{"a":' }];
  const schema = requestBody.contents.get(type)?.schema;
  if (schema === undefined) return;
  const validate = validators.at(schema.pointer);
  const invalid = INVALID_VALUES.find((text) => !validate(JSON.parse(text)));
  if (invalid !== undefined) yield [`the body ${invalid}`, { ...request, body: invalid }];
}

function withoutCredentials(
  definition: Contract,
  { security, parameters }: Operation,
  request: ExampleRequest,
): ExampleRequest {
  const headers = { ...request.headers };
  let { target } = request;
  for (const name of security.flatMap(Object.keys)) {
    const scheme = definition.securitySchemes.get(name);
    const isParameter = parameters.some((parameter) => parameter.name === scheme?.name);
    if (scheme?.type !== 'apiKey') delete headers['Authorization'];
    else if (scheme.in === 'header') delete headers[scheme.name];
    else if (scheme.in === 'cookie') delete headers['Cookie'];
    else if (!isParameter) target = target.replace(`${scheme.name}=${TOKEN}`, '');
  }
  return { ...request, headers, target };
}

/** True for an exploded object or the whole query string: it accepts undeclared names. */
function acceptsAnyName({ in: where, schema }: Parameter): boolean {
  if (where === 'querystring') return true;
  if (where !== 'query' || schema === undefined) return false;
  return commonTypes(schema.conjuncts)?.includes('object') ?? true;
}
