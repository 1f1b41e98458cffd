// Examples that Swagger UI cannot write: the items of sequences, and XML by `nodeType`.

import {
  type Content,
  Contract,
  type Example,
  isSequential,
  isXml,
  type Node,
  parseMediaType,
  valueAt,
  withValueAt,
} from '@stubwright/contract';
import {
  mediaContentOf,
  mediaKindOf,
  RequestWriter,
  Validators,
} from '@stubwright/contract/values';
import { ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';

/** @returns a copy in which bodies of these media types have examples as text, and sequences the schema of an array */
export function withBodyExamples(document: Node): Node {
  const definition = new Contract(document);
  const writers = {
    request: new BodyExamples(definition, 'request'),
    response: new BodyExamples(definition, 'response'),
  };
  const changed = new Map<string, Node>();
  for (const { request, responses } of definition.operations) {
    const all = [
      ['request', request] as const,
      ...Array.from(responses, ([, { contents }]) => ['response', contents] as const),
    ];
    for (const [direction, contents] of all) {
      for (const [type, content] of contents) {
        const essence = parseMediaType(type)?.type ?? '';
        if (changed.has(content.pointer) || !isWritten(essence, document)) continue;
        changed.set(content.pointer, writers[direction].shown(content, type));
      }
    }
  }
  return [...changed].reduce((whole, [at, node]) => withValueAt(whole, at, node) as Node, document);
}

/** XML of earlier versions has no `nodeType`. */
function isWritten(type: string, { openapi }: Node): boolean {
  return isSequential(type) || (isXml(type) && String(openapi).startsWith('3.2'));
}

class BodyExamples {
  readonly #definition: Contract;
  readonly #validators: Validators;
  readonly #values: ExampleRequests;
  readonly #writer: RequestWriter;

  constructor(definition: Contract, direction: 'request' | 'response') {
    this.#definition = definition;
    this.#validators = new Validators(definition, direction);
    this.#values = new ExampleRequests(definition, this.#validators, new Samples(this.#validators));
    this.#writer = new RequestWriter(this.#validators);
  }

  shown(content: Content, type: string): Node {
    const media = mediaContentOf(content, this.#validators);
    const kind = mediaKindOf(parseMediaType(type)!.type, media);
    // Text and bytes.
    const written = valueAt(this.#definition.document, content.pointer) as Node;
    if (kind.acceptsBytes && kind.itemCodec === undefined) return written;
    const { example, examples, ...rest } = written;
    const items =
      kind.itemCodec && media.item && valueAt(this.#definition.document, media.item.pointer);
    const schema = items === undefined ? {} : { schema: { type: 'array', items } };
    const shown = content.examples
      .filter(({ name }) => name !== undefined)
      .map((each) => [each.name, this.#example(each, content, type)]);
    return {
      ...schema,
      ...rest,
      ...(shown.length > 0 && { examples: Object.fromEntries(shown) }),
      ...(shown.length === 0 && { example: this.#text(content, type, example) ?? example }),
    };
  }

  #example(example: Example, content: Content, type: string): Node {
    const { dataValue, serializedValue, ...rest } = example.object!;
    const value = example.read(type)?.value;
    const text = value === undefined ? serializedValue : this.#text(content, type, value);
    return text === undefined ? example.object! : { ...rest, value: text };
  }

  /** @returns undefined for a value that the media type cannot represent, and without a value */
  #text(content: Content, type: string, value: unknown): string | undefined {
    if (typeof value === 'string') return value;
    try {
      const written = this.#writer.content(
        content,
        type,
        value ?? this.#values.valueOf(content, type),
      );
      // A boundary is a parameter that Swagger UI does not send.
      return typeof written.body === 'string' && written.type === type ? written.body : undefined;
    } catch {
      return undefined;
    }
  }
}
