// Reports the properties of examples that a response would not contain.
import {
  type Contract,
  type DeclaredResponse,
  type Example,
  type LocatedValue,
  reachableSchemas,
  type Schema,
} from '@stubwright/contract';
import {
  contentMedia,
  type DeclaredOptions,
  declaredPart,
  NotSerializable,
  opaque,
  removedFrom,
  Validators,
} from '@stubwright/contract/values';
import type { AtPointer } from './atPointer.ts';

/** Maximum number of properties in a message. */
const MAX_PROPERTIES = 5;
const EXPECTED = 'expected declared properties';

/**
 * Compares the valid examples of response bodies, and of the schemas in them, with their declared
 * properties. The engine does not send others.
 */
export function undeclaredProperties(definition: Contract): AtPointer[] {
  const validators = new Validators(definition, 'response');
  const contents = definition.operations.flatMap(({ responses }) =>
    [...responses.values()].flatMap((response) => contentsWithValues(response, validators)),
  );
  const ofBodies = contents.flatMap(({ schema, examples }) =>
    examples.flatMap((each) => missing(each.read(), schema, validators)),
  );
  // The examples of a schema also describe requests, which contain its writeOnly properties.
  const ofSchemas = [...reachableSchemas(contents.map(({ schema }) => schema))].flatMap((schema) =>
    schemaExamples(schema).flatMap((each) =>
      missing(each, schema, validators, { keepsHidden: true }),
    ),
  );
  const all = [...ofBodies, ...ofSchemas];
  return [...new Map(all.map((each) => [each.pointer, each])).values()];
}

interface ContentWithValues {
  readonly schema: Schema;
  readonly examples: readonly Example[];
}

/** @returns the contents whose bodies are values of a schema */
function contentsWithValues(
  { contents }: DeclaredResponse,
  validators: Validators,
): ContentWithValues[] {
  return [...contents].flatMap(([type, content]) => {
    const { schema, examples } = content;
    const { kind } = contentMedia(content, type, validators);
    return schema === undefined || kind === opaque ? [] : [{ schema, examples }];
  });
}

function schemaExamples(schema: Schema): LocatedValue[] {
  const { example, examples } = schema.keywords;
  const list: unknown[] = Array.isArray(examples) ? examples : [];
  return [
    { pointer: schema.pointerTo('example'), value: example },
    ...list.map((value, at) => ({ pointer: `${schema.pointerTo('examples')}/${at}`, value })),
  ];
}

/** An invalid example is reported as such. */
function missing(
  example: LocatedValue | undefined,
  schema: Schema,
  validators: Validators,
  options?: DeclaredOptions,
): AtPointer[] {
  const { pointer = '', value } = example ?? {};
  if (typeof value !== 'object' || value === null) return [];
  if (!validators.at(schema.pointer)(value)) return [];
  try {
    const declared = declaredPart(validators, schema, options)(value);
    const pointers = Array.from(removedFrom(value, declared), (each) => each.pointer);
    if (pointers.length === 0) return [];
    const shown = pointers.slice(0, MAX_PROPERTIES).join(', ');
    const more = pointers.length - MAX_PROPERTIES;
    const all = more > 0 ? `${shown} and ${more} more` : shown;
    return [{ pointer, message: `a response omits ${all} of the example  ${EXPECTED}` }];
  } catch (error) {
    if (!(error instanceof NotSerializable)) throw error;
    return [{ pointer, message: `a response cannot have the example: ${error.message}` }];
  }
}
