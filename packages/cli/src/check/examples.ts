// Validates the examples of a contract against their schemas.
import type { Definition, LocatedNode } from 'stubwright/internal/document/definition';
import { isJsonMediaType } from 'stubwright/internal/request/body/mediaType';
import { describeErrors, Validators } from 'stubwright/internal/schema/validator';

export interface ExampleError {
  /** JSON pointer of the example in the bundled contract. */
  readonly pointer: string;
  readonly message: string;
}

/** @returns the invalid examples of all operations, each once */
export function exampleErrors(definition: Definition): ExampleError[] {
  const requestValidators = new Validators(definition, 'request');
  const responseValidators = new Validators(definition, 'response');
  const errors = definition.operations.flatMap(({ parameters, requestBody, responses }) => [
    ...parameters.flatMap((each) => errorsOf(each, definition, requestValidators)),
    ...bodiesOf(requestBody, definition).flatMap((each) =>
      errorsOf(each, definition, requestValidators),
    ),
    ...[...responses.values()].flatMap((response) =>
      [
        ...bodiesOf(response, definition),
        ...definition.children(response, 'headers').values(),
      ].flatMap((each) => errorsOf(each, definition, responseValidators)),
    ),
  ]);
  return [...new Map(errors.map((error) => [error.pointer + error.message, error])).values()];
}

/** JSON media types only: examples of other types are not validated. */
function bodiesOf(holder: LocatedNode | undefined, definition: Definition): LocatedNode[] {
  if (holder === undefined) return [];
  return [...definition.children(holder, 'content')]
    .filter(([type]) => isJsonMediaType(type))
    .map(([, content]) => content);
}

/** @param holder of `schema` and of `example` or `examples` */
function errorsOf(
  holder: LocatedNode,
  definition: Definition,
  validators: Validators,
): ExampleError[] {
  if (holder.node.schema === undefined) return [];
  const validate = validators.at(`${holder.pointer}/schema`);
  const single = 'example' in holder.node ? [definition.step(holder, 'example')] : [];
  const values = [...definition.children(holder, 'examples').values()]
    .filter(({ node }) => 'value' in node)
    .map((each) => definition.step(each, 'value'));
  return [...single, ...values].flatMap(({ pointer, node }) => {
    if (validate(node)) return [];
    return [
      {
        pointer,
        message: `the example violates its schema: ${describeErrors(validate.errors!, '')}`,
      },
    ];
  });
}
