// Compares the requests and replies of a generated client with the contract, in development.
import {
  contentsOf,
  type Definition,
  isJson,
  isReservedHeader,
  type LoadedContract,
  type LocatedNode,
  loadContract,
  type Operation,
  parseMediaType,
  responseFor,
} from '@stubwright/contract';
import {
  describeErrors,
  mediaContentOf,
  mediaKindOf,
  Validators,
} from '@stubwright/contract/values';

/** The option `validate` of a generated client. */
export interface CallValidation {
  /** @throws {TypeError} for a request that violates the contract */
  request(operationId: string, request: ClientRequest): void;
  /** @throws {TypeError} for a response that violates the contract */
  reply(operationId: string, reply: ClientReply): void;
}

/** The first argument of an operation. */
export interface ClientRequest {
  readonly path?: object;
  readonly query?: object;
  readonly header?: object;
  readonly cookie?: object;
  readonly body?: unknown;
  readonly mediaType?: string;
}

/** What an operation returns. */
export interface ClientReply {
  readonly status: number;
  readonly headers?: object;
  readonly type?: string | undefined;
  readonly body?: unknown;
}

/**
 * Creates the validation of a client: parameters, JSON, forms and text. Files, streams and bytes are not
 * compared. Needs Node.
 *
 * @param contract the path of a bundle, or of OpenAPI files with @stubwright/cli
 * @throws {ContractErrors} for an invalid contract
 * @example
 * const toys = createClient({ baseUrl, validate: await clientValidation('openapi.yaml') });
 */
export async function clientValidation(contract: string | LoadedContract): Promise<CallValidation> {
  const { definition } =
    typeof contract === 'string' ? await loadContract(contract, { isMocked: true }) : contract;
  const sent = new Values(definition, new Validators(definition, 'request'));
  const received = new Values(definition, new Validators(definition, 'response'));
  const operations = new Map(definition.operations.map((each) => [each.operationId, each]));
  const operationOf = (operationId: string) => {
    const operation = operations.get(operationId);
    if (operation !== undefined) return operation;
    throw new TypeError(`${operationId}: expected an operation of the contract`);
  };
  return {
    request(operationId, request) {
      const operation = operationOf(operationId);
      fail(`${operationId} request`, [
        ...sent.parameters(operation, request),
        ...sent.body(operation.requestBody, request.body, request.mediaType),
      ]);
    },
    reply(operationId, { status, headers = {}, type, body }) {
      const response = responseFor(operationOf(operationId).responses, status);
      if (response === undefined) return;
      fail(`${operationId} reply ${status}`, [
        ...received.headers(response, headers),
        ...(body === undefined ? [] : received.body(response, body, type)),
      ]);
    },
  };
}

/** @throws {TypeError} if there are violations */
function fail(subject: string, violations: readonly string[]): void {
  if (violations.length > 0) throw new TypeError(`${subject}: ${violations.join('; ')}`);
}

type Named = Readonly<Record<string, unknown>>;

/** Validates values in one direction. */
class Values {
  readonly #definition: Definition;
  readonly #validators: Validators;

  constructor(definition: Definition, validators: Validators) {
    this.#definition = definition;
    this.#validators = validators;
  }

  *parameters({ parameters }: Operation, request: ClientRequest): Generator<string> {
    for (const location of parameters) {
      const { name, in: where, required } = location.node;
      if (isReservedHeader(location.node)) continue;
      const part = where === 'querystring' ? 'query' : (where as keyof ClientRequest);
      const value = (request[part] as Named | undefined)?.[name];
      yield* this.#value(location, value, { subject: `${where} ${name}`, required });
    }
  }

  *headers(response: LocatedNode, headers: object): Generator<string> {
    for (const [name, location] of this.#definition.children(response, 'headers')) {
      const { required } = location.node;
      yield* this.#value(location, (headers as Named)[name], {
        subject: `header ${name}`,
        required,
      });
    }
  }

  /** @param holder a Request Body Object or a Response Object */
  *body(
    holder: LocatedNode | undefined,
    body: unknown,
    type: string | undefined,
  ): Generator<string> {
    if (holder === undefined) return;
    if (body === undefined) {
      if (holder.node.required === true) yield 'expected a body';
      return;
    }
    const contents = contentsOf(this.#definition, holder);
    const sent = parseMediaType(type);
    const found = sent === undefined ? contents.preferred : contents.select(sent);
    if (found === undefined || !this.#isValue(found.content, sent?.type ?? found.key)) return;
    yield* this.#value(found.content, body, { subject: '', required: true });
  }

  /** False for bytes, streams, and forms with files. */
  #isValue(location: LocatedNode, type: string): boolean {
    const content = mediaContentOf(location, this.#validators);
    const kind = mediaKindOf(type, content);
    if (kind.itemCodec !== undefined) return false;
    return isJson(type) || type.startsWith('text/') || type.endsWith('/x-www-form-urlencoded');
  }

  *#value(
    location: LocatedNode,
    value: unknown,
    { subject, required }: { readonly subject: string; readonly required?: boolean },
  ): Generator<string> {
    if (value === undefined) {
      if (required === true) yield `${subject} is required`;
      return;
    }
    if (location.node.schema === undefined) return;
    const validate = this.#validators.at(`${location.pointer}/schema`);
    if (!validate(value))
      yield describeErrors(validate.errorsOf(value), subject === '' ? '' : `${subject} `);
  }
}
