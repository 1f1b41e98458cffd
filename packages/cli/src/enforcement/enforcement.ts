// Lists the constructs of a contract, and whether the engine enforces them at their locations.
import {
  type Content,
  type Contents,
  type Contract,
  commonTypes,
  compilePattern,
  type DescribedValue,
  formats,
  isBinary,
  isNumericFormat,
  isObject,
  type Operation,
  type Parameter,
  parseMediaType,
  type Schema,
} from '@stubwright/contract';
import {
  dataContentsOf,
  mediaContentOf,
  mediaKindOf,
  opaque,
  shapeOf,
  Validators,
} from '@stubwright/contract/values';
import { schemeOf } from 'stubwright/internals';
import {
  ANNOTATIONS,
  CONSTRAINTS,
  ENFORCED_KEYWORDS,
  SEQUENCE_KEYWORDS,
  UNREADABLE_STYLES,
} from './constructs.ts';

/** `enforced`, `annotation` (no constraint on requests or responses), or the reason why not. */
export type Enforcement = 'enforced' | 'annotation' | `not enforced: ${string}`;

export interface EnforcementRow {
  /** `keyword`, `format`, `request media type`, … */
  readonly kind: string;
  readonly construct: string;
  readonly count: number;
  readonly enforcement: Enforcement;
  /** JSON pointer of the first location. */
  readonly pointer: string;
}

/** @returns the constructs of a contract by enforcement, sorted by kind and name */
export function enforcementOf(definition: Contract): EnforcementRow[] {
  const inventory = new Inventory(definition);
  for (const operation of definition.operations) inventory.addOperation(operation);
  inventory.addDocument();
  return inventory.rows();
}

/** @returns the constructs that are not enforced and that `x-not-enforced` does not list */
export function unexplained(
  definition: Contract,
  rows: readonly EnforcementRow[],
): EnforcementRow[] {
  const explained = definition.document['x-not-enforced'] ?? {};
  return rows.filter(
    ({ kind, construct, enforcement }) =>
      enforcement.startsWith('not enforced') && !explained[`${kind} ${construct}`],
  );
}

class Inventory {
  readonly #definition: Contract;
  readonly #validators: Validators;
  readonly #rows = new Map<string, EnforcementRow>();
  /** The pointers of `contentSchema` in the data of events. */
  readonly #readContents = new Set<string>();
  readonly #seenSchemas = new Set<string>();
  /** JSON pointer of the visited location. */
  #pointer = '';

  constructor(definition: Contract) {
    this.#definition = definition;
    this.#validators = new Validators(definition, 'request');
  }

