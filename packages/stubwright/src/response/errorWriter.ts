// Converts a problem to a body that a declared response allows: a format, else a body made for the schema.

import {
  errorFrom,
  isJsonMediaType,
  isObject,
  once,
  onceFor,
  Problem,
  type Schema,
  STATUS_NAME,
  stringifyJson,
} from '@stubwright/contract';
import type { Shape, Validators } from '@stubwright/contract/values';
import type { Samples } from '@stubwright/mock/samples';
import type { CompiledResponse, WritableContent } from './compiledResponse.ts';
import {
  type CompiledFormat,
  type ErrorFormat,
  type ErrorTarget,
  errorMembers,
  formatsOf,
  undeclaredResponse,
} from './errorFormat.ts';
import type { HttpResponse } from './reply.ts';

/** The members of an error that a schema need not declare (RFC 9457, section 3), if it allows them. */
export const ERROR_MEMBERS: ReadonlySet<string> = new Set(['/detail', '/errors']);

/** The response to an error. */
export interface WrittenError extends HttpResponse {
  /** False if the response has no room for the message. */
  readonly hasMessage: boolean;
}

/** A body in one media type. */
interface Candidate {
  readonly type: string;
  readonly text: string;
  readonly hasMessage: boolean;
}

/** The error bodies of one contract. */
export class ErrorWriter {
  readonly #formats: ReturnType<typeof formatsOf>;
  readonly #report: (error: Error) => void;
  /** Loaded on demand: samples are a tenth of the code. */
  readonly #samples: () => Promise<Samples>;
  readonly #templates = onceFor((_schema: Schema | string) => ({
    found: [] as Template[],
    searches: 0,
  }));

  /**
   * @param validators for responses
   * @param format of the application; by default problem details
   * @param report called with the error of a formatter, which does not change the response
   */
  constructor(
    validators: Validators,
    format: ErrorFormat | undefined,
    report: (error: Error) => void = () => {},
  ) {
    this.#formats = formatsOf(format, report);
    this.#report = report;
    this.#samples = once(async () => {
      const { Samples } = await import('@stubwright/mock/samples');
      return new Samples(validators);
    });
  }

  /**
   * Uses the first media type with a valid body that has the message, else the first with a valid body. Without
   * content there is no body.
   *
   * @param operationId undefined for a request that matches no operation
   * @returns undefined if there is no valid body
   */
  async write(
    problem: Problem,
    { contents }: CompiledResponse,
    operationId: string | undefined,
  ): Promise<WrittenError | undefined> {
    const { status, headers } = problem;
    if (contents.size === 0) return { status, headers, body: undefined, hasMessage: false };
    const [{ mediaType }] = this.#formats;
    const rank = (key: string) => (key === mediaType ? 0 : isJsonMediaType(key) ? 1 : 2);
    let first: Candidate | undefined;
    for (const key of contents.keys.toSorted((a, b) => rank(a) - rank(b))) {
      const found = await this.#bodyOf(problem, contents.get(key)!, operationId);
      first ??= found;
      if (!found?.hasMessage) continue;
      first = found;
      break;
    }
    if (first === undefined) return undefined;
    const { type, text, hasMessage } = first;
    return { status, headers: { ...headers, 'Content-Type': type }, body: text, hasMessage };
  }

  /** @returns the response to an error that the contract does not declare */
  undeclared(problem: Problem): HttpResponse {
    try {
      return undeclaredResponse(problem, this.#formats[0]);
    } catch (thrown) {
      this.#report(errorFrom(thrown));
      return undeclaredResponse(problem);
    }
  }

  /**
   * @returns the body of the first format with the message, and with the status where the schema declares it;
   *   else the one made for the schema, or that of a format, whichever has the message
   */
  async #bodyOf(
    problem: Problem,
    content: WritableContent,
    operationId: string | undefined,
  ): Promise<Candidate | undefined> {
    let best: Candidate | undefined;
    for (const format of this.#formats) {
      const type = concrete(content.key, format.mediaType);
      const written = this.#inFormat(format, problem, content, { operationId, mediaType: type });
      if (written === undefined || leavesOf(written.declared).length === 0) continue;
      const { text, declared } = written;
      const hasMessage = format.isOwn || includes(declared, problem);
      const candidate = { type, text, hasMessage };
      if (format.isOwn || (hasMessage && hasStatus(declared, content.shape, problem.status))) {
        return candidate;
      }
      if (best === undefined || (hasMessage && !best.hasMessage)) best = candidate;
    }
    const made = await this.#made(problem, content);
    return made?.hasMessage || !best?.hasMessage ? (made ?? best) : best;
  }

  /** @returns undefined without a valid body */
  #inFormat(
    { bodies }: CompiledFormat,
    problem: Problem,
    content: WritableContent,
    target: ErrorTarget,
  ) {
    try {
      for (const body of bodies(problem, target)) {
        const written = content.tryWrite(target.mediaType, body);
        if (written !== undefined) return written;
      }
    } catch (thrown) {
      this.#report(errorFrom(thrown));
    }
    return undefined;
  }

  /** The `detail` of a problem may be a property that is not declared. */
  async #made(problem: Problem, content: WritableContent): Promise<Candidate | undefined> {
    const type = concrete(content.key, this.#formats[0].mediaType);
    const { status, number, title, headers } = problem;
    const shown = /html/i.test(type)
      ? new Problem(status, title, { number, title, type: problem.type, headers })
      : problem;
    const made = await this.#template(shown, content);
    if (made === undefined) return undefined;
    const { body, hasMessage } = made;
    if (isJsonMediaType(type)) return { type, text: stringifyJson(body), hasMessage };
    const written = content.tryWrite(type, body);
    return (
      written && {
        ...{ type, text: written.text },
        hasMessage: hasMessage && includes(written.declared, shown),
      }
    );
  }

  async #template(problem: Problem, content: WritableContent): Promise<Template | undefined> {
    const { schema, shape } = content;
    if (schema === undefined) return undefined;
    const known = this.#templates(schema.ref ?? schema);
    const fitting = known.found
      .map((template) => ({ ...template, body: filled(template, problem) }))
      .filter(({ body }) => content.isValid(body));
    const usual = fitting.find(({ hasMessage }) => hasMessage);
    if (usual !== undefined || known.searches === MAX_SEARCHES) return usual ?? fitting[0];
    known.searches++;
    const samples = await this.#samples();
    for (const arrangement of arrangements(shape, problem.message)) {
      const template = templateOf(arrangement, problem, schema, samples);
      if (template === undefined) continue;
      known.found.push(template);
      return template;
    }
    return undefined;
  }
}

