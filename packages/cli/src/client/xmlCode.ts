// Describes how a schema is written as XML, as expressions of @stubwright/client.
import { type Schema, unescapeToken } from '@stubwright/contract';
import { xmlObject } from '@stubwright/contract/values';
import { Code, expressionOf } from './code.ts';
import type { Constants } from './constants.ts';
import { inPlace, propertiesIn } from './inPlace.ts';
import { scalarsIn, shapeTypes } from './textShapes.ts';

export class XmlCode {
  readonly #constants: Constants;

  constructor(constants: Constants) {
    this.#constants = constants;
  }

  /** @returns the expression of a body, whose component names the root element */
  root(schema: Schema): Code {
    const spec = this.#specOf([schema]);
    const [, component] = /^\/components\/schemas\/([^/]+)$/.exec(schema.ref?.pointer ?? '') ?? [];
    const name = component && unescapeToken(component);
    const isName = name !== undefined && /^[\p{L}_][-.\p{L}\d_]*$/u.test(name);
    return new Code(expressionOf({ ...(isName && { name }), ...spec }));
  }

  #of(schemas: readonly Schema[]): Code {
    const key = schemas.map(({ pointer }) => pointer).join(' ');
    const make = () => new Code(expressionOf(this.#specOf(schemas)));
    return this.#constants.shared('xml', schemas[0]!, make, key);
  }

  #specOf(schemas: readonly Schema[]): object {
    const parts = inPlace(schemas);
    const types = new Set(shapeTypes(parts));
    const isObject = types.has('object');
    const isArray = types.has('array');
    const scalars = scalarsIn(types);
    const isScalar = scalars.some((type) => type !== 'null');
    const conjuncts = schemas.flatMap((each) => each.conjuncts);
    const xml = xmlObject(
      Object.assign({}, ...conjuncts.map(({ keywords }) => keywords.xml)),
      isArray,
    );
    const { name, prefix, namespace, nodeType } = xml;
    const items = parts.flatMap((each) => each.child('items') ?? []);
    const others = parts.flatMap((each) => each.child('additionalProperties') ?? []);
    const required = new Set<string>(conjuncts.flatMap(({ keywords }) => keywords.required ?? []));
    return {
      ...{ name, prefix: prefix || undefined, namespace },
      as:
        nodeType ?? (xml.attribute ? 'attribute' : isArray && xml.wrapped ? 'wrapper' : undefined),
      types: isScalar ? scalars.join(' ') : isObject || isArray ? undefined : 'string',
      items: isArray ? (items.length > 0 ? this.#of(items) : {}) : undefined,
      properties: isObject ? propertiesIn(parts, (each) => this.#of(each)) : undefined,
      others: isObject && others.length > 0 ? this.#of(others) : undefined,
      required: isObject && required.size > 0 ? [...required] : undefined,
    };
  }
}
