// The examples that a contract gives for bodies, parameters and headers, held against their schemas
// as the engine holds requests and answers: exact integers, formats, what one direction hides.

import type { Definition, Place } from '../../../stubwright/src/document/definition.ts';
import { isJson, parseMediaType } from '../../../stubwright/src/request/body/mediaType.ts';
import { tellFaults, Validators } from '../../../stubwright/src/schema/validator.ts';

export interface ExampleFault {
  /** Of the example in the contract as one document. */
  readonly pointer: string;
  readonly message: string;
}

/** @returns what is wrong with the examples of the operations, each place once */
export function exampleFaults(definition: Definition): ExampleFault[] {
  const requests = new Validators(definition, 'request');
  const answers = new Validators(definition, 'response');
  const faults = definition.operations.flatMap(({ parameters, requestBody, responses }) => [
    ...parameters.flatMap((each) => faultsOf(each, definition, requests)),
    ...bodiesOf(requestBody, definition).flatMap((each) => faultsOf(each, definition, requests)),
    ...[...responses.values()].flatMap((response) =>
      [
        ...bodiesOf(response, definition),
        ...definition.children(response, 'headers').values(),
      ].flatMap((each) => faultsOf(each, definition, answers)),
    ),
  ]);
  return [...new Map(faults.map((fault) => [fault.pointer + fault.message, fault])).values()];
}

/** The JSON bodies; those of other types are no data to be validated. */
function bodiesOf(holder: Place | undefined, definition: Definition): Place[] {
  if (holder === undefined) return [];
  return [...definition.children(holder, 'content')]
    .filter(([type]) => isJson(parseMediaType(type)?.type ?? ''))
    .map(([, content]) => content);
}

/** @param holder of `schema` and of `example` or `examples` */
function faultsOf(holder: Place, definition: Definition, validators: Validators): ExampleFault[] {
  if (holder.node.schema === undefined) return [];
  const validate = validators.at(`${holder.pointer}/schema`);
  const single = 'example' in holder.node ? [definition.step(holder, 'example')] : [];
  const values = [...definition.children(holder, 'examples').values()]
    .filter(({ node }) => 'value' in node)
    .map((each) => definition.step(each, 'value'));
  return [...single, ...values].flatMap(({ pointer, node }) => {
    if (validate(node)) return [];
    return [
      { pointer, message: `the example breaks its schema: ${tellFaults(validate.errors!, '')}` },
    ];
  });
}
