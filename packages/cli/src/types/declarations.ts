// Completes the declarations of openapi-typescript: defaults and callbacks.
import { tsPropertyIndex } from 'openapi-typescript';
import ts from 'typescript';
import { type Callback, DEFAULTS, SYNTHETIC_PATH } from './document.ts';

/** The type of stubwright that names the properties with a default. */
export const DEFAULTS_TYPE = 'Defaults';

const { factory } = ts;

/**
 * Replaces each property DEFAULTS by an intersection with DEFAULTS_TYPE, and moves the callbacks from
 * `paths` to `callbacks`, by operationId, name and runtime expression.
 */
export function typedDeclarations(
  declarations: readonly ts.Node[],
  callbacks: readonly Callback[],
): ts.Node[] {
  const marked = declarations.map(withDefaults);
  const paths = marked.find(
    (each) => ts.isInterfaceDeclaration(each) && each.name.text === 'paths',
  );
  if (paths === undefined) return marked;
  const { members } = paths as ts.InterfaceDeclaration;
  const isSynthetic = (member: ts.TypeElement) =>
    nameOf(member)?.startsWith(SYNTHETIC_PATH) === true;
  if (!members.some(isSynthetic)) return marked;
  const own = interfaceOf(
    'paths',
    members.filter((member) => !isSynthetic(member)),
  );
  const others = marked.map((each) => (each === paths ? own : each));
  if (callbacks.length === 0) return others;
  return [...others, interfaceOf('callbacks', callbackMembers(callbacks, members))];
}

function withDefaults(node: ts.Node): ts.Node {
  const visited = ts.visitEachChild(node, withDefaults, undefined);
  if (!ts.isTypeLiteralNode(visited)) return visited;
  const defaults = visited.members.find((member) => nameOf(member) === DEFAULTS);
  if (defaults === undefined) return visited;
  const others = visited.members.filter((member) => member !== defaults);
  return factory.createIntersectionTypeNode([
    factory.createTypeLiteralNode(others),
    factory.createTypeReferenceNode(DEFAULTS_TYPE, [typeOf(defaults)]),
  ]);
}

function callbackMembers(
  callbacks: readonly Callback[],
  members: readonly ts.TypeElement[],
): ts.TypeElement[] {
  const typed = callbacks.map((each) => ({
    ...each,
    type: typeOf(members.find((member) => nameOf(member) === each.path)!),
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

function property(name: string, type: ts.TypeNode): ts.PropertySignature {
  return factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type);
}

function interfaceOf(name: string, members: readonly ts.TypeElement[]): ts.InterfaceDeclaration {
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  return factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, members);
}

function nameOf({ name }: ts.TypeElement): string | undefined {
  return name !== undefined && (ts.isStringLiteral(name) || ts.isIdentifier(name))
    ? name.text
    : undefined;
}

function typeOf(member: ts.TypeElement): ts.TypeNode {
  return (member as ts.PropertySignature).type!;
}
