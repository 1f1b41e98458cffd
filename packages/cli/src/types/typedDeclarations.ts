// Completes the declarations of openapi-typescript: marks, security, pages and callbacks.

import { type Pagination, tokensOf } from '@stubwright/contract';
import { astToString, stringToAST } from 'openapi-typescript';
import ts from 'typescript';
import { READ_ONLY, type TypedDocument, WRITE_ONLY } from './document.ts';
import { PATCH } from './patches.ts';
import { interfaceOf, isWithRequired, memberName, memberType, property } from './schemaAliases.ts';
import { type Callback, DEFAULTS, SYNTHETIC_PATH, type SyntheticMethod } from './typedPaths.ts';

/** The types of stubwright that name marked properties. */
export const MARK_TYPES: ReadonlyMap<string, string> = new Map([
  [DEFAULTS, 'Defaults'],
  [READ_ONLY, 'ReadOnly'],
  [WRITE_ONLY, 'WriteOnly'],
]);

const { factory } = ts;

/**
 * Replaces each property of MARK_TYPES by an intersection with its type, adds `security` and `pagination` to
 * operations, moves the callbacks from `paths` to `callbacks`, by operationId, name and runtime expression, and
 * the operations of other methods to their paths.
 */
export function typedDeclarations(
  declarations: readonly ts.Node[],
  { callbacks, methods, security, pagination }: Omit<TypedDocument, 'document'>,
): ts.Node[] {
  const own = declarations.map((declaration) =>
    isWithRequired(declaration) ? withRequired() : withMarks(declaration),
  );
  const marked = withInterface(own, 'operations', (members) =>
    members.map((member) => {
      const id = memberName(member)!;
      return withMembers(member, [
        ...securityMembers(security.get(id)),
        ...paginationMembers(pagination.get(id)),
      ]);
    }),
  );
  const isSynthetic = (member: ts.TypeElement) =>
    memberName(member)?.startsWith(SYNTHETIC_PATH) === true;
  let synthetic: readonly ts.TypeElement[] = [];
  const others = withInterface(marked, 'paths', (members) => {
    synthetic = members.filter(isSynthetic);
    return members
      .filter((member) => !isSynthetic(member))
      .map((member) => withMethods(member, methods, synthetic));
  });
  if (callbacks.length === 0) return others;
  return [...others, interfaceOf('callbacks', callbackMembers(callbacks, synthetic))];
}

/** `operations` has the comments of `paths` too. */
export function withoutPathComments(declarations: readonly ts.Node[]): ts.Node[] {
  const uncommented = <T extends ts.Node>(node: T): T => {
    const visited = ts.visitEachChild(node, uncommented, undefined);
    return ts.setSyntheticLeadingComments(visited, undefined);
  };
  return withInterface(declarations, 'paths', (members) => members.map(uncommented));
}

function withInterface(
  declarations: readonly ts.Node[],
  name: string,
  change: (members: readonly ts.TypeElement[]) => readonly ts.TypeElement[],
): ts.Node[] {
  return declarations.map((declaration) =>
    ts.isInterfaceDeclaration(declaration) && declaration.name.text === name
      ? interfaceOf(name, change(declaration.members))
      : declaration,
  );
}

function securityMembers(
  alternatives: readonly (readonly string[])[] | undefined,
): ts.TypeElement[] {
  const types = alternatives?.map(tupleOf);
  return types === undefined ? [] : [property('security', factory.createUnionTypeNode(types))];
}

function paginationMembers(pagination: Pagination | undefined): ts.TypeElement[] {
  if (pagination === undefined) return [];
  const { kind, parameter, items, next, more } = pagination;
  const pointers = Object.entries({ items, next, more }).flatMap(([name, pointer]) => {
    const names = pointer === undefined ? undefined : tokensOf(pointer);
    return names === undefined ? [] : [property(name, tupleOf(names))];
  });
  const texts = Object.entries({ kind, parameter }).flatMap(([name, text]) =>
    text === undefined ? [] : [property(name, literal(text))],
  );
  return [property('pagination', factory.createTypeLiteralNode([...texts, ...pointers]))];
}

function tupleOf(texts: readonly string[]): ts.TypeNode {
  return factory.createTupleTypeNode(texts.map(literal));
}

function literal(text: string): ts.TypeNode {
  return factory.createLiteralTypeNode(factory.createStringLiteral(text));
}

function withMembers(operation: ts.TypeElement, added: readonly ts.TypeElement[]): ts.TypeElement {
  if (added.length === 0) return operation;
  const { modifiers, name, questionToken, type } = operation as ts.PropertySignature;
  return factory.updatePropertySignature(
    operation as ts.PropertySignature,
    modifiers,
    name,
    questionToken,
    factory.createTypeLiteralNode([...(type as ts.TypeLiteralNode).members, ...added]),
  );
}

/** @param synthetic the members of `paths` that are no paths of the contract */
function withMethods(
  path: ts.TypeElement,
  methods: readonly SyntheticMethod[],
  synthetic: readonly ts.TypeElement[],
): ts.TypeElement {
  const own = methods.filter((method) => method.path === memberName(path));
  if (own.length === 0) return path;
  const added = own.map(({ method, key }) => {
    const item = memberType(
      synthetic.find((typeElement) => memberName(typeElement) === key)!,
    ) as ts.TypeLiteralNode;
    return property(
      method,
      memberType(item.members.find((member) => memberName(member) === 'post')!),
    );
  });
  const { members } = memberType(path) as ts.TypeLiteralNode;
  return property(memberName(path)!, factory.createTypeLiteralNode([...members, ...added]));
}

