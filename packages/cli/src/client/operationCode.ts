// Describes operations as expressions of @stubwright/client.
import {
  commonTypes,
  contentsOf,
  type Definition,
  isJson,
  itemSchemaOf,
  type LocatedNode,
  type Node,
  type Operation,
  parseMediaType,
  type Schema,
  SchemaModel,
} from '@stubwright/contract';
import { type DataContent, dataContentsOf, isReservedHeader } from '@stubwright/contract/values';
import { Code, expressionOf } from './code.ts';
import { Constants } from './constants.ts';
import { ExactCode } from './exactCode.ts';
import { propertyIn } from './inPlace.ts';
import { type MediaCategory, mediaCategory } from './mediaCategory.ts';
import { hasJson, rangeReader } from './rangeReader.ts';
import { SchemaCode } from './schemaCode.ts';
import { serverSpec } from './servers.ts';
import { isBinaryValue, textShape } from './textShapes.ts';
import { XmlCode } from './xmlCode.ts';

const FORM = 'application/x-www-form-urlencoded';
/** The defaults of each location. */
const STYLES: Readonly<Record<string, string>> = {
  path: 'simple',
  header: 'simple',
  query: 'form',
  cookie: 'form',
};

/** Writes the operations of one contract, and collects what they need. */
export class OperationCode {
  readonly constants: Constants;
  readonly #definition: Definition;
  readonly #model: SchemaModel;
  readonly #exact: ExactCode;
  readonly #xml: XmlCode;

  /** @param taken the names of the functions of the module */
  constructor(definition: Definition, taken: Iterable<string> = []) {
    this.constants = new Constants(taken);
    this.#definition = definition;
    this.#model = SchemaModel.of(definition);
    this.#xml = new XmlCode(this.constants);
    this.#exact = new ExactCode(this.constants, new SchemaCode(this.constants, 'response'));
  }

