// The enforcement manifest of a contract: each construct that it uses, in how many places, and
// whether the engine enforces it. Nothing is taken on trust: judges.ts asks the engine.

import type {
  Definition,
  Node,
  Operation,
  Place,
} from '../../../stubwright/src/document/definition.ts';
import {
  mediaContentOf,
  mediaKindOf,
  opaque,
} from '../../../stubwright/src/request/body/mediaKinds.ts';
import { parseMediaType } from '../../../stubwright/src/request/body/mediaType.ts';
import { serializationOf } from '../../../stubwright/src/request/parameters/serialization.ts';
import { shapeOf } from '../../../stubwright/src/request/parameters/shape.ts';
import { compilePattern } from '../../../stubwright/src/schema/pattern.ts';
import { Validators } from '../../../stubwright/src/schema/validator.ts';
import {
  type Enforcement,
  HEADERS,
  isOpaque,
  judgeParameter,
  judgeReply,
  judgeResponseType,
  judgeScheme,
  judgeScopes,
  STATUSES,
} from './judges.ts';
import { JSON_CONTENT, SCHEMAS, written, writtenAsJson } from './parameterProbes.ts';
import { isFormatEnforced, isKeywordEnforced, isMediaTypeEnforced } from './probes.ts';

export interface ManifestRow {
  /** What kind of construct: `keyword`, `format`, `media type`, … */
  readonly kind: string;
  readonly construct: string;
  readonly places: number;
  readonly enforcement: Enforcement;
}

