// Lists the constructs of a contract, how often each occurs, and whether the engine enforces it.
import type {
  Definition,
  LocatedNode,
  Node,
  Operation,
} from 'stubwright/internal/document/definition';
import { mediaContentOf, mediaKindOf, opaque } from 'stubwright/internal/request/body/mediaKinds';
import { parseMediaType } from 'stubwright/internal/request/body/mediaType';
import { serializationOf } from 'stubwright/internal/request/parameters/serialization';
import { shapeOf } from 'stubwright/internal/request/parameters/shape';
import { compilePattern } from 'stubwright/internal/schema/pattern';
import { Validators } from 'stubwright/internal/schema/validator';
import {
  type Enforcement,
  HEADERS,
  isOpaque,
  parameterEnforcement,
  replyEnforcement,
  responseTypeEnforcement,
  STATUSES,
  schemeEnforcement,
  scopesEnforcement,
} from './enforcement.ts';
import { JSON_CONTENT, SCHEMAS, serialized, serializedAsJson } from './parameterProbes.ts';
import { isFormatEnforced, isKeywordEnforced, isMediaTypeEnforced } from './probes.ts';

export interface ManifestRow {
  /** `keyword`, `format`, `media type`, … */
  readonly kind: string;
  readonly construct: string;
  readonly count: number;
  readonly enforcement: Enforcement;
}