/** That of openapi-typescript rejects the names of properties that one alternative of a union has. */
function withRequired(): ts.Node {
  const text =
    'type WithRequired<T, K extends PropertyKey> = T extends unknown ? T & { [P in K & keyof T]-?: T[P] } : never;';
  return stringToAST(text)[0] as ts.Node;
}

function withMarks(node: ts.Node): ts.Node {
  const visited = ts.visitEachChild(node, withMarks, undefined);
  if (ts.isIntersectionTypeNode(visited)) return withOwnIndex(visited);
  if (!ts.isTypeLiteralNode(visited)) return visited;
  const patch = patchType(visited);
  if (patch !== undefined) return patch;
  const typeNameOf = (member: ts.TypeElement) => MARK_TYPES.get(memberName(member) ?? '');
  const marks = visited.members.flatMap((member) => {
    const name = typeNameOf(member);
    return name === undefined ? [] : [factory.createTypeReferenceNode(name, [memberType(member)])];
  });
  if (marks.length === 0) return visited;
  const others = visited.members.filter((member) => typeNameOf(member) === undefined);
  return factory.createIntersectionTypeNode([factory.createTypeLiteralNode(others), ...marks]);
}

/**
 * openapi-typescript intersects properties with the index signature of `additionalProperties` and
 * `patternProperties`, which then applies to the properties too.
 */
function withOwnIndex(type: ts.IntersectionTypeNode): ts.TypeNode {
  const index = type.types.find(
    (typeNode) =>
      ts.isTypeLiteralNode(typeNode) &&
      typeNode.members.length === 1 &&
      isIndexSignature(typeNode.members[0]!),
  );
  if (index === undefined) return type;
  const [signature] = (index as ts.TypeLiteralNode).members as unknown as [
    ts.IndexSignatureDeclaration,
  ];
  let isMerged = false;
  const merged = (typeNode: ts.TypeNode): ts.TypeNode => {
    if (isMerged || typeNode === index) return typeNode;
    if (ts.isParenthesizedTypeNode(typeNode)) {
      return factory.createParenthesizedType(merged(typeNode.type));
    }
    if (ts.isIntersectionTypeNode(typeNode)) {
      // The properties with their marks.
      const [own, ...marks] = typeNode.types;
      const isMarked = marks.every((mark) => ts.isTypeReferenceNode(mark));
      return isMarked ? factory.createIntersectionTypeNode([merged(own!), ...marks]) : typeNode;
    }
    if (!ts.isTypeLiteralNode(typeNode) || typeNode.members.some(isIndexSignature)) return typeNode;
    isMerged = true;
    return factory.createTypeLiteralNode([
      ...typeNode.members,
      indexBeside(typeNode.members, signature),
    ]);
  };
  const types = type.types.map(merged);
  if (!isMerged) return type;
  const others = types.filter((typeNode) => typeNode !== index);
  return others.length === 1 ? others[0]! : factory.createIntersectionTypeNode(others);
}

function isIndexSignature(member: ts.TypeElement): member is ts.IndexSignatureDeclaration {
  return ts.isIndexSignatureDeclaration(member);
}

/** TypeScript requires a signature that the types of all properties are assignable to. */
function indexBeside(
  members: readonly ts.TypeElement[],
  { parameters, type }: ts.IndexSignatureDeclaration,
): ts.TypeElement {
  const isOptional = members.some((member) => member.questionToken !== undefined);
  const all = [
    type,
    ...members.map(memberType),
    ...(isOptional ? [factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)] : []),
  ];
  const printed = new Map(all.map((typeNode) => [astToString(typeNode), typeNode]));
  const union = factory.createUnionTypeNode([...printed.values()]);
  return factory.createIndexSignature(undefined, parameters, union);
}

function patchType({ members }: ts.TypeLiteralNode): ts.TypeNode | undefined {
  const [member] = members;
  const key = (member && memberName(member)) ?? '';
  if (!key.startsWith(PATCH)) return undefined;
  const name = key.slice(PATCH.length);
  return factory.createTypeReferenceNode(name, name === 'JsonPatch' ? [] : [memberType(member!)]);
}

function callbackMembers(
  callbacks: readonly Callback[],
  members: readonly ts.TypeElement[],
): ts.TypeElement[] {
  const typed = callbacks.map((callback) => ({
    ...callback,
    type: memberType(members.find((member) => memberName(member) === callback.path)!),
  }));
  return grouped(
    typed,
    ({ operationId }) => operationId,
    (ofOperation) =>
      grouped(
        ofOperation,
        ({ name }) => name,
        (ofName) => ofName.map(({ expression, type }) => property(expression, type)),
      ),
  );
}

function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  membersOf: (items: readonly T[]) => ts.TypeElement[],
): ts.TypeElement[] {
  return [...Map.groupBy(items, keyOf)].map(([key, group]) =>
    property(key, factory.createTypeLiteralNode(membersOf(group))),
  );
}
