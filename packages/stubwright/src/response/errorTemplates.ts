// Error bodies made for a schema that no format fits: the values of a problem where the schema has room for
// them, and values without meaning for what it requires besides.

import { onceFor, type Problem, type Schema, STATUS_NAME } from '@stubwright/contract';
import type { Shape } from '@stubwright/contract/values';
import type { Samples } from '@stubwright/mock/samples';
import type { WritableContent } from './compiledResponse.ts';
import { errorMembers } from './errorFormat.ts';

/** Property names; 0 is the first item of an array. */
type Path = readonly (string | 0)[];

/** @returns undefined for a value that the problem does not have */
type ValueOf = (problem: Problem) => unknown;

/** One value of a problem at a location of a body. */
interface PlacedValue {
  readonly path: Path;
  readonly valueOf: ValueOf;
}

/** A valid body, whose values are replaced for each problem. */
interface Template {
  readonly body: unknown;
  readonly hasMessage: boolean;
  /** The message first, if the schema has room for it. */
  readonly values: readonly PlacedValue[];
}

const message: ValueOf = (problem) => problem.message;

/** The names of the property with the message, in order of preference at one depth. */
const MESSAGES = [
  /^(?:error_?)?(?:message|msg)$/i,
  /^(?:error_?)?details?$/i,
  /^(?:error_?)?(?:description|summary|reason|text)$/i,
  /^error$/i,
];
const TITLE = /^(?:title|error|name)$/i;

/** The values of properties besides the message: the first row counts whose name, type and need fit. */
const VALUES: readonly (readonly [
  name: RegExp,
  type: 'string' | 'number',
  property: 'required' | 'any',
  ValueOf,
])[] = [
  [MESSAGES[0]!, 'string', 'required', message],
  [MESSAGES[1]!, 'string', 'required', message],
  [MESSAGES[2]!, 'string', 'required', message],
  [TITLE, 'string', 'any', ({ title }) => title],
  [STATUS_NAME, 'string', 'any', ({ status }) => String(status)],
  [STATUS_NAME, 'number', 'any', ({ status }) => status],
  [/^(?:time|date|timestamp|datetime)$/i, 'string', 'required', () => new Date().toISOString()],
  [/^type$/, 'string', 'required', ({ type }) => type],
  [/^type$/, 'string', 'any', ({ type }) => (type === 'about:blank' ? undefined : type)],
];

/** The violations, where the schema does not declare them (RFC 9457, section 3). */
const ERRORS: PlacedValue = {
  path: ['errors'],
  valueOf: ({ violations }) => errorMembers(violations),
};

/** Maximum number of searches for one schema, each for another problem that no known template fits. */
const MAX_SEARCHES = 8;

/** The templates of one contract. */
export class ErrorTemplates {
  readonly #samples: Samples;
  readonly #templates = onceFor((_schema: Schema | string) => ({
    found: [] as Template[],
    searches: 0,
  }));

  /** @param samples for responses */
  constructor(samples: Samples) {
    this.#samples = samples;
  }

  /** @returns a valid body, with the message if the schema has room for it; undefined if there is none */
  filled(problem: Problem, content: WritableContent): Template | undefined {
    const { schema, shape } = content;
    if (schema === undefined) return undefined;
    const known = this.#templates(schema.ref ?? schema);
    const fitting = known.found
      .map((template) => ({ ...template, body: filled(template, problem) }))
      .filter(({ body }) => content.isValid(body));
    const usual = fitting.find(({ hasMessage }) => hasMessage);
    if (usual !== undefined || known.searches === MAX_SEARCHES) return usual ?? fitting[0];
    known.searches++;
    for (const { first, others } of arrangements(shape, problem.message)) {
      const needed = first === undefined ? {} : schemaOf(first.path, problem.message);
      const body = this.#samples.least(schema, needed);
      if (body === undefined) continue;
      let template: Template = {
        body,
        hasMessage: first !== undefined,
        values: first ? [first] : [],
      };
      // The schema may have no room for some.
      for (const other of others) {
        const longer = { ...template, values: [...template.values, other] };
        const more = { ...longer, body: filled(longer, problem) };
        if (content.isValid(more.body)) template = more;
      }
      known.found.push(template);
      return template;
    }
    return undefined;
  }
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
  const holder = { body: structuredClone(body) };
  for (const { path, valueOf: value } of values) {
    const steps = ['body', ...path];
    const last = steps.pop()!;
    const inner = steps.reduce<unknown>((outer, step) => Object(outer)[step], holder);
    // The property may have another type.
    if (typeof inner !== 'object' || inner === null) continue;
    const sent = value(problem);
    if (sent === undefined) Reflect.deleteProperty(inner, last);
    else Reflect.set(inner, last, sent);
  }
  return holder.body;
}

