// Error bodies for schemas that no format fits: the parts of a problem where the schema has room for them, and
// values without meaning for what it requires besides.
import type { Problem, Schema } from '@stubwright/contract';
import type { Samples } from '@stubwright/mock/samples';
import type { WritableContent } from '../response/compiledResponse.ts';
import {
  type ErrorPart,
  type ErrorRoles,
  errorRoles,
  type Path,
} from '../response/errorProperties.ts';

/** A body whose parts are replaced for each problem. */
interface Template {
  readonly body: unknown;
  /** Undefined for a body without message. */
  readonly message: Path | undefined;
  readonly others: readonly ErrorPart[];
}

/** Maximum number of searches for one schema, each for another problem that no known template fits. */
const MAX_SEARCHES = 8;

/** The error bodies of one contract. */
export class ErrorBodies {
  readonly #samples: Samples;
  readonly #templates = new Map<Schema, { found: Template[]; searches: number }>();

  /** @param samples for responses */
  constructor(samples: Samples) {
    this.#samples = samples;
  }

  /** @returns a valid body, with the message if the schema has room for it; undefined if there is none */
  of(
    content: WritableContent,
    problem: Problem,
  ): { body: unknown; hasMessage: boolean } | undefined {
    const { schema } = content;
    if (schema === undefined) return undefined;
    const key = schema.ref ?? schema;
    const known = this.#templates.get(key) ?? { found: [], searches: 0 };
    this.#templates.set(key, known);
    const fitting = (withMessage: boolean) => {
      for (const template of known.found) {
        if ((template.message !== undefined) !== withMessage) continue;
        const body = filled(template, problem);
        if (content.isValid(body)) return { body, hasMessage: withMessage };
      }
      return undefined;
    };
    const usual = fitting(true);
    if (usual !== undefined || known.searches === MAX_SEARCHES) return usual ?? fitting(false);
    known.searches++;
    for (const roles of errorRoles(content.shape, problem.message)) {
      const template = this.#search(schema, roles, problem);
      if (template === undefined) continue;
      known.found.push(template);
      return { body: template.body, hasMessage: template.message !== undefined };
    }
    return undefined;
  }

  /** Adds one part after the other: a schema may have no room for some. */
  #search(schema: Schema, { message, others }: ErrorRoles, problem: Problem): Template | undefined {
    const values = new Map<Path, unknown>(message && [[message, problem.message]]);
    let body = this.#samples.least(schema, schemaOf([...values]));
    if (body === undefined) return undefined;
    const kept: ErrorPart[] = [];
    for (const role of others) {
      const value = role.valueOf(problem);
      if (value === undefined) {
        kept.push(role);
        continue;
      }
      values.set(role.path, value);
      const more = this.#samples.least(schema, schemaOf([...values]));
      if (more === undefined) values.delete(role.path);
      else {
        body = more;
        kept.push(role);
      }
    }
    return { body, message, others: kept };
  }
}

/** @returns a schema that requires the values at their paths */
function schemaOf(values: readonly (readonly [Path, unknown])[]): object {
  const [own] = values.filter(([path]) => path.length === 0);
  if (own !== undefined) return { const: own[1] };
  const inner = Map.groupBy(values, ([[step]]) => step!);
  const schemas = [...inner].map(([step, each]) => {
    return [step, schemaOf(each.map(([[, ...path], value]) => [path, value]))] as const;
  });
  const items = schemas.find(([step]) => step === 0);
  if (items !== undefined) return { type: 'array', minItems: 1, items: items[1] };
  if (schemas.length === 0) return {};
  return {
    type: 'object',
    required: schemas.map(([name]) => name),
    properties: Object.fromEntries(schemas),
  };
}

function filled({ body, message, others }: Template, problem: Problem): unknown {
  const copy = { body: structuredClone(body) };
  if (message !== undefined) replace(copy, message, problem.message);
  for (const role of others) replace(copy, role.path, role.valueOf(problem));
  return copy.body;
}

/** @param value undefined removes the property */
function replace(holder: { body: unknown }, path: Path, value: unknown): void {
  const steps = ['body', ...path];
  const last = steps.pop()!;
  let target: Readonly<object> = holder;
  for (const step of steps) {
    const inner: unknown = Reflect.get(target, step);
    // The property may have another type.
    if (typeof inner !== 'object' || inner === null) return;
    target = inner;
  }
  if (value === undefined) Reflect.deleteProperty(target, last);
  else Reflect.set(target, last, value);
}
