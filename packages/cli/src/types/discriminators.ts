// Writes the schemas that discriminators select as alternatives, for openapi-typescript.

import {
  type Contract,
  type Discriminator,
  discriminatorsOf,
  escapeToken,
  isHidden,
  isObject,
  type Node,
  type Schema,
  SchemaModel,
  schemaLocations,
  unescapeToken,
} from '@stubwright/contract';
import { requestSchemas } from '@stubwright/contract/validation';
import { freeName } from './names.ts';

const COMPONENTS = '/components/schemas/';

/** A change of the document. The model reads it lazily: all changes follow all reading. */
type Change = () => void;

/** By component with a discriminator: the name of the component with its properties alone. */
type Bases = ReadonlyMap<Schema, string>;

/**
 * Modifies the document: a component `Pet` with a discriminator becomes the alternatives `PetBase`, `Cat`
 * and `Dog`, where `Cat` and `Dog` extend `PetBase`, and have the values of the property that select them.
 * So do the alternatives of `oneOf` and `anyOf`. A discriminator excludes no value: where the schema of the
 * property has other values, those hold. openapi-typescript reads no discriminator.
 */
export function expandDiscriminators(definition: Contract): void {
  const model = SchemaModel.of(definition);
  const written: Node = definition.document.components?.schemas ?? {};
  const components = Object.keys(written).map((name) => model.at(COMPONENTS + escapeToken(name))!);
  const bases = basesOf(components, Object.keys(written));
  const members = new Set([...bases.keys()].flatMap(membersOf));
  const changes = [
    ...components.flatMap((component) =>
      isAlias(component) ? [] : extensionChanges(component, bases),
    ),
    ...inlineSchemas(definition, components).flatMap(inlineChange),
    ...[...members].flatMap((member) => (bases.has(member) ? [] : memberChange(member))),
    ...[...bases].map(([schema, base]) => baseChange(schema, base, written)),
    ...[...schemaLocations(definition.document)].flatMap(({ pointer, node }) =>
      node.discriminator === undefined ? [] : [branchChange(model.at(pointer)!, node)],
    ),
  ];
  for (const change of changes) change();
}

function basesOf(components: readonly Schema[], names: readonly string[]): Bases {
  const taken = new Set(names);
  const bases = new Map<Schema, string>();
  for (const component of components) {
    if (isAlias(component) || membersOf(component).length === 0) continue;
    bases.set(component, freeName(`${nameOf(component)}Base`, taken));
  }
  return bases;
}

/** @returns the components that the discriminators of a schema may select, besides its branches */
function membersOf(schema: Schema): Schema[] {
  const selected = discriminatorsOf(schema).flatMap(({ schemas, fallback }) => [
    ...schemas.values(),
    ...(fallback === undefined ? [] : [fallback]),
  ]);
  const branches = schema.conjuncts.flatMap((conjunct) =>
    [...conjunct.list('oneOf'), ...conjunct.list('anyOf')].map(({ ref }) => ref),
  );
  return [...new Set(selected)].filter((candidate) => {
    const isOther = !schema.conjuncts.includes(candidate) && !branches.includes(candidate);
    const isNamed = candidate.pointer.startsWith(COMPONENTS);
    // A type must not include itself. Extensions include the base.
    const isSafe = isExtension(candidate, schema) || !inPlace(candidate).has(schema);
    return isOther && isNamed && isSafe;
  });
}

function isExtension(schema: Schema, of: Schema): boolean {
  return of.pointer.startsWith(COMPONENTS) && !isAlias(schema) && schema.conjuncts.includes(of);
}

/** True for another name of a schema, a `$ref` alone. */
function isAlias({ ref, written }: Schema): boolean {
  return ref !== undefined && Object.keys(written as Node).length === 1;
}

function inPlace(schema: Schema): Set<Schema> {
  const found = new Set([schema]);
  for (const applying of found) {
    const alternatives = [
      ...applying.list('oneOf'),
      ...applying.list('anyOf'),
      ...applying.dynamicRefs,
    ];
    for (const inner of [...applying.conjuncts, ...alternatives]) found.add(inner);
  }
  return found;
}

function extensionChanges(schema: Schema, bases: Bases): Change[] {
  let target = schema.ref;
  while (target !== undefined && !bases.has(target) && isAlias(target)) target = target.ref;
  const base = target && bases.get(target);
  const node = schema.written as Node;
  const own = base === undefined ? [] : [() => Object.assign(node, refTo(base))];
  return [...own, ...schema.list('allOf').flatMap((conjunct) => extensionChanges(conjunct, bases))];
}