/** Keywords that by their specification assert nothing of a value. */
const ANNOTATIONS = new Set([
  ...['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs', 'xml'],
  ...['$comment', '$schema', '$vocabulary', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  'discriminator',
]);

type Judge = () => Enforcement | Promise<Enforcement>;

/** @returns the constructs of a contract, sorted by kind and name */
export async function manifestOf(definition: Definition): Promise<ManifestRow[]> {
  const inventory = new Inventory(definition);
  for (const operation of definition.operations) inventory.addOperation(operation);
  inventory.addDocument();
  return inventory.rows();
}

/** @returns what a contract does not say of itself under `x-not-enforced`, though it should */
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
    { kind: string; construct: string; places: number; judge: Judge }
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
      this.#add('request media type', type, () => this.#judgeRequestType(type, content));
      this.#addSchemaIn(content);
    }
    for (const [status, response] of operation.responses) this.#addResponse(status, response);
    for (const name of operation.security.flatMap(Object.keys)) this.#addScheme(name, operation);
    if (operation.place.node.callbacks !== undefined)
      this.#add('operation', 'callbacks', annotation);
    if (operation.place.node.deprecated === true) this.#add('operation', 'deprecated', annotation);
  }

  /** OpenAPI 3.2 beyond what it shares with 3.1. */
  addDocument(): void {
    const { document } = this.#definition;
    if (document['$self'] !== undefined) {
      this.#add('document', '$self', notEnforced('references are resolved by the paths of files'));
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
      [...this.#entries.values()].map(async ({ kind, construct, places, judge }) => ({
        kind,
        construct,
        places,
        enforcement: await judge(),
      })),
    );
    return rows.sort((a, b) =>
      `${a.kind} ${a.construct}`.localeCompare(`${b.kind} ${b.construct}`),
    );
  }

  #add(kind: string, construct: string, judge: Judge): void {
    const key = `${kind} ${construct}`;
    const entry = this.#entries.get(key) ?? { kind, construct, places: 0, judge };
    entry.places++;
    this.#entries.set(key, entry);
  }

  #addParameter(place: Place): void {
    const { in: where, content } = place.node;
    if (content !== undefined) {
      this.#add('parameter', `${where} content`, () =>
        judgeParameter(
          { name: 'p', in: where, content: JSON_CONTENT },
          writtenAsJson(where),
          this.#version,
        ),
      );
      for (const [, each] of this.#definition.children(place, 'content')) this.#addSchemaIn(each);
      return;
    }
    const { style, explode } = serializationOf(place.node);
    const { model } = this.#validators;
    const { kind } = shapeOf(model.at(`${place.pointer}/schema`), this.#validators);
    const construct = `${where} ${style}${explode ? ' exploded' : ''} ${kind}`;
    this.#add('parameter', construct, () => {
      const parameter = { name: 'p', in: where, style, explode, schema: SCHEMAS[kind] };
      return judgeParameter(parameter, written(where, { style, explode }, kind), this.#version);
    });
    this.#addSchemaIn(place);
  }

  #addResponse(status: string, place: Place): void {
    const kind = /^\d{3}$/.test(status)
      ? 'status'
      : /^\dxx$/i.test(status)
        ? 'status range'
        : status;
    this.#add('response', kind, () =>
      judgeReply(STATUSES[kind] ?? STATUSES['status']!, this.#version),
    );
    for (const [type, content] of this.#definition.children(place, 'content')) {
      this.#add('response media type', type, () =>
        judgeResponseType(this.#validators.model, type, content),
      );
      this.#addSchemaIn(content);
    }
    for (const [, header] of this.#definition.children(place, 'headers')) {
      const construct = header.node.required === true ? 'required header' : 'header';
      this.#add('response', construct, () => judgeReply(HEADERS[construct]!, this.#version));
      this.#addSchemaIn(header);
    }
    if (place.node.links !== undefined) this.#add('response', 'links', annotation);
  }

  #addScheme(name: string, { security }: Operation): void {
    const place = this.#definition.securitySchemes.get(name);
    const { type = 'undeclared', scheme, in: where } = place?.node ?? {};
    const construct = [type, scheme ?? where].filter(Boolean).join(' ');
    this.#add('security', construct, () => judgeScheme(place?.node, this.#version));
    const hasScopes = security.some((each) => (each[name] ?? []).length > 0);
    if (hasScopes) this.#add('security', 'scopes', () => judgeScopes(this.#version));
  }

  #addSchemaIn(holder: Place): void {
    if (holder.node['itemSchema'] !== undefined) {
      this.#add('media type', 'itemSchema', notEnforced('the items of a stream are not validated'));
    }
    if (holder.node.schema !== undefined) this.#addSchema(this.#definition.step(holder, 'schema'));
  }

  #addSchema(place: Place): void {
    const { pointer, node } = place;
    if (this.#seenSchemas.has(pointer) || typeof node !== 'object' || node === null) return;
    this.#seenSchemas.add(pointer);
    for (const word of Object.keys(node)) this.#addKeyword(word, place);
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

  #addKeyword(word: string, { node }: Place): void {
    if (word.startsWith('x-')) return;
    if (word === 'format') {
      const type = [node.type].flat().find((each) => each !== 'null') ?? 'string';
      this.#add('format', `${type} ${node.format}`, () =>
        isFormatEnforced(node.format, type, this.#version) ? 'enforced' : 'annotation',
      );
    } else if (word === 'pattern' && compilePattern(node.pattern) === undefined) {
      this.#add('pattern', node.pattern, () => 'not enforced: no ECMAScript regular expression');
    } else {
      this.#add('keyword', word, () => this.#judgeKeyword(word));
    }
  }

  #judgeKeyword(word: string): Enforcement {
    if (ANNOTATIONS.has(word)) return 'annotation';
    const isEnforced = isKeywordEnforced(word, this.#version);
    if (isEnforced === undefined) return `not enforced: no keyword of OpenAPI ${this.#version}`;
    return isEnforced ? 'enforced' : 'not enforced: the engine takes what breaks it';
  }

  async #judgeRequestType(type: string, content: Place): Promise<Enforcement> {
    const media = mediaContentOf(content, this.#validators);
    const isValue = mediaKindOf(parseMediaType(type)?.type ?? '', media) !== opaque;
    if (isValue && (await isMediaTypeEnforced(type, this.#version))) return 'enforced';
    return isOpaque(this.#validators.model, content)
      ? 'annotation'
      : 'not enforced: a stream is not held against its schema';
  }
}

const annotation: Judge = () => 'annotation';

function notEnforced(reason: string): Judge {
  return () => `not enforced: ${reason}`;
}
