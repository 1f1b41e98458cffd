// The small faults that can be put into a source: one replacement of characters each.
import ts from 'typescript';

export interface Mutant {
  /** Path of the source, from the root of the repository. */
  readonly file: string;
  /** Offsets of the replaced characters, end excluded. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** 1-based. */
  readonly line: number;
  /** The start of the changed expression: an operator applies also when its right operand is skipped. */
  readonly expression: number;
}

const OPPOSITES: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.QuestionQuestionToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
};

const OTHER_METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  find: 'findLast',
  indexOf: 'lastIndexOf',
};

/** @returns all mutants of a source, in the order of their locations */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const replace = (node: ts.Node, replacement: string) => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const changed = ts.isBinaryExpression(node.parent)
      ? operatorExpression(node, node.parent)
      : node;
    const expression = changed.getStart(source);
    found.push({ file, start, end: node.getEnd(), replacement, line, expression });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (isUnobservable(node)) return;
    mutate(node, source, replace);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function operatorExpression(node: ts.Node, parent: ts.BinaryExpression): ts.Node {
  return parent.operatorToken === node ? parent : node;
}

function mutate(
  node: ts.Node,
  source: ts.SourceFile,
  replace: (node: ts.Node, replacement: string) => void,
): void {
  const negate = (condition: ts.Expression) =>
    replace(condition, `!(${condition.getText(source)})`);
  if (ts.isIfStatement(node)) negate(node.expression);
  else if (ts.isConditionalExpression(node)) negate(node.condition);
  else if (ts.isBinaryExpression(node)) {
    const opposite = OPPOSITES[node.operatorToken.kind];
    // A sum of strings has no difference.
    const ofText = [node.left, node.right].some(isText);
    if (opposite !== undefined && !ofText) replace(node.operatorToken, opposite);
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true');
  else if (ts.isNumericLiteral(node)) replace(node, `(${node.getText(source)} + 1)`);
  else if (ts.isStringLiteral(node) && !isName(node)) {
    replace(node, node.text === '' ? "'mutated'" : "''");
  } else if (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)) {
    replace(node, ';');
  } else if (ts.isReturnStatement(node) && returnsValue(node)) {
    replace(node, 'return undefined as never;');
  } else if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) {
    // The element and its comma.
    for (const [index, element] of node.elements.entries()) {
      const others = node.elements.filter((_, other) => other !== index);
      if (isConstant(element)) replace(node, `[${others.map((each) => each.getText(source))}]`);
    }
  } else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
    const other = Object.hasOwn(OTHER_METHODS, node.name.text) && OTHER_METHODS[node.name.text];
    if (other) replace(node.name, other);
  }
}

/** Log texts, durations, caches and timers that keep no process alive: no test should depend on them. */
function isUnobservable(node: ts.Node): boolean {
  if (ts.isCallExpression(node))
    return /\blog(ger)?\??\.\w+$|\.unref$/.test(node.expression.getText());
  if (ts.isExpressionStatement(node)) {
    return isCaching(node.expression) || isUnobservable(node.expression);
  }
  if (ts.isNumericLiteral(node)) return /(_MS|Ms)\b/.test(statementStart(node));
  return false;
}

function isCaching(node: ts.Expression): boolean {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionEqualsToken
  );
}

/** The name of the constant, property or parameter that a number initializes. */
function statementStart(node: ts.Node): string {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return statementStart(parent);
  const named = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return named || ts.isParameter(parent) || ts.isBindingElement(parent)
    ? parent.name.getText()
    : '';
}

/** Falsy values other than 0, and calls of a function that returns nothing, are the same without the statement. */
function returnsValue(node: ts.ReturnStatement): boolean {
  const { expression } = node;
  if (expression === undefined || expression.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isIdentifier(expression) && expression.text === 'undefined') return false;
  const type = ts.findAncestor(node, ts.isFunctionLike)?.type?.getText() ?? '';
  return !/^(void|undefined|Promise<(void|undefined)>)$/.test(type);
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function isConstant(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) || ts.isNumericLiteral(node) || ts.isArrayLiteralExpression(node)
  );
}

/** A string that names a property or a module: its change is an error of the compiler. */
function isName({ parent }: ts.Node): boolean {
  return ts.isPropertyAssignment(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isModuleDeclaration(parent)
    ? false
    : ts.isLiteralTypeNode(parent) || ts.isImportSpecifier(parent);
}
