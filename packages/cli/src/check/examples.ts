// Validates the examples of a contract against their schemas.
import { type Definition, isJsonMediaType, type LocatedNode } from 'stubwright/contract';
import { describeErrors, Validators } from 'stubwright/validation';

/** The rules of Redocly that check the same examples. */
type ExampleRule = 'no-invalid-media-type-examples' | 'no-invalid-parameter-examples';

export interface ExampleError {
  readonly rule: ExampleRule;
  /** JSON pointer of the example in the bundled contract. */
  readonly pointer: string;
  readonly message: string;
}

/** @returns the invalid examples of all operations, each once */
export function exampleErrors(definition: Definition): ExampleError[] {
  const requestValidators = new Validators(definition, 'request');
  const responseValidators = new Validators(definition, 'response');
  const errors = definition.operations.flatMap(({ parameters, requestBody, responses }) => [
    ...errorsOfValues(parameters, definition, requestValidators),
    ...errorsOfBodies(requestBody, definition, requestValidators),
    ...[...responses.values()].flatMap((response) => [
      ...errorsOfBodies(response, definition, responseValidators),
      ...errorsOfValues(
        definition.children(response, 'headers').values(),
        definition,
        responseValidators,
      ),
    ]),
  ]);
  return [...new Map(errors.map((error) => [error.pointer + error.message, error])).values()];
}

/** Of parameters and headers. */
function errorsOfValues(
  holders: Iterable<LocatedNode>,
  definition: Definition,
  validators: Validators,
): ExampleError[] {
  return [...holders].flatMap((holder) =>
    errorsOf(holder, definition, validators).map((error) => {
      return { rule: 'no-invalid-parameter-examples', ...error };
    }),
  );
}

/** JSON media types only: examples of other types are not validated. */
function errorsOfBodies(
  holder: LocatedNode | undefined,
  definition: Definition,
  validators: Validators,
): ExampleError[] {
  if (holder === undefined) return [];
  return [...definition.children(holder, 'content')]
    .filter(([type]) => isJsonMediaType(type))
    .flatMap(([, content]) => errorsOf(content, definition, validators))
    .map((error) => ({ rule: 'no-invalid-media-type-examples', ...error }));
}

/** @param holder of `schema` and of `example` or `examples` */
function errorsOf(
  holder: LocatedNode,
  definition: Definition,
  validators: Validators,
): Omit<ExampleError, 'rule'>[] {
  const values = declaredExamples(holder, definition);
  if (holder.node.schema === undefined || values.length === 0) return [];
  const validate = validators.at(`${holder.pointer}/schema`);
  return values.flatMap(({ pointer, node }) => {
    if (validate(node)) return [];
    const message = `the example violates its schema: ${describeErrors(validate.errorsOf(node), '')}`;
    return [{ pointer, message }];
  });
}

/** @param holder of `example` or `examples` @returns the values, without `externalValue` */
export function declaredExamples(holder: LocatedNode, definition: Definition): LocatedNode[] {
  const single = 'example' in holder.node ? [definition.step(holder, 'example')] : [];
  const named = [...definition.children(holder, 'examples').values()]
    .filter(({ node }) => 'value' in node)
    .map((each) => definition.step(each, 'value'));
  return [...single, ...named];
}
