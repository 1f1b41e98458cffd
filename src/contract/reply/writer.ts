// Writes JSON by a contract's schema: a writer compiled once, which sends the declared fields only.
import fastJson from 'fast-json-stringify';
import type { Definition, Node, Place } from '../definition/definition.ts';
import { stringifyJson } from '../json.ts';
import type { Validators } from '../schema/validator.ts';
import { declaredOnly } from './declared.ts';

/** Writes a valid value; what its schema does not declare is left out. */
export type Writer = (value: unknown) => string;

/** @returns the writer of the schema at `schema` */
export function writerOf(definition: Definition, validators: Validators, schema: Place): Writer {
  const shape = shapeOf(definition, schema, []);
  if (shape !== undefined) return fastJson(shape as fastJson.Schema);
  const declared = declaredOnly(definition, validators, schema);
  return (body: unknown) => stringifyJson(declared(body));
}

const SCALARS = new Set(['string', 'integer', 'number', 'boolean', 'null']);
const UNSHAPED = ['anyOf', 'oneOf', 'not', 'if', 'patternProperties', 'prefixItems', '$dynamicRef'];

/**
 * The fields of a schema as fast-json-stringify takes them; what makes a value valid is left out,
 * since the value has been validated. Undefined where the fields depend on the value.
 */
function shapeOf(definition: Definition, place: Place, above: readonly string[]): Node | undefined {
  const { node, pointer } = place;
  if (typeof node !== 'object' || above.includes(pointer)) return undefined;
  if (node.$ref !== undefined) {
    const target = definition.at(definition.schemaPointer(node.$ref, pointer))!;
    return shapeOf(definition, target, [...above, pointer]);
  }
  if (UNSHAPED.some((word) => node[word] !== undefined)) return undefined;
  const inside = [...above, pointer];
  if (node.allOf !== undefined) return mergedShape(definition, place, inside);
  if (node.properties !== undefined) return objectShape(definition, place, inside);
  if (node.nullable === true) return undefined;
  if (SCALARS.has(node.type)) return { type: node.type };
  if (node.type !== 'array' || node.items === undefined) return undefined;
  const items = shapeOf(definition, definition.step(place, 'items'), inside);
  return items && { type: 'array', items };
}

function objectShape(definition: Definition, place: Place, above: readonly string[]) {
  if (place.node.nullable === true || place.node.additionalProperties) return undefined;
  const { required = [] } = place.node;
  const fields = definition.step(place, 'properties');
  if (required.some((name: string) => !Object.hasOwn(fields.node, name))) return undefined;
  const properties: Node = {};
  for (const name of Object.keys(fields.node)) {
    const field = definition.step(fields, name);
    if (definition.follow(field).node.writeOnly === true) continue;
    const shape = shapeOf(definition, field, above);
    if (shape === undefined) return undefined;
    properties[name] = shape;
  }
  return { type: 'object', properties };
}

function mergedShape(definition: Definition, place: Place, above: readonly string[]) {
  const own = place.node.properties === undefined ? [] : [objectShape(definition, place, above)];
  const list = definition.step(place, 'allOf');
  const members = Object.keys(list.node).map((at) =>
    shapeOf(definition, definition.step(list, at), above),
  );
  const shapes = [...members, ...own];
  if (shapes.some((shape) => shape?.type !== 'object')) return undefined;
  return { type: 'object', properties: Object.assign({}, ...shapes.map((s) => s!.properties)) };
}
