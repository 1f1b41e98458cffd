// Reads and creates members of object types.
import { tsPropertyIndex } from 'openapi-typescript';
import ts from 'typescript';

const { factory } = ts;

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

export function membersIn(
  members: readonly ts.TypeElement[],
  name: string,
): readonly ts.TypeElement[] {
  const found = members.find((member) => memberName(member) === name);
  const type = found && memberType(found);
  return type !== undefined && ts.isTypeLiteralNode(type) ? type.members : [];
}