  /**
   * @param security of operations without their own @param optionOf the option of a security scheme
   * @returns a call of `operation`
   */
  of(
    operation: Operation,
    security: readonly (readonly string[])[],
    optionOf: (scheme: string) => string,
  ): Code {
    const { operationId: id, method, path, location } = operation;
    const own = operation.security.map((each) => Object.keys(each).map(optionOf));
    const isShared = expressionOf(own) === expressionOf(security);
    const parameters = operation.parameters.filter(({ node }) => !isReservedHeader(node));
    const accept = [...operation.responses.values()].flatMap((each) => [
      ...contentsOf(this.#definition, each).keys,
    ]);
    const spec = {
      id,
      method: method.toUpperCase(),
      path,
      parameters:
        parameters.length > 0 ? parameters.map((each) => this.#parameter(each)) : undefined,
      bodies: this.#bodies(operation),
      accept: accept.length > 0 ? [...new Set(accept)].join(', ') : undefined,
      replies: this.#replies(operation),
      security: isShared ? undefined : own,
      isIdempotent: location.node['x-idempotent'] === true ? true : undefined,
      server: serverSpec(this.#definition, operation),
    };
    return this.constants.call('operation', [spec]);
  }

  #parameter(location: LocatedNode): object {
    const { name, in: where, style, explode, allowReserved } = location.node;
    const [media] = contentsOf(this.#definition, location);
    if (media !== undefined) return { in: where, name, write: this.#textWriter(...media) };
    const usual = STYLES[where];
    const isUsual = style === undefined || style === usual;
    const isExploded = (style ?? usual) === 'form' || style === 'cookie';
    return {
      in: where,
      name,
      style: isUsual ? undefined : style,
      explode: explode === undefined || explode === isExploded ? undefined : explode,
      allowReserved: allowReserved === true ? true : undefined,
    };
  }

  #textWriter(type: string, holder: LocatedNode): Code {
    if (isJson(essence(type))) return this.constants.imported('stringify');
    if (essence(type) !== FORM) return new Code('String');
    this.constants.imports.add('formText');
    return new Code(`(value) => formText(value, ${expressionOf(this.#fields(holder, false))})`);
  }

  #bodies({ requestBody }: Operation): object | undefined {
    const contents = [...contentsOf(this.#definition, requestBody)];
    if (contents.length === 0) return undefined;
    // The default is JSON.
    const sorted = [...contents].sort(
      ([one], [other]) => Number(isJson(essence(other))) - Number(isJson(essence(one))),
    );
    return Object.fromEntries(sorted.map(([type, holder]) => [type, this.#writer(type, holder)]));
  }

  #writer(type: string, holder: LocatedNode): Code {
    const schema = this.#schemaIn(holder);
    const writers: Readonly<Record<MediaCategory, () => Code>> = {
      json: () => this.constants.imported('sendJson'),
      lines: () => this.constants.call('sendJsonLines', startOf(type)),
      form: () => this.constants.call('sendForm', present(this.#fields(holder, false))),
      multipart: () => this.constants.call('sendMultipart', present(this.#fields(holder, true))),
      events: () => this.constants.call('sendEvents', this.#eventData(holder)),
      mixed: () => this.constants.call('sendMixed', [this.#partType(holder)]),
      text: () => this.constants.imported('sendText'),
      bytes: () => this.constants.imported('sendText'),
      xml: () => this.constants.call('sendXml', [this.#xml.root(schema!)]),
    };
    return writers[mediaCategory(type, schema, this.#itemOf(holder))]();
  }

  /** By name of the property. */
  #fields(holder: LocatedNode, isMultipart: boolean): Readonly<Record<string, object>> {
    const schema = this.#schemaIn(holder);
    const encoding: Readonly<Record<string, Node>> = holder.node.encoding ?? {};
    const fields = Object.entries(encoding).flatMap(([name, each]): [string, object][] => {
      const own = propertyIn(schema, name);
      const { style = 'form', explode = style === 'form', allowReserved, contentType } = each;
      const isStyled = ['style', 'explode', 'allowReserved'].some((key) => each[key] !== undefined);
      const isUsable =
        !isMultipart || (!this.#definition.isVersion30 && own !== undefined && !isFile(own));
      if (isStyled && isUsable) return [[name, { style, explode, allowReserved }]];
      const type = concreteType(String(contentType ?? ''));
      return type === '' ? [] : [[name, { type }]];
    });
    return Object.fromEntries(fields);
  }

  #replies({ method, responses }: Operation): object {
    return Object.fromEntries(
      [...responses].map(([status, response]) => {
        const contents = [...contentsOf(this.#definition, response)].map(
          ([type, holder]) => [type, this.#reader(type, holder)] as const,
        );
        const headers = [...this.#definition.children(response, 'headers')]
          .filter(([name]) => name.toLowerCase() !== 'content-type')
          .map(([name, header]) => [name, this.#header(header)] as const);
        const spec = {
          content:
            method !== 'head' && contents.length > 0 ? Object.fromEntries(contents) : undefined,
          headers: headers.length > 0 ? Object.fromEntries(headers) : undefined,
        };
        return [status.toUpperCase().replace('DEFAULT', 'default'), spec];
      }),
    );
  }

  #reader(type: string, holder: LocatedNode): Code {
    const schema = this.#schemaIn(holder);
    const call = (name: string, args: readonly unknown[] = []) => this.constants.call(name, args);
    const readers: Readonly<Record<MediaCategory, () => Code>> = {
      json: () => call('receiveJson', present(this.#exact.of(schema))),
      lines: () => call('receiveJsonLines', present(this.#exact.of(this.#itemOf(holder)))),
      form: () => call('receiveForm', [textShape(schema === undefined ? [] : [schema])]),
      multipart: () => call('receiveForm', [textShape(schema === undefined ? [] : [schema])]),
      events: () => call('receiveEvents', this.#eventData(holder)),
      text: () => {
        const shape = textShape(schema === undefined ? [] : [schema]);
        return call('receiveText', typeof shape === 'string' && shape !== 'string' ? [shape] : []);
      },
      bytes: () =>
        hasJson(essence(type))
          ? rangeReader(schema, { constants: this.constants, exact: this.#exact, xml: this.#xml })
          : call('receiveBytes'),
      mixed: () => call('receiveMixed', present(this.#exact.of(this.#itemOf(holder)))),
      xml: () => call('receiveXml', [this.#xml.root(schema!)]),
    };
    return readers[mediaCategory(type, schema, this.#itemOf(holder))]();
  }

  /** @returns arguments: without, the data of an event is text */
  #eventData(holder: LocatedNode): unknown[] {
    const item = this.#itemOf(holder);
    const contents = item === undefined ? [] : dataContentsOf(item);
    const exactOf = ({ schema }: DataContent) => (schema && this.#exact.of(schema)) ?? 0;
    const named = contents.flatMap((each) =>
      [...(each.events ?? [])].map((event) => [String(event), exactOf(each)] as const),
    );
    const always = contents.find(({ branch }) => branch === undefined);
    const byEvent = named.length === 0 ? [] : [Object.fromEntries(named)];
    if (always !== undefined) return [exactOf(always), ...byEvent];
    return byEvent.length === 0 ? [] : [new Code('undefined'), ...byEvent];
  }

  /** By default JSON, for strings text. */
  #partType({ node, pointer }: LocatedNode): string {
    const item = this.#itemOf({ node, pointer })!;
    const isText = commonTypes(item.conjuncts)?.join() === 'string';
    return (
      node.itemEncoding?.contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json')
    );
  }

  #header(location: LocatedNode): Code {
    const [media] = contentsOf(this.#definition, location);
    const schema = this.#schemaIn(media?.[1] ?? location);
    if (media !== undefined && isJson(essence(media[0]))) {
      return this.constants.call('receiveHeader', [{ json: this.#exact.of(schema) ?? 0 }]);
    }
    const shape = textShape(schema === undefined ? [] : [schema]);
    const explode = location.node.explode === true ? [true] : [];
    return this.constants.call('receiveHeader', [shape, ...explode]);
  }

  #itemOf(holder: LocatedNode): Schema | undefined {
    return itemSchemaOf(holder, this.#model);
  }

  #schemaIn({ node, pointer }: LocatedNode): Schema | undefined {
    return node.schema === undefined ? undefined : this.#model.at(`${pointer}/schema`);
  }
}

function essence(type: string): string {
  return parseMediaType(type)?.type ?? type;
}

function present(value: unknown): unknown[] {
  const isEmpty =
    typeof value === 'object' && !(value instanceof Code) && Object.keys(value!).length === 0;
  return value === undefined || isEmpty ? [] : [value];
}

/** Of each value in a JSON text sequence (RFC 7464). */
function startOf(type: string): unknown[] {
  return essence(type).endsWith('json-seq') ? [new Code("'\\x1e'")] : [];
}

/** The first media type of an Encoding Object that names a type. */
function concreteType(list: string): string {
  const types = list.split(',').map((each) => each.trim());
  const type = types.find((each) => !each.includes('*')) ?? types[0]!;
  return type.replace('*/*', 'application/octet-stream').replace('/*', '/octet-stream');
}

function isFile(schema: Schema | undefined): boolean {
  return isBinaryValue(schema) || isBinaryValue(schema?.child('items'));
}
