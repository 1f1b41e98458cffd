// The request body of one operation: which media types it takes, how each is read, and whether what
// was read is what the contract asks for.
import type { IncomingHttpHeaders } from 'node:http';
import type { Definition, Operation, Place } from './definition.ts';
import type { HttpRequest } from './exchange.ts';
import { parseJson } from './json.ts';
import { isJson, mediaTypeOf } from './mediaType.ts';
import { missingBody, unsupportedContentEncoding, unsupportedMediaType } from './problem.ts';
import type { Typing, Typings } from './typed.ts';
import { tellFaults, type ValidateFunction, type Validators } from './validator.ts';

interface Content {
  readonly validate: ValidateFunction | undefined;
  readonly typing: Typing | undefined;
}

export class RequestBody {
  readonly #isRequired: boolean;
  readonly #accepted: string;
  readonly #contents: ReadonlyMap<string, Content>;

  constructor(
    definition: Definition,
    { requestBody }: Operation,
    validators: Validators,
    typings: Typings,
  ) {
    this.#isRequired = requestBody?.node.required === true;
    const content = requestBody && definition.child(requestBody, 'content');
    const types = Object.keys(content?.node ?? {});
    this.#accepted = types.join(', ');
    this.#contents = new Map(
      types.map((type) => [
        type.toLowerCase(),
        contentOf(definition.child(content!, type)!, validators, typings),
      ]),
    );
  }

  /**
   * Judges the media type, then reads and parses the body.
   *
   * @returns the body; undefined where the request has none and need not have one
   * @throws {Problem} 40001, 40002, 41300, 41500 or 41501
   */
  async read(request: HttpRequest): Promise<unknown> {
    const { headers } = request;
    if (!hasBody(headers) && headers['content-type'] === undefined) return this.#none();
    const type = mediaTypeOf(headers['content-type']);
    if (type === undefined || !this.#contents.has(type) || !isJson(type)) {
      throw unsupportedMediaType(this.#accepted);
    }
    if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
      throw unsupportedContentEncoding();
    }
    if (!hasBody(headers)) return this.#none();
    const bytes = await request.readBody();
    return bytes.length === 0 ? this.#none() : parseJson(bytes);
  }

  faultsOf(body: unknown): string[] {
    if (body === undefined) return [];
    const { validate } = this.#content();
    return validate === undefined || validate(body) ? [] : [tellFaults(validate.errors!, '')];
  }

  typed(body: unknown): unknown {
    if (body === undefined) return undefined;
    const { typing } = this.#content();
    return typing ? typing(body) : body;
  }

  #content(): Content {
    return this.#contents.values().next().value!;
  }

  #none(): undefined {
    if (this.#isRequired) throw missingBody();
    return undefined;
  }
}

function contentOf({ pointer, node }: Place, validators: Validators, typings: Typings): Content {
  if (node.schema === undefined) return { validate: undefined, typing: undefined };
  const schema = `${pointer}/schema`;
  return { validate: validators.at(schema), typing: typings.at(schema) };
}

/** RFC 9112, section 6.3: a request has a body when a header says how long it is. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}
