// The responses that a contract allows; objects may have undeclared properties.
import type { Definition, LocatedNode, Operation } from '../../src/document/definition.ts';
import { parseJsonText } from '../../src/json/json.ts';
import { matchMediaType, parseMediaType } from '../../src/request/body/mediaType.ts';
import { Validators } from '../../src/schema/validator.ts';

export interface ReplayedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The responses that a contract allows. */
export class AllowedAnswers {
  readonly #definition: Definition;
  readonly #validators: Validators;

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#validators = new Validators(definition, 'response');
  }

  /** @returns the violations in a response; empty if the contract allows it */
  errorsOf(operationId: string, { status, headers, text }: ReplayedAnswer): string[] {
    const operation = this.#definition.operations.find((each) => each.operationId === operationId);
    const response = operation && responseOf(operation, status);
    if (response === undefined) return [`status ${status} is not declared`];
    return [...this.#headerFaults(response, headers), ...this.#bodyFaults(response, headers, text)];
  }

  #headerFaults(response: LocatedNode, headers: Headers): string[] {
    const declared = this.#definition.child(response, 'headers');
    return Object.keys(declared?.node ?? {}).flatMap((name) => {
      const header = this.#definition.child(declared!, name)!;
      const value = headers.get(name);
      if (value === null) return header.node.required ? [`header ${name} is missing`] : [];
      const { type } = this.#definition.child(header, 'schema')!.node;
      const parsed: unknown = type === 'string' ? value : parseJsonText(value);
      return this.#validators.at(`${header.pointer}/schema`)(parsed)
        ? []
        : [`header ${name} is ${value}`];
    });
  }

  #bodyFaults(response: LocatedNode, headers: Headers, text: string): string[] {
    const content = this.#definition.child(response, 'content');
    if (content === undefined) return text === '' ? [] : ['a body is not declared'];
    const type = headers.get('content-type') ?? 'none';
    const sent = parseMediaType(type);
    const key = sent && matchMediaType(sent, Object.keys(content.node));
    if (key === undefined) return [`media type ${type} is not declared`];
    const media = this.#definition.child(content, key)!;
    return this.#validators.at(`${media.pointer}/schema`)(parseJsonText(text))
      ? []
      : [`the body is ${text}`];
  }
}

function responseOf({ responses }: Operation, status: number): LocatedNode | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return responses.get(String(status)) ?? responses.get(range) ?? responses.get('default');
}