/** Keywords that the specification defines as annotations. */
const ANNOTATIONS = new Set([
  ...['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs', 'xml'],
  ...['$comment', '$schema', '$vocabulary', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  'discriminator',
]);

type Classifier = () => Enforcement | Promise<Enforcement>;

/** @returns the constructs of a contract, sorted by kind and name */
export async function manifestOf(definition: Definition): Promise<ManifestRow[]> {
  const inventory = new Inventory(definition);
  for (const operation of definition.operations) inventory.addOperation(operation);
  inventory.addDocument();
  return inventory.rows();
}

/** @returns the constructs that are not enforced and that `x-not-enforced` does not list */
export function unexplained(definition: Definition, rows: readonly ManifestRow[]): ManifestRow[] {
  const explained = definition.document['x-not-enforced'] ?? {};
  return rows.filter(
    ({ kind, construct, enforcement }) =>
      enforcement.startsWith('not enforced') && !explained[`${kind} ${construct}`],
  );
}

class Inventory {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #version: string;
  readonly #entries = new Map<
    string,
    { kind: string; construct: string; count: number; classify: Classifier }
  >();
  readonly #seenSchemas = new Set<string>();

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#validators = new Validators(definition, 'request');
    this.#version = String(definition.document.openapi);
  }

  addOperation(operation: Operation): void {
    for (const parameter of operation.parameters) this.#addParameter(parameter);
    const { requestBody } = operation;
    const contents = requestBody && this.#definition.children(requestBody, 'content');
    for (const [type, content] of contents ?? []) {
      this.#add('request media type', type, () => this.#requestTypeEnforcement(type, content));
      this.#addSchemaIn(content);
    }
    for (const [status, response] of operation.responses) this.#addResponse(status, response);
    for (const name of operation.security.flatMap(Object.keys)) this.#addScheme(name, operation);
    if (operation.location.node.callbacks !== undefined)
      this.#add('operation', 'callbacks', annotation);
    if (operation.location.node.deprecated === true)
      this.#add('operation', 'deprecated', annotation);
  }

  /** Adds the document-level constructs of OpenAPI 3.2. */
  addDocument(): void {
    const { document } = this.#definition;
    if (document['$self'] !== undefined) {
      this.#add('document', '$self', notEnforced('references are resolved by file path'));
    }
    const items = Object.values<Node | null>(document['paths'] ?? {});
    for (const additional of items.flatMap((item) => item?.['additionalOperations'] ?? [])) {
      for (const method of Object.keys(additional)) {
        this.#add('operation', `method ${method}`, notEnforced('the method is not served'));
      }
    }
  }

  async rows(): Promise<ManifestRow[]> {
    const rows = await Promise.all(
      [...this.#entries.values()].map(async ({ kind, construct, count, classify }) => ({
        kind,
        construct,
        count,
        enforcement: await classify(),
      })),
    );
    return rows.sort((a, b) =>
      `${a.kind} ${a.construct}`.localeCompare(`${b.kind} ${b.construct}`),
    );
  }

  #add(kind: string, construct: string, classify: Classifier): void {
    const key = `${kind} ${construct}`;
    const entry = this.#entries.get(key) ?? { kind, construct, count: 0, classify };
    entry.count++;
    this.#entries.set(key, entry);
  }

  #addParameter(location: LocatedNode): void {
    const { in: where, content } = location.node;
    if (content !== undefined) {
      this.#add('parameter', `${where} content`, () =>
        parameterEnforcement(
          { name: 'p', in: where, content: JSON_CONTENT },
          serializedAsJson(where),
          this.#version,
        ),
      );
      for (const [, each] of this.#definition.children(location, 'content'))
        this.#addSchemaIn(each);
      return;
    }
    const { style, explode } = serializationOf(location.node);
    const { model } = this.#validators;
    const { kind } = shapeOf(model.at(`${location.pointer}/schema`), this.#validators);
    const construct = `${where} ${style}${explode ? ' exploded' : ''} ${kind}`;
    this.#add('parameter', construct, () => {
      const parameter = { name: 'p', in: where, style, explode, schema: SCHEMAS[kind] };
      return parameterEnforcement(
        parameter,
        serialized(where, { style, explode }, kind),
        this.#version,
      );
    });
    this.#addSchemaIn(location);
  }

  #addResponse(status: string, location: LocatedNode): void {
    const kind = /^\d{3}$/.test(status)
      ? 'status'
      : /^\dxx$/i.test(status)
        ? 'status range'
        : status;
    this.#add('response', kind, () =>
      replyEnforcement(STATUSES[kind] ?? STATUSES['status']!, this.#version),
    );
    for (const [type, content] of this.#definition.children(location, 'content')) {
      this.#add('response media type', type, () =>
        responseTypeEnforcement(this.#validators.model, type, content),
      );
      this.#addSchemaIn(content);
    }
    for (const [, header] of this.#definition.children(location, 'headers')) {
      const construct = header.node.required === true ? 'required header' : 'header';
      this.#add('response', construct, () => replyEnforcement(HEADERS[construct]!, this.#version));
      this.#addSchemaIn(header);
    }
    if (location.node.links !== undefined) this.#add('response', 'links', annotation);
  }

  #addScheme(name: string, { security }: Operation): void {
    const location = this.#definition.securitySchemes.get(name);
    const { type = 'undeclared', scheme, in: where } = location?.node ?? {};
    const construct = [type, scheme ?? where].filter(Boolean).join(' ');
    this.#add('security', construct, () => schemeEnforcement(location?.node, this.#version));
    const hasScopes = security.some((each) => (each[name] ?? []).length > 0);
    if (hasScopes) this.#add('security', 'scopes', () => scopesEnforcement(this.#version));
  }

  #addSchemaIn(holder: LocatedNode): void {
    if (holder.node['itemSchema'] !== undefined) {
      this.#add('media type', 'itemSchema', notEnforced('the items of a stream are not validated'));
    }
    if (holder.node.schema !== undefined) this.#addSchema(this.#definition.step(holder, 'schema'));
  }

  #addSchema(location: LocatedNode): void {
    const { pointer, node } = location;
    if (this.#seenSchemas.has(pointer) || typeof node !== 'object' || node === null) return;
    this.#seenSchemas.add(pointer);
    for (const keyword of Object.keys(node)) this.#addKeyword(keyword, location);
    this.#addXml(Object(Object(node)['xml']));
    const inner = this.#validators.model.at(pointer)?.inner ?? [];
    for (const each of inner)
      this.#addSchema({ pointer: each.pointer, node: each.written as Node });
  }

  #addXml(xml: Node): void {
    if (xml['namespace'] !== undefined || xml['prefix'] !== undefined) {
      this.#add('xml', 'namespace', notEnforced('requests may use any prefix and namespace'));
    }
    if (xml['nodeType'] !== undefined) {
      this.#add('xml', 'nodeType', notEnforced('OpenAPI 3.2 adds it, `attribute` is applied'));
    }
  }

  #addKeyword(keyword: string, { node }: LocatedNode): void {
    if (keyword.startsWith('x-')) return;
    if (keyword === 'format') {
      const type = [node.type].flat().find((each) => each !== 'null') ?? 'string';
      this.#add('format', `${type} ${node.format}`, () =>
        isFormatEnforced(node.format, type, this.#version) ? 'enforced' : 'annotation',
      );
    } else if (keyword === 'pattern' && compilePattern(node.pattern) === undefined) {
      this.#add(
        'pattern',
        node.pattern,
        () => 'not enforced: not an ECMAScript regular expression',
      );
    } else {
      this.#add('keyword', keyword, () => this.#keywordEnforcement(keyword));
    }
  }

  #keywordEnforcement(keyword: string): Enforcement {
    if (ANNOTATIONS.has(keyword)) return 'annotation';
    const isEnforced = isKeywordEnforced(keyword, this.#version);
    if (isEnforced === undefined) return `not enforced: not a keyword of OpenAPI ${this.#version}`;
    return isEnforced ? 'enforced' : 'not enforced: the engine accepts values that violate it';
  }

  async #requestTypeEnforcement(type: string, content: LocatedNode): Promise<Enforcement> {
    const media = mediaContentOf(content, this.#validators);
    const isValue = mediaKindOf(parseMediaType(type)?.type ?? '', media) !== opaque;
    if (isValue && (await isMediaTypeEnforced(type, this.#version))) return 'enforced';
    return isOpaque(this.#validators.model, content)
      ? 'annotation'
      : 'not enforced: a stream is not validated against its schema';
  }
}

const annotation: Classifier = () => 'annotation';

function notEnforced(reason: string): Classifier {
  return () => `not enforced: ${reason}`;
}
