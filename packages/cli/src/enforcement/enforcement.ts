// Lists the constructs of a contract, and whether the engine enforces them at their locations.
import {
  commonTypes,
  compilePattern,
  contentsOf,
  type Definition,
  escapeToken,
  formats,
  isBinary,
  isNumericFormat,
  type LocatedNode,
  type Node,
  type Operation,
  parseMediaType,
} from '@stubwright/contract';
import {
  dataContentsOf,
  mediaContentOf,
  mediaKindOf,
  opaque,
  serializationOf,
  shapeOf,
  Validators,
} from '@stubwright/contract/values';
import { schemeOf } from 'stubwright/internals';
import {
  ANNOTATIONS,
  CONSTRAINTS,
  KEYWORDS,
  SEQUENCE_KEYWORDS,
  UNREADABLE_STYLES,
} from './constructs.ts';

/** `enforced`, `annotation` (no constraint on requests or responses), or the reason why not. */
export type Enforcement = 'enforced' | 'annotation' | `not enforced: ${string}`;

export interface EnforcementRow {
  /** `keyword`, `format`, `request media type`, … */
  readonly kind: string;
  readonly construct: string;
  /** The locations with this enforcement. */
  readonly count: number;
  readonly enforcement: Enforcement;
  /** JSON pointer of the first location. */
  readonly pointer: string;
}

/** @returns the constructs of a contract by enforcement, sorted by kind and name */
export function enforcementOf(definition: Definition): EnforcementRow[] {
  const inventory = new Inventory(definition);
  for (const operation of definition.operations) inventory.addOperation(operation);
  inventory.addDocument();
  return inventory.rows();
}

/** @returns the constructs that are not enforced and that `x-not-enforced` does not list */
export function unexplained(
  definition: Definition,
  rows: readonly EnforcementRow[],
): EnforcementRow[] {
  const explained = definition.document['x-not-enforced'] ?? {};
  return rows.filter(
    ({ kind, construct, enforcement }) =>
      enforcement.startsWith('not enforced') && !explained[`${kind} ${construct}`],
  );
}

