// Declares schemas as type aliases, which may be recursive through arrays.

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

function schemaMembers(declarations: readonly ts.Node[]): ReadonlyMap<string, ts.TypeElement> {
  const members = declarations.filter(isComponents).flatMap(({ members }) => [...members]);
  return new Map(membersIn(members, 'schemas').map((member) => [memberName(member)!, member]));
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
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return;
  const { objectType: components, indexType: kind } = node.objectType;
  const isSchema =
    ts.isTypeReferenceNode(components) &&
    ts.isIdentifier(components.typeName) &&
    components.typeName.text === 'components' &&
    literalIn(kind) === 'schemas';
  return isSchema ? literalIn(node.indexType) : undefined;
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

function membersIn(members: readonly ts.TypeElement[], name: string): readonly ts.TypeElement[] {
  const found = members.find((member) => memberName(member) === name);
  const type = found && memberType(found);
  return type !== undefined && ts.isTypeLiteralNode(type) ? type.members : [];
}