/** True for text, which is the message or, in HTML, the title. */
function includes(body: unknown, { message }: Problem): boolean {
  return typeof body === 'string' || leavesOf(body).includes(message);
}

/** @returns the values that are neither objects nor arrays */
function leavesOf(body: unknown): unknown[] {
  if (typeof body === 'object' && body !== null) return Object.values(body).flatMap(leavesOf);
  return body === undefined || body === '' ? [] : [body];
}

/** @returns false if a property of the schema is for the status, and the body does not have it there */
function hasStatus(body: unknown, { names }: Shape, status: number): boolean {
  const declared = [...names].filter((name) => STATUS_NAME.test(name));
  if (declared.length === 0 || !isObject(body)) return true;
  return declared.some((name) => String(body[name]) === String(status));
}

/** @returns the media type of the format if the key is a range that includes it */
function concrete(key: string, mediaType: string): string {
  if (!key.includes('*')) return key;
  const family = key.slice(0, key.indexOf('*'));
  if (key === '*/*' || mediaType.startsWith(family)) return mediaType;
  return family === 'text/' ? 'text/plain; charset=utf-8' : `${family}octet-stream`;
}

/** Property names; 0 is the first item of an array. */
type Path = readonly (string | 0)[];

/** One value of a problem at a location of a body. */
interface PlacedValue {
  readonly path: Path;
  /** @returns undefined for a value that the problem does not have */
  readonly valueOf: (problem: Problem) => unknown;
}

/** The locations of the values of a problem. */
interface Arrangement {
  /** True if the first value is the message. */
  readonly hasMessage: boolean;
  readonly values: readonly PlacedValue[];
}