class Inventory {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #rows = new Map<string, EnforcementRow>();
  /** The pointers of `contentSchema` in the data of events. */
  readonly #readContents = new Set<string>();
  readonly #seenSchemas = new Set<string>();
  /** JSON pointer of the visited location. */
  #pointer = '';

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#validators = new Validators(definition, 'request');
  }

  addOperation({ parameters, requestBody, responses, security, location }: Operation): void {
    for (const parameter of parameters) this.#addParameter(parameter);
    if (requestBody !== undefined) this.#addContents('request media type', requestBody);
    for (const response of responses.values()) {
      this.#addContents('response media type', response);
      for (const [, header] of this.#definition.children(response, 'headers'))
        this.#addSchemaIn(header);
    }
    for (const requirement of security) {
      for (const [name, scopes] of Object.entries(requirement)) this.#addScheme(name, scopes);
    }
    this.#pointer = location.pointer;
    if (location.node.callbacks !== undefined) this.#add('operation', 'callbacks', 'annotation');
  }

  /** Adds the document-level constructs of OpenAPI 3.2. */
  addDocument(): void {
    const { document } = this.#definition;
    this.#pointer = '/paths';
    if (document['$self'] !== undefined) {
      this.#add('document', '$self', 'enforced');
    }
    this.#addNames('server', document['servers'], ['name']);
    this.#addNames('tag', document['tags'], ['summary', 'parent', 'kind']);
    for (const { method, location } of this.#definition.unservedOperations) {
      this.#pointer = location.pointer;
      this.#add(
        'operation',
        `method ${method.toUpperCase()}`,
        'not enforced: no server of Node receives the method',
      );
    }
  }

  /** Fields that only describe. */
  #addNames(kind: 'server' | 'tag', list: unknown, fields: readonly string[]): void {
    for (const [at, node] of Array.isArray(list) ? list.entries() : []) {
      for (const field of fields.filter((each) => Object(node)[each] !== undefined)) {
        this.#pointer = `/${kind}s/${at}/${field}`;
        this.#add(kind, field, 'annotation');
      }
    }
  }

  rows(): EnforcementRow[] {
    const keyOf = ({ kind, construct, enforcement }: EnforcementRow) =>
      `${kind} ${construct} ${enforcement}`;
    return [...this.#rows.values()].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
  }

  #add(kind: string, construct: string, enforcement: Enforcement): void {
    const key = `${kind} ${construct} ${enforcement}`;
    const { count, pointer } = this.#rows.get(key) ?? { count: 0, pointer: this.#pointer };
    this.#rows.set(key, { kind, construct, count: count + 1, enforcement, pointer });
  }

  #addParameter(location: LocatedNode): void {
    this.#pointer = location.pointer;
    const { in: where, content } = location.node;
    if (content !== undefined) {
      for (const [type, each] of contentsOf(this.#definition, location)) {
        this.#add('parameter', `${where} ${type}`, 'enforced');
        this.#addSchemaIn(each);
      }
      return;
    }
    const { style, explode } = serializationOf(location.node);
    const schema = this.#validators.model.at(`${location.pointer}/schema`);
    const { kind } = shapeOf(schema, this.#validators);
    const construct = `${where} ${style}${explode ? ' exploded' : ''} ${kind}`;
    const isUnreadable = UNREADABLE_STYLES.has(construct);
    const enforcement = isUnreadable ? 'not enforced: the value cannot be read' : 'enforced';
    this.#add('parameter', construct, enforcement);
    this.#addSchemaIn(location);
  }

  #addContents(kind: 'request media type' | 'response media type', holder: LocatedNode): void {
    for (const [type, content] of contentsOf(this.#definition, holder)) {
      this.#pointer = content.pointer;
      const media = mediaKindOf(
        parseMediaType(type)?.type ?? '',
        mediaContentOf(content, this.#validators),
      );
      const isRequest = kind === 'request media type';
      if (media.itemCodec !== undefined) {
        this.#add(kind, type, 'enforced');
        this.#addItems(content);
      } else if (isRequest ? media !== opaque : !media.acceptsBytes) {
        this.#add(kind, type, 'enforced');
        this.#addSchemaIn(content);
      } else if (this.#isText(content)) {
        this.#add(kind, type, 'annotation');
        this.#addSchemaIn(content, `the bytes of ${type} are not validated`);
      } else {
        const bytes = isRequest ? 'a stream is' : 'bytes are';
        this.#add(kind, type, `not enforced: ${bytes} not validated against the schema`);
      }
      this.#addEncodings(type, content, media.itemCodec !== undefined);
    }
  }

  /** Encoding Objects of the parts of other multipart types, and those by position (OpenAPI 3.2). */
  #addEncodings(type: string, { pointer, node }: LocatedNode, isSequence: boolean): void {
    const isForm = parseMediaType(type)?.type === 'multipart/form-data';
    const isMultipart = type.toLowerCase().startsWith('multipart/');
    const ignored = [
      'prefixEncoding',
      ...(isSequence ? [] : ['itemEncoding']),
      ...(isMultipart && !isForm ? ['encoding'] : []),
    ];
    const ofParts = isSequence ? 'all parts are read alike' : `the parts of ${type} are not read`;
    const reason = isForm ? 'parts are read by their names' : ofParts;
    for (const keyword of ignored.filter((each) => node[each] !== undefined)) {
      this.#pointer = `${pointer}/${keyword}`;
      this.#add('media type', keyword, `not enforced: ${reason}`);
    }
    if (isSequence && node['itemEncoding'] !== undefined) {
      this.#pointer = `${pointer}/itemEncoding`;
      this.#add('media type', 'itemEncoding', 'enforced');
    }
  }

  /** True for binary content, and for strings without a format: their bytes need no conversion. */
  #isText(content: LocatedNode): boolean {
    const conjuncts = this.#validators.model.at(`${content.pointer}/schema`)?.conjuncts ?? [];
    if (conjuncts.some(isBinary)) return true;
    const isString = commonTypes(conjuncts)?.every((type) => type === 'string') ?? true;
    return isString && conjuncts.every(({ keywords }) => keywords.format === undefined);
  }

  #addScheme(name: string, scopes: readonly string[]): void {
    const location = this.#definition.securitySchemes.get(name);
    this.#pointer = location?.pointer ?? '';
    const { type = 'undeclared', scheme, in: where } = location?.node ?? {};
    // Without credentials of a known form, only the verifier of the service can check a request.
    const known = location && schemeOf(location);
    const isSupported = known !== undefined && !known.isVerifiedAlways;
    const enforcement = isSupported ? 'enforced' : 'not enforced: the engine cannot check it';
    this.#add('security', [type, scheme ?? where].filter(Boolean).join(' '), enforcement);
    if (scopes.length > 0) this.#add('security', 'scopes', enforcement);
    const { oauth2MetadataUrl, flows } = location?.node ?? {};
    if (oauth2MetadataUrl !== undefined) this.#add('security', 'oauth2MetadataUrl', 'annotation');
    // Verifiers receive the token, whichever flow issued it.
    if (flows?.deviceAuthorization !== undefined) {
      this.#add('security', 'deviceAuthorization', 'annotation');
    }
  }

  /** Each item is validated by itself, so that an array schema applies to its items only. */
  #addItems(content: LocatedNode): void {
    const { pointer, node } = content;
    const keyword = ['itemSchema', 'x-item-schema'].find((each) => node[each] !== undefined);
    if (keyword !== undefined) {
      this.#pointer = `${pointer}/${keyword}`;
      this.#add('media type', keyword, 'enforced');
      for (const { schema } of dataContentsOf(this.#validators.model.at(this.#pointer)!)) {
        if (schema === undefined) continue;
        this.#readContents.add(schema.pointer);
        this.#addSchema({ pointer: schema.pointer, node: schema.written as Node }, undefined);
      }
      this.#addSchema(this.#definition.step(content, keyword), undefined);
    }
    if (node.schema !== undefined) this.#addSequence(`${pointer}/schema`, keyword === undefined);
  }

  /** @param hasItems true if the items of the array are those of the sequence */
  #addSequence(pointer: string, hasItems: boolean): void {
    for (const each of this.#validators.model.at(pointer)?.conjuncts ?? []) {
      for (const keyword of SEQUENCE_KEYWORDS.filter((name) => each.has(name))) {
        this.#pointer = each.pointerTo(keyword);
        this.#add('keyword', keyword, 'not enforced: a sequence is not validated as a whole');
      }
      const items = each.child('items');
      if (hasItems && items !== undefined) {
        this.#addSchema({ pointer: items.pointer, node: items.written as Node }, undefined);
      }
    }
  }

  /** @param ignored the reason why no value is validated at this location */
  #addSchemaIn(holder: LocatedNode, ignored?: string): void {
    if (holder.node['itemSchema'] !== undefined) {
      const enforcement = 'not enforced: the media type is not read as a sequence';
      this.#add('media type', 'itemSchema', enforcement);
    }
    if (holder.node.schema === undefined) return;
    this.#addSchema(this.#definition.step(holder, 'schema'), ignored);
  }

  #addSchema({ pointer, node }: LocatedNode, ignored: string | undefined): void {
    const key = `${pointer} ${ignored}`;
    if (this.#seenSchemas.has(key) || typeof node !== 'object' || node === null) return;
    this.#seenSchemas.add(key);
    for (const keyword of Object.keys(node)) {
      this.#pointer = `${pointer}/${escapeToken(keyword)}`;
      this.#addKeyword(keyword, node, ignored);
    }
    const { namespace, prefix, nodeType } = Object(node['xml']);
    if (namespace !== undefined || prefix !== undefined) {
      this.#add('xml', 'namespace', 'not enforced: requests may use any prefix and namespace');
    }
    if (nodeType !== undefined) {
      const isRead = nodeType !== 'none' || [node.type].flat().includes('array');
      const reason = 'not enforced: a value that is no array is read from a node of its own';
      this.#add('xml', `nodeType ${nodeType}`, isRead ? 'enforced' : reason);
    }
    for (const each of this.#validators.model.at(pointer)?.inner ?? [])
      this.#addSchema({ pointer: each.pointer, node: each.written as Node }, ignored);
  }

  #addKeyword(keyword: string, node: Node, ignored: string | undefined): void {
    if (keyword.startsWith('x-')) return;
    const isPattern = keyword === 'pattern' && compilePattern(node.pattern) === undefined;
    if (ignored !== undefined && CONSTRAINTS.has(keyword)) {
      this.#add('keyword', keyword, `not enforced: ${ignored}`);
    } else if (isPattern) {
      const enforcement = 'not enforced: not an ECMAScript regular expression';
      this.#add('pattern', node.pattern, enforcement);
    } else if (keyword === 'format') {
      const type = [node.type].flat().find((each) => each !== 'null') ?? 'string';
      const isKnown =
        type === 'string' ? Object.hasOwn(formats, node.format) : isNumericFormat(node.format);
      this.#add('format', `${type} ${node.format}`, isKnown ? 'enforced' : 'annotation');
    } else if (this.#readContents.has(this.#pointer)) this.#add('keyword', keyword, 'enforced');
    else if (ANNOTATIONS.has(keyword)) this.#add('keyword', keyword, 'annotation');
    else if (KEYWORDS.has(keyword)) this.#add('keyword', keyword, 'enforced');
    else {
      const version = this.#definition.document.openapi;
      this.#add('keyword', keyword, `not enforced: not a keyword of OpenAPI ${version}`);
    }
  }
}