  addOperation(operation: Operation): void {
    for (const parameter of operation.parameters) this.#addParameter(parameter);
    this.#addContents('request media type', operation.request);
    for (const { contents, declaredHeaders } of operation.responses.values()) {
      this.#addContents('response media type', contents);
      for (const header of declaredHeaders.values()) this.#addSchemaOf(header);
    }
    for (const requirement of operation.security) {
      for (const [name, scopes] of Object.entries(requirement)) this.#addScheme(name, scopes);
    }
    this.#pointer = operation.pointer;
    if (operation.field('callbacks') !== undefined)
      this.#add('operation', 'callbacks', 'annotation');
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
    for (const { method, pointer } of this.#definition.unservedOperations) {
      this.#pointer = pointer;
      this.#add(
        'operation',
        `method ${method.toUpperCase()}`,
        'not enforced: no server of Node receives the method',
      );
    }
  }

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

  #addParameter(parameter: Parameter): void {
    this.#pointer = parameter.pointer;
    const { in: where, contents } = parameter;
    if (contents.size > 0) {
      for (const [type, content] of contents) {
        this.#add('parameter', `${where} ${type}`, 'enforced');
        this.#addSchemaOf(content);
      }
      return;
    }
    const { style, explode } = parameter.serialization;
    const { kind } = shapeOf(parameter.schema, this.#validators);
    const construct = `${where} ${style}${explode ? ' exploded' : ''} ${kind}`;
    const isUnreadable = UNREADABLE_STYLES.has(construct);
    const enforcement = isUnreadable ? 'not enforced: the value cannot be read' : 'enforced';
    this.#add('parameter', construct, enforcement);
    this.#addSchemaOf(parameter);
  }

  #addContents(
    kind: 'request media type' | 'response media type',
    contents: Contents<Content>,
  ): void {
    for (const [type, content] of contents) {
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
        this.#addSchemaOf(content);
      } else if (isText(content.schema)) {
        this.#add(kind, type, 'annotation');
        this.#addSchemaOf(content, `the bytes of ${type} are not validated`);
      } else {
        const bytes = isRequest ? 'a stream is' : 'bytes are';
        this.#add(kind, type, `not enforced: ${bytes} not validated against the schema`);
      }
      this.#addEncodings(type, content, media.itemCodec !== undefined);
    }
  }

  /** Encoding Objects of the parts of other multipart types, and those by position (OpenAPI 3.2). */
  #addEncodings(type: string, content: Content, isSequence: boolean): void {
    const isForm = parseMediaType(type)?.type === 'multipart/form-data';
    const isMultipart = type.toLowerCase().startsWith('multipart/');
    const ignored = [
      'prefixEncoding',
      ...(isSequence ? [] : ['itemEncoding']),
      ...(isMultipart && !isForm ? ['encoding'] : []),
    ];
    const ofParts = isSequence ? 'all parts are read alike' : `the parts of ${type} are not read`;
    const reason = isForm ? 'parts are read by their names' : ofParts;
    for (const keyword of ignored.filter((each) => content.field(each) !== undefined)) {
      this.#pointer = `${content.pointer}/${keyword}`;
      this.#add('media type', keyword, `not enforced: ${reason}`);
    }
    if (isSequence && content.field('itemEncoding') !== undefined) {
      this.#pointer = `${content.pointer}/itemEncoding`;
      this.#add('media type', 'itemEncoding', 'enforced');
    }
  }

  #addScheme(name: string, scopes: readonly string[]): void {
    const declared = this.#definition.securitySchemes.get(name);
    this.#pointer = declared?.pointer ?? '';
    const type = declared?.field('type') ?? 'undeclared';
    const variant = declared?.field('scheme') ?? declared?.in;
    // Without credentials of a known form, only the verifier of the service can check a request.
    const known = declared && schemeOf(declared);
    const isSupported = known !== undefined && !known.isVerifiedAlways;
    const enforcement = isSupported ? 'enforced' : 'not enforced: the engine cannot check it';
    this.#add('security', [type, variant].filter(Boolean).join(' '), enforcement);
    if (scopes.length > 0) this.#add('security', 'scopes', enforcement);
    if (declared?.field('oauth2MetadataUrl') !== undefined) {
      this.#add('security', 'oauth2MetadataUrl', 'annotation');
    }
    // Verifiers receive the token, whichever flow issued it.
    if (Object(declared?.field('flows')).deviceAuthorization !== undefined) {
      this.#add('security', 'deviceAuthorization', 'annotation');
    }
  }

  /** Each item is validated by itself, so that an array schema applies to its items only. */
  #addItems(content: Content): void {
    const { item, declaresItems, schema } = content;
    if (item !== undefined && declaresItems) {
      this.#pointer = item.pointer;
      this.#add('media type', item.pointer.slice(content.pointer.length + 1), 'enforced');
      for (const { schema } of dataContentsOf(item)) {
        if (schema === undefined) continue;
        this.#readContents.add(schema.pointer);
        this.#addSchema(schema, undefined);
      }
      this.#addSchema(item, undefined);
    }
    if (schema !== undefined) this.#addSequence(schema, !declaresItems);
  }

  /** @param hasItems true if the items of the array are those of the sequence */
  #addSequence(schema: Schema, hasItems: boolean): void {
    for (const each of schema.conjuncts) {
      for (const keyword of SEQUENCE_KEYWORDS.filter((name) => each.has(name))) {
        this.#pointer = each.pointerTo(keyword);
        this.#add('keyword', keyword, 'not enforced: a sequence is not validated as a whole');
      }
      const items = each.child('items');
      if (hasItems && items !== undefined) this.#addSchema(items, undefined);
    }
  }

  /** @param ignored the reason why no value is validated at this location */
  #addSchemaOf(value: DescribedValue, ignored?: string): void {
    if (value.field('itemSchema') !== undefined) {
      const enforcement = 'not enforced: the media type is not read as a sequence';
      this.#add('media type', 'itemSchema', enforcement);
    }
    if (value.schema !== undefined) this.#addSchema(value.schema, ignored);
  }

  #addSchema(schema: Schema, ignored: string | undefined): void {
    const { pointer, written } = schema;
    const key = `${pointer} ${ignored}`;
    if (this.#seenSchemas.has(key) || !isObject(written)) return;
    this.#seenSchemas.add(key);
    for (const keyword of Object.keys(written)) {
      this.#pointer = schema.pointerTo(keyword);
      this.#addKeyword(keyword, written, ignored);
    }
    const { namespace, prefix, nodeType } = Object(written['xml']);
    if (namespace !== undefined || prefix !== undefined) {
      this.#add('xml', 'namespace', 'not enforced: requests may use any prefix and namespace');
    }
    if (nodeType !== undefined) {
      const isRead = nodeType !== 'none' || [written.type].flat().includes('array');
      const reason = 'not enforced: a value that is no array is read from a node of its own';
      this.#add('xml', `nodeType ${nodeType}`, isRead ? 'enforced' : reason);
    }
    for (const each of schema.inner) this.#addSchema(each, ignored);
  }

  #addKeyword(
    keyword: string,
    written: Readonly<Record<string, unknown>>,
    ignored: string | undefined,
  ): void {
    const [format, pattern] = [String(written['format']), String(written['pattern'])];
    if (keyword.startsWith('x-')) return;
    const isInvalid = keyword === 'pattern' && compilePattern(pattern) === undefined;
    if (ignored !== undefined && CONSTRAINTS.has(keyword)) {
      this.#add('keyword', keyword, `not enforced: ${ignored}`);
    } else if (isInvalid) {
      const enforcement = 'not enforced: not an ECMAScript regular expression';
      this.#add('pattern', pattern, enforcement);
    } else if (keyword === 'format') {
      const type = [written['type']].flat().find((each) => each !== 'null') ?? 'string';
      const isKnown = type === 'string' ? Object.hasOwn(formats, format) : isNumericFormat(format);
      this.#add('format', `${type} ${format}`, isKnown ? 'enforced' : 'annotation');
    } else if (this.#readContents.has(this.#pointer)) this.#add('keyword', keyword, 'enforced');
    else if (ANNOTATIONS.has(keyword)) this.#add('keyword', keyword, 'annotation');
    else if (ENFORCED_KEYWORDS.has(keyword)) this.#add('keyword', keyword, 'enforced');
    else {
      const { openapi } = this.#definition;
      this.#add('keyword', keyword, `not enforced: not a keyword of OpenAPI ${openapi}`);
    }
  }
}

/** True for binary content, and for strings without a format: their bytes need no conversion. */
function isText(schema: Schema | undefined): boolean {
  const conjuncts = schema?.conjuncts ?? [];
  if (conjuncts.some(isBinary)) return true;
  const isString = commonTypes(conjuncts)?.every((type) => type === 'string') ?? true;
  return isString && conjuncts.every(({ keywords }) => keywords.format === undefined);
}