/** A valid body, whose values are replaced for each problem. */
interface Template extends Arrangement {
  readonly body: unknown;
}

/** Maximum number of searches for one schema, each for another problem that no known template fits. */
const MAX_SEARCHES = 8;

/** The names of the property with the message, in order of preference at one depth. */
const MESSAGES = [
  /^(?:error_?)?(?:message|msg)$/i,
  /^(?:error_?)?details?$/i,
  /^(?:error_?)?(?:description|summary|reason|text)$/i,
  /^error$/i,
];
const TITLE = /^(?:title|error|name)$/i;
/** The names of properties that hold the error itself, or its causes. */
const CONTAINER = /err|fault|problem|issue|violation|cause|exception|messages?$|details?$/i;

interface NamedValue extends Pick<PlacedValue, 'valueOf'> {
  readonly name: RegExp;
  readonly type: 'string' | 'number';
  readonly isRequired?: true;
}

const messageOf = ({ message }: Problem) => message;

/** The values of properties besides the message; the first that fits a property counts. */
const VALUES: readonly NamedValue[] = [
  ...MESSAGES.slice(0, -1).map((name): NamedValue => {
    return { name, type: 'string', isRequired: true, valueOf: messageOf };
  }),
  { name: TITLE, type: 'string', valueOf: ({ title }) => title },
  { name: STATUS_NAME, type: 'string', valueOf: ({ status }) => String(status) },
  { name: STATUS_NAME, type: 'number', valueOf: ({ status }) => status },
  {
    ...{ name: /^(?:time|date|timestamp|datetime)$/i, type: 'string', isRequired: true },
    valueOf: () => new Date().toISOString(),
  },
  { name: /^type$/, type: 'string', isRequired: true, valueOf: ({ type }) => type },
  {
    ...{ name: /^type$/, type: 'string' },
    valueOf: ({ type }) => (type === 'about:blank' ? undefined : type),
  },
];

/** The violations, where the schema does not declare them (RFC 9457, section 3). */
const ERRORS: PlacedValue = {
  path: ['errors'],
  valueOf: ({ violations }) => errorMembers(violations),
};

/** Limits of the search, which goes from the root to the leaves. */
const MAX_LEVELS = 6;
const MAX_PARTS = 500;
const MAX_MESSAGES = 20;

/** Ranks of locations: by name and depth, `detail` where it is not declared, a title, any string. */
const UNDECLARED = MESSAGES.length * (MAX_LEVELS + 1);
const OF_TITLE = UNDECLARED + 1;
const OF_ANY_NAME = UNDECLARED + 2;

/** A part of the body. */
interface Part {
  readonly path: Path;
  readonly shape: Shape;
  /** True if its parents require it. */
  readonly isRequired: boolean;
  /** True inside of the body itself and of properties that hold an error. */
  readonly isOfError: boolean;
}

/**
 * @param root the shape of the schema of an error body
 * @param text the message
 * @yields one for each location of the message, the best first; at last the one without message
 */
function* arrangements(root: Shape, text: string): Generator<Arrangement> {
  const parts = partsOf(root);
  const messages = parts
    .filter(({ shape }) => mayBeText(shape) && shape.accepts(text))
    .map((part) => ({ path: part.path, rank: rankOf(part) }));
  if (root.kind === 'object') messages.push({ path: ['detail'], rank: UNDECLARED });
  messages.sort((a, b) => a.rank - b.rank);
  const objects = parts.filter(({ shape }) => shape.kind === 'object');
  for (const { path, rank } of messages.slice(0, MAX_MESSAGES)) {
    const isStart = (start: Path) => start.every((step, at) => step === path[at]);
    const others = objects
      .filter((part) => part.isRequired || isStart(part.path))
      .flatMap(valuesIn)
      .filter((value) => !isStart(value.path));
    if (rank === UNDECLARED && !root.names.has('errors')) others.push(ERRORS);
    yield { hasMessage: true, values: [{ path, valueOf: messageOf }, ...others] };
  }
  yield {
    hasMessage: false,
    values: objects.filter(({ isRequired }) => isRequired).flatMap(valuesIn),
  };
}