/** @returns all schemas of components and operations that are no components themselves */
function inlineSchemas(definition: Contract, components: readonly Schema[]): Schema[] {
  const ofResponses = definition.operations.flatMap(({ responseSchemas }) => responseSchemas);
  const all = new Set([...components, ...requestSchemas(definition), ...ofResponses]);
  for (const schema of all) for (const inner of schema.inner) all.add(inner);
  return [...all].filter((schema) => !components.includes(schema));
}

/** Only its own `mapping`: the mapping that an inline `allOf` inherits is in the component. */
function inlineChange(schema: Schema): Change[] {
  const node = schema.written;
  if (!isObject(node) || node.discriminator === undefined) return [];
  const members = membersOf(schema).filter((member) => !member.conjuncts.includes(schema));
  if (members.length === 0) return [];
  return [
    () => {
      const own = { ...node };
      for (const key of Object.keys(node)) delete node[key];
      node.anyOf = [own, ...members.map(referenceTo)];
    },
  ];
}

function memberChange(schema: Schema): Change[] {
  const values = selectingValues(schema);
  const node = schema.written as Node;
  if (values === undefined) return [];
  return [
    () => {
      node.allOf = [...(node.allOf ?? []), values];
    },
  ];
}

function baseChange(schema: Schema, base: string, written: Node): Change {
  const own = schema.written as Node;
  const { title, description, deprecated } = own;
  const values = selectingValues(schema);
  const members = membersOf(schema).map(referenceTo);
  return () => {
    written[base] = own;
    written[nameOf(schema)] = {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(deprecated !== undefined && { deprecated }),
      anyOf: [values === undefined ? refTo(base) : { allOf: [refTo(base), values] }, ...members],
    };
  };
}

/** @returns a schema of the values that select a component; undefined if others may */
function selectingValues(schema: Schema): Node | undefined {
  const [discriminator, ...others] = discriminatorsOf(schema);
  const isHolder = schema.keywords.discriminator !== undefined;
  if (discriminator === undefined || others.length > 0 || isHolder) return undefined;
  return selectingSchema(schema, discriminator);
}

/** @returns a schema of the values that select another; undefined for a property that has other values */
export function selectingSchema(
  target: Schema,
  { holder, propertyName, schemas, fallback }: Discriminator,
): Node | undefined {
  const properties = target.conjuncts.flatMap(
    (conjunct) => conjunct.map('properties').get(propertyName)?.conjuncts ?? [],
  );
  const isText = properties.every(({ types }) => types === undefined || types.has('string'));
  const listed = properties.flatMap(({ keywords }): unknown[][] => {
    const own: unknown = 'const' in keywords ? [keywords.const] : keywords.enum;
    return Array.isArray(own) ? [own] : [];
  });
  const isAllowed = (value: string) => listed.every((list) => list.includes(value));
  const all = [...schemas].flatMap(([value, schema]) => (schema === target ? [value] : []));
  // Those of `mapping` replace the names of listed alternatives.
  const isListed = holder.has('oneOf') || holder.has('anyOf');
  const mapping: object = holder.keywords.discriminator.mapping ?? {};
  const mapped = all.filter((value) => isListed && Object.hasOwn(mapping, value));
  const values = (mapped.length > 0 ? mapped : all).filter(isAllowed);
  if (fallback === target || !isText || values.length === 0) return undefined;
  const isVisible = !properties.some(
    (property) => isHidden(property, 'request') || isHidden(property, 'response'),
  );
  const isRequired = target.conjuncts.some(({ keywords }) =>
    ((keywords.required ?? []) as string[]).includes(propertyName),
  );
  const isOwn = listed.some((list) => list.every((value) => values.includes(value as string)));
  if (isOwn && isRequired) return undefined;
  return {
    type: 'object',
    ...(isRequired && isVisible && { required: [propertyName] }),
    properties: { [propertyName]: { type: 'string', enum: values } },
  };
}

function branchChange(holder: Schema, node: Node): Change {
  const discriminator = discriminatorsOf(holder).find(
    (discriminator) => discriminator.holder === holder,
  );
  const changed = (['oneOf', 'anyOf'] as const).flatMap((keyword) =>
    holder.list(keyword).flatMap(({ ref }, at) => {
      const values = ref && discriminator && selectingSchema(ref, discriminator);
      return values ? [{ keyword, at, values }] : [];
    }),
  );
  return () => {
    delete node.discriminator;
    for (const { keyword, at, values } of changed) {
      node[keyword][at] = { allOf: [node[keyword][at], values] };
    }
  };
}

function nameOf({ pointer }: Schema): string {
  return unescapeToken(pointer.slice(COMPONENTS.length));
}

function refTo(name: string): { readonly $ref: string } {
  return { $ref: `#${COMPONENTS}${escapeToken(name)}` };
}

function referenceTo({ pointer }: Schema): Node {
  return { $ref: `#${pointer}` };
}
