// Reports the properties of examples that a response would not contain.
import {
  contentsOf,
  type Definition,
  type LocatedNode,
  parseMediaType,
  type Schema,
  selectableBy,
} from '@stubwright/contract';
import {
  type DeclaredOptions,
  declaredPart,
  mediaContentOf,
  mediaKindOf,
  NotSerializable,
  opaque,
  removedFrom,
  Validators,
} from '@stubwright/contract/values';
import { declaredExamples } from './examples.ts';

export interface UndeclaredProperty {
  /** JSON pointer of the example in the bundled contract. */
  readonly pointer: string;
  /** `error  expected …` */
  readonly message: string;
}

/** Maximum number of properties in a message. */
const MAX_PROPERTIES = 5;
const EXPECTED = 'expected declared properties';

/**
 * Compares the valid examples of response bodies, and of the schemas in them, with their declared
 * properties. The engine does not send others.
 */
export function undeclaredProperties(definition: Definition): UndeclaredProperty[] {
  const validators = new Validators(definition, 'response');
  const contents = definition.operations.flatMap(({ responses }) =>
    [...responses.values()].flatMap((response) => valuesIn(response, definition, validators)),
  );
  const schemas = new Set(contents.map(({ pointer }) => validators.model.at(`${pointer}/schema`)!));
  const ofBodies = contents.flatMap((content) =>
    declaredExamples(content, definition).flatMap((example) =>
      missing(example, validators.model.at(`${content.pointer}/schema`)!, validators),
    ),
  );
  for (const schema of schemas) {
    for (const each of [...schema.inner, ...selectableBy(schema)]) schemas.add(each);
  }
  // The examples of a schema also describe requests, which contain its writeOnly properties.
  const ofSchemas = [...schemas].flatMap((schema) =>
    schemaExamples(schema).flatMap((example) =>
      missing(example, schema, validators, { keepsHidden: true }),
    ),
  );
  const all = [...ofBodies, ...ofSchemas];
  return [...new Map(all.map((each) => [each.pointer, each])).values()];
}

/** @returns the Media Type Objects whose bodies are values of a schema */
function valuesIn(
  response: LocatedNode,
  definition: Definition,
  validators: Validators,
): LocatedNode[] {
  return [...contentsOf(definition, response)].flatMap(([type, content]) => {
    const media = mediaContentOf(content, validators);
    const kind = mediaKindOf(parseMediaType(type)?.type ?? '', media);
    return media.schema === undefined || kind === opaque ? [] : [content];
  });
}

function schemaExamples(schema: Schema): LocatedNode[] {
  const { example, examples } = schema.keywords;
  const list: unknown[] = Array.isArray(examples) ? examples : [];
  return [
    { pointer: schema.pointerTo('example'), node: example },
    ...list.map((node, at) => ({ pointer: `${schema.pointerTo('examples')}/${at}`, node })),
  ].filter((each): each is LocatedNode => typeof each.node === 'object' && each.node !== null);
}

/** An invalid example is reported as such. */
function missing(
  { pointer, node }: LocatedNode,
  schema: Schema,
  validators: Validators,
  options?: DeclaredOptions,
): UndeclaredProperty[] {
  if (typeof node !== 'object' || !validators.at(schema.pointer)(node)) return [];
  try {
    const declared = declaredPart(validators, schema, options)(node);
    const pointers = Array.from(removedFrom(node, declared), (each) => each.pointer);
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