/** @returns the body and its parts, breadth first */
function partsOf(root: Shape): readonly Part[] {
  const parts = readingsOf({ path: [], shape: root, isRequired: true, isOfError: true });
  for (const part of parts) {
    if (parts.length > MAX_PARTS) break;
    if (part.path.length < MAX_LEVELS) parts.push(...innerParts(part).flatMap(readingsOf));
  }
  return parts;
}

function readingsOf(part: Part): Part[] {
  return part.shape.readings.map((shape) => ({ ...part, shape }));
}

function innerParts({ path, shape, isRequired, isOfError }: Part): Part[] {
  if (shape.kind === 'array') {
    return [{ path: [...path, 0], shape: shape.items(), isRequired: false, isOfError }];
  }
  if (shape.kind !== 'object') return [];
  return Array.from(shape.names, (name) => {
    const inner = shape.property(name);
    const holdsError = inner.kind === 'scalar' || CONTAINER.test(name) || shape.names.size === 1;
    return {
      path: [...path, name],
      shape: inner,
      isRequired: isRequired && shape.required.has(name),
      isOfError: isOfError && holdsError,
    };
  });
}

function mayBeText({ kind, types }: Shape): boolean {
  return kind === 'scalar' && (types.has('string') || types.size === 0);
}

function rankOf({ path, isOfError }: Part): number {
  const name = path.at(-1);
  if (!isOfError) return OF_ANY_NAME + path.length;
  const depth = path.length * MESSAGES.length;
  if (name === undefined || name === 0) return depth;
  const ofName = MESSAGES.findIndex((message) => message.test(name));
  if (ofName >= 0) return depth + ofName;
  return TITLE.test(name) ? OF_TITLE : OF_ANY_NAME + path.length;
}

function valuesIn({ shape, path }: Part): PlacedValue[] {
  return [...shape.names].flatMap((name) => {
    const { types } = shape.property(name);
    const found = VALUES.find(
      (value) =>
        value.name.test(name) &&
        (types.has(value.type) || (value.type === 'number' && types.has('integer'))) &&
        (!value.isRequired || shape.required.has(name)),
    );
    return found ? { path: [...path, name], valueOf: found.valueOf } : [];
  });
}

/** Adds one value after the other: a schema may have no room for some. */
function templateOf(
  { hasMessage, values }: Arrangement,
  problem: Problem,
  schema: Schema,
  samples: Samples,
): Template | undefined {
  const required: object[] = [];
  const kept: PlacedValue[] = [];
  let body = hasMessage ? undefined : samples.least(schema, {});
  for (const placed of values) {
    const value = placed.valueOf(problem);
    if (value !== undefined) {
      const allOf = [...required, schemaOf(placed.path, value)];
      const more = samples.least(schema, { allOf });
      if (more === undefined && body === undefined) return undefined;
      if (more === undefined) continue;
      body = more;
      required.push(allOf.at(-1)!);
    }
    kept.push(placed);
  }
  return body === undefined ? undefined : { body, hasMessage, values: kept };
}

/** @returns a schema that requires the value at the path */
function schemaOf(path: Path, value: unknown): object {
  return path.reduceRight<object>(
    (inner, step) =>
      step === 0
        ? { type: 'array', minItems: 1, items: inner }
        : { type: 'object', required: [step], properties: { [step]: inner } },
    { const: value },
  );
}

function filled({ body, values }: Template, problem: Problem): unknown {
  const copy = { body: structuredClone(body) };
  for (const placed of values) replace(copy, ['body', ...placed.path], placed.valueOf(problem));
  return copy.body;
}

/** @param value undefined removes the property */
function replace(holder: object, path: Path, value: unknown): void {
  const inner = path.slice(0, -1).reduce<unknown>((outer, step) => Object(outer)[step], holder);
  const last = path.at(-1)!;
  // The property may have another type.
  if (typeof inner !== 'object' || inner === null) return;
  if (value === undefined) Reflect.deleteProperty(inner, last);
  else Reflect.set(inner, last, value);
}
