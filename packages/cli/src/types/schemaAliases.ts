// The components of a contract in its declarations: as type aliases, and those that are used.

import { tsPropertyIndex } from 'openapi-typescript';
import ts from 'typescript';

const { factory } = ts;

export interface SchemaName {
  readonly local: string;
  readonly exported?: string | undefined;
}

/**
 * @param names of the components that become type aliases
 * @param hidden the components that are type aliases only
 */
export function withSchemaAliases(
  declarations: readonly ts.Node[],
  names: ReadonlyMap<string, SchemaName>,
  hidden: ReadonlySet<string>,
): ts.Node[] {
  const schemas = schemaMembers(declarations);
  const referenceTo = (key: string) => factory.createTypeReferenceNode(names.get(key)!.local);
  const rename = (node: ts.Node): ts.Node => {
    const key = schemaNameIn(node);
    if (key !== undefined && names.has(key)) return referenceTo(key);
    return ts.visitEachChild(node, rename, undefined);
  };
  const listed = [...schemas].flatMap(([key, member]) => {
    if (hidden.has(key)) return [];
    return [names.has(key) ? property(key, referenceTo(key)) : member];
  });
  const others = declarations.map((declaration) =>
    isComponents(declaration) ? withSchemas(declaration, listed) : declaration,
  );
  const aliases = [...names].flatMap(([key, name]) => aliasOf(name, schemas.get(key)!, rename));
  return [...others.map(rename), ...aliases];
}

/** @returns the names of the components */
export function schemaNames(declarations: readonly ts.Node[]): string[] {
  return [...schemaMembers(declarations).keys()];
}

/** @returns the components that contain themselves other than within an object */
export function recursiveSchemas(declarations: readonly ts.Node[]): string[] {
  const schemas = schemaMembers(declarations);
  const used = new Map([...schemas].map(([key, member]) => [key, schemasIn(memberType(member))]));
  return [...used.keys()].filter((key) => {
    const reached = new Set(used.get(key));
    for (const text of reached) for (const inner of used.get(text) ?? []) reached.add(inner);
    return reached.has(key);
  });
}

/** The types of a contract that others need. */
export interface UsedTypes {
  /** By operationId. */
  readonly operations: ReadonlySet<string>;
  /** The names of components, besides those that the operations reach. */
  readonly schemas: ReadonlySet<string>;
  /** Components -> the type that stands for each reference to them. */
  readonly converted: ReadonlyMap<string, string>;
}

/** @returns the declarations of the operations, and of the components that they reach */
export function usedDeclarations(
  declarations: readonly ts.Node[],
  { operations, schemas, converted }: UsedTypes,
): ts.Node[] {
  const used = new Set([...schemas].map((name) => SCHEMAS + name));
  /** @param isPart true for a part of a component with a converter, which converts its parts too */
  const visit = (node: ts.Node, isPart: boolean): ts.Node => {
    const key = componentIn(node);
    const type = isPart || !key?.startsWith(SCHEMAS) ? undefined : converted.get(nameIn(key));
    if (type !== undefined) return factory.createTypeReferenceNode(type);
    if (key !== undefined) used.add(key);
    const hasParts = isPart && isComposition(node);
    return ts.visitEachChild(node, (child) => visit(child, hasParts), undefined);
  };
  const interfaces = declarations.filter(ts.isInterfaceDeclaration);
  const own = interfaces
    .filter(({ name }) => name.text === 'operations')
    .flatMap(({ members }) => members.filter((member) => operations.has(memberName(member)!)))
    .map((member) => visit(member, false) as ts.TypeElement);
  const components = componentMembers(declarations);
  const types = new Map<string, ts.TypeElement>();
  for (const key of used) {
    const member = components.get(key);
    if (member === undefined) continue;
    const isConverted = key.startsWith(SCHEMAS) && converted.has(nameIn(key));
    const copy = property(nameIn(key), visit(memberType(member), isConverted) as ts.TypeNode);
    types.set(key, ts.setSyntheticLeadingComments(copy, ts.getSyntheticLeadingComments(member)));
  }
  const found = [...components.keys()].filter((key) => types.has(key));
  const kinds = Map.groupBy(found, (key) => key.slice(0, key.indexOf('/')));
  const members = Array.from(kinds, ([kind, keys]) =>
    property(kind, factory.createTypeLiteralNode(keys.map((key) => types.get(key)!))),
  );
  const helpers = declarations.filter(isWithRequired);
  return [...helpers, interfaceOf('components', members), interfaceOf('operations', own)];
}

/** A type alias that openapi-typescript declares. */
export function isWithRequired(node: ts.Node): boolean {
  return ts.isTypeAliasDeclaration(node) && node.name.text === WITH_REQUIRED;
}