/** Limits of the search, which goes from the root to the leaves. */
const MAX_LEVELS = 6;
const MAX_PARTS = 500;
const MAX_MESSAGES = 20;

/** Ranks of locations: by name and depth, `detail` where it is not declared, a title, any string. */
const UNDECLARED = MESSAGES.length * (MAX_LEVELS + 1);
const OF_TITLE = UNDECLARED + 1;
const OF_ANY_NAME = UNDECLARED + 2;

/** The names of properties that hold the error itself, or its causes. */
const CONTAINER = /err|fault|problem|issue|violation|cause|exception|messages?$|details?$/i;

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
 * @yields one for each location of the message (`first`), the best first; at last the one without message
 */
function* arrangements(root: Shape, text: string) {
  const parts = partsOf(root);
  const messages = parts.flatMap((part) => {
    const { kind, types } = part.shape;
    const isText = kind === 'scalar' && (types.has('string') || types.size === 0);
    return isText && part.shape.accepts(text) ? { path: part.path, rank: rankOf(part) } : [];
  });
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
    yield { first: { path, valueOf: message }, others };
  }
  const required = objects.filter(({ isRequired }) => isRequired);
  yield { first: undefined, others: required.flatMap(valuesIn) };
}

/** @returns the body and its parts, breadth first */
function partsOf(root: Shape): readonly Part[] {
  const parts: Part[] = [];
  const add = (part: Part) =>
    parts.push(...part.shape.readings.map((shape) => ({ ...part, shape })));
  add({ path: [], shape: root, isRequired: true, isOfError: true });
  for (const { path, shape, isRequired, isOfError } of parts) {
    if (parts.length > MAX_PARTS) break;
    if (path.length === MAX_LEVELS || shape.kind === 'scalar') continue;
    if (shape.kind === 'array') {
      add({ path: [...path, 0], shape: shape.items(), isRequired: false, isOfError });
      continue;
    }
    for (const name of shape.names) {
      const inner = shape.property(name);
      const holdsError = inner.kind === 'scalar' || CONTAINER.test(name) || shape.names.size === 1;
      add({
        path: [...path, name],
        shape: inner,
        isRequired: isRequired && shape.required.has(name),
        isOfError: isOfError && holdsError,
      });
    }
  }
  return parts;
}

function rankOf({ path, isOfError }: Part): number {
  const name = path.at(-1);
  if (!isOfError) return OF_ANY_NAME + path.length;
  const depth = path.length * MESSAGES.length;
  if (name === undefined || name === 0) return depth;
  const ofName = MESSAGES.findIndex((names) => names.test(name));
  if (ofName >= 0) return depth + ofName;
  return TITLE.test(name) ? OF_TITLE : OF_ANY_NAME + path.length;
}

function valuesIn({ shape, path }: Part): PlacedValue[] {
  return [...shape.names].flatMap((name) => {
    const { types } = shape.property(name);
    const fits = (type: string) => types.has(type) || (type === 'number' && types.has('integer'));
    const found = VALUES.find(
      ([names, type, property]) =>
        names.test(name) && fits(type) && (property === 'any' || shape.required.has(name)),
    );
    return found ? { path: [...path, name], valueOf: found[3] } : [];
  });
}
