// A declared response, compiled: what judges its headers and bodies, and what writes them.
import { isJson, parseMediaType } from '../body/mediaType.ts';
import type { Definition, Place } from '../definition/definition.ts';
import { stringifyJson } from '../json.ts';
import type { ValidateFunction, Validators } from '../schema/validator.ts';
import { type Writer, writerOf } from './writer.ts';

export interface Content {
  readonly validate: ValidateFunction | undefined;
  readonly write: Writer;
}

/** One declared response, compiled. */
export interface Response {
  /** What judges them, by lower-case name. */
  readonly headers: ReadonlyMap<string, ValidateFunction | undefined>;
  readonly requiredHeaders: readonly string[];
  readonly contents: ReadonlyMap<string, Content>;
  /** The key that is meant where a handler names no media type: JSON before all others. */
  readonly usualKey: string | undefined;
}

/** @param place one of an operation's responses */
export function compileResponse(
  definition: Definition,
  validators: Validators,
  place: Place,
): Response {
  // OpenAPI: a response header named Content-Type is ignored.
  const declared = [...definition.children(place, 'headers')]
    .map(([name, header]) => [name.toLowerCase(), header] as const)
    .filter(([name]) => name !== 'content-type');
  const required = declared.filter(([, { node }]) => node.required === true);
  const contents = [...definition.children(place, 'content')];
  const keys = contents.map(([type]) => type);
  return {
    headers: new Map(declared.map(([name, header]) => [name, validatorIn(validators, header)])),
    requiredHeaders: required.map(([name]) => name),
    contents: new Map(
      contents.map(([type, content]) => [
        type,
        {
          validate: validatorIn(validators, content),
          write: writerIn(validators, content),
        },
      ]),
    ),
    usualKey: keys.find((each) => isJson(parseMediaType(each)?.type ?? '')) ?? keys[0],
  };
}

function validatorIn(validators: Validators, { node, pointer }: Place) {
  return node.schema === undefined ? undefined : validators.at(`${pointer}/schema`);
}

function writerIn(validators: Validators, { node, pointer }: Place): Writer {
  if (node.schema === undefined) return stringifyJson;
  return writerOf(validators, validators.model.at(`${pointer}/schema`)!);
}