const WITH_REQUIRED = 'WithRequired';

function isComposition(type: ts.Node): boolean {
  if (ts.isIntersectionTypeNode(type) || ts.isParenthesizedTypeNode(type)) return true;
  const name = ts.isTypeReferenceNode(type) ? type.typeName : undefined;
  return name !== undefined && ts.isIdentifier(name) && name.text === WITH_REQUIRED;
}

/** TypeScript reads the members of an object on demand. */
function schemasIn(type: ts.Node): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const key = schemaNameIn(node);
    if (key !== undefined) found.add(key);
    else if (!ts.isTypeLiteralNode(node)) ts.forEachChild(node, visit);
  };
  visit(type);
  return found;
}

function aliasOf(
  { local, exported }: SchemaName,
  member: ts.TypeElement,
  rename: (node: ts.Node) => ts.Node,
): ts.Node[] {
  const isOwn = exported === local;
  const alias = factory.createTypeAliasDeclaration(
    isOwn ? [factory.createModifier(ts.SyntaxKind.ExportKeyword)] : undefined,
    local,
    undefined,
    rename(memberType(member)) as ts.TypeNode,
  );
  ts.setSyntheticLeadingComments(alias, ts.getSyntheticLeadingComments(member));
  return isOwn || exported === undefined ? [alias] : [alias, exportOf(local, exported)];
}

/** `export type { Record_ as Record };` */
function exportOf(local: string, exported: string): ts.Node {
  const specifier = factory.createExportSpecifier(false, local, exported);
  return factory.createExportDeclaration(undefined, true, factory.createNamedExports([specifier]));
}

function isComponents(node: ts.Node): node is ts.InterfaceDeclaration {
  return ts.isInterfaceDeclaration(node) && node.name.text === 'components';
}

/** @returns by `schemas/Toy` */
function componentMembers(declarations: readonly ts.Node[]): ReadonlyMap<string, ts.TypeElement> {
  const kinds = declarations.filter(isComponents).flatMap(({ members }) => [...members]);
  const all = kinds.flatMap((kind) =>
    membersIn(kind).map((member) => [`${memberName(kind)}/${memberName(member)}`, member] as const),
  );
  return new Map(all);
}

/** @returns the schemas, by name */
function schemaMembers(declarations: readonly ts.Node[]): ReadonlyMap<string, ts.TypeElement> {
  const schemas = [...componentMembers(declarations)].filter(([key]) => key.startsWith(SCHEMAS));
  return new Map(schemas.map(([key, member]) => [nameIn(key), member]));
}

const SCHEMAS = 'schemas/';

function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

function withSchemas(
  components: ts.InterfaceDeclaration,
  schemas: readonly ts.TypeElement[],
): ts.Node {
  const type =
    schemas.length === 0
      ? factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword)
      : factory.createTypeLiteralNode(schemas);
  const members = components.members.map((member) =>
    memberName(member) === 'schemas' ? property('schemas', type) : member,
  );
  return interfaceOf('components', members);
}

/** @returns the name in `components["schemas"]["Toy"]` */
function schemaNameIn(node: ts.Node): string | undefined {
  const key = componentIn(node);
  return key?.startsWith(SCHEMAS) ? nameIn(key) : undefined;
}

/** @returns `schemas/Toy` for `components["schemas"]["Toy"]` */
function componentIn(node: ts.Node): string | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return;
  const { objectType: components, indexType: kind } = node.objectType;
  const isComponent =
    ts.isTypeReferenceNode(components) &&
    ts.isIdentifier(components.typeName) &&
    components.typeName.text === 'components';
  return isComponent ? `${literalIn(kind)}/${literalIn(node.indexType)}` : undefined;
}

function literalIn(type: ts.TypeNode): string | undefined {
  if (!ts.isLiteralTypeNode(type)) return undefined;
  const { literal } = type;
  return ts.isStringLiteral(literal) || ts.isNumericLiteral(literal) ? literal.text : undefined;
}

export function property(name: string, type: ts.TypeNode): ts.PropertySignature {
  return factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type);
}

export function interfaceOf(
  name: string,
  members: readonly ts.TypeElement[],
): ts.InterfaceDeclaration {
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  return factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, members);
}

export function memberName({ name }: ts.TypeElement): string | undefined {
  return name !== undefined &&
    (ts.isStringLiteral(name) || ts.isIdentifier(name) || ts.isNumericLiteral(name))
    ? name.text
    : undefined;
}

export function memberType(member: ts.TypeElement): ts.TypeNode {
  return (member as ts.PropertySignature).type!;
}

function membersIn(member: ts.TypeElement): readonly ts.TypeElement[] {
  const type = memberType(member);
  return ts.isTypeLiteralNode(type) ? type.members : [];
}
