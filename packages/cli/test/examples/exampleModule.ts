import ts from "typescript";

/** Example and the name of its function. */
type Snippet = { name: string; code: string };

type Names = { specifier: string; names: readonly string[] };

/** Surroundings of an example: the exports of the packages, and the names of the values in its scope. */
export type Surroundings = { entries: readonly Names[]; scopeNames: readonly string[] };

/**
 * Converts an example to a module with one function. Names that the example does not declare are imported from the
 * packages or taken from the function's scope parameter. A value in a comment after an expression, as in
 * `parseVersion("1.2.3"); // { major: 1, minor: 2, patch: 3 }`, becomes an expectation.
 */
export function toModule({ name: own, code }: Snippet, { entries, scopeNames }: Surroundings): string {
  const source = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true);
  const imports = source.statements.filter(ts.isImportDeclaration);
  const statements = source.statements.filter((statement) => !ts.isImportDeclaration(statement));
  const { used, declared } = namesIn(source);
  const free = [...used].filter((name) => !declared.has(name));
  const scope = free.filter((name) => name !== own && scopeNames.includes(name));
  const taken = new Set(scope);
  const header = entries.flatMap(({ specifier, names }) => {
    const wanted = free.filter((name) => names.includes(name) && !taken.has(name));
    for (const name of wanted) taken.add(name);
    return wanted.length > 0 ? [`import { ${wanted.join(", ")} } from "${specifier}";`] : [];
  });
  return [
    ...header,
    ...imports.map((statement) => statement.getText()),
    'import { expect } from "vitest";',
    'import type { ExampleScope } from "../scope.ts";',
    `export default async function example({ ${scope.join(", ")} }: ExampleScope): Promise<void> {`,
    ...statements.map((statement) => checked(statement, code)),
    "}",
    "export const expectation = expect;",
  ].join("\n");
}

/** Lists the identifiers of values and types that an example uses, and those that it declares. */
function namesIn(source: ts.SourceFile): { used: Set<string>; declared: Set<string> } {
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (isDeclaration(node)) declared.add(node.text);
      else if (!isPropertyName(node)) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { used, declared };
}

const isDeclaration = ({ parent, ...node }: ts.Identifier): boolean =>
  (ts.isVariableDeclaration(parent) && parent.name.pos === node.pos) ||
  (ts.isBindingElement(parent) && parent.name.pos === node.pos) ||
  (ts.isParameter(parent) && parent.name.pos === node.pos) ||
  ts.isImportSpecifier(parent) ||
  ts.isImportClause(parent);

const isPropertyName = ({ parent, ...node }: ts.Identifier): boolean =>
  (ts.isPropertyAccessExpression(parent) && parent.name.pos === node.pos) ||
  (ts.isPropertyAssignment(parent) && parent.name.pos === node.pos) ||
  (ts.isBindingElement(parent) && parent.propertyName?.pos === node.pos);

/** Returns a statement, or an expectation if a comment after it contains a value. */
function checked(statement: ts.Statement, code: string): string {
  const text = statement.getText();
  if (!ts.isExpressionStatement(statement)) return text;
  const promised = promisedValue(code, statement.end);
  return promised ? `expect(${statement.expression.getText()}).toEqual(${promised});` : text;
}

/** Returns the comment after a statement, on the same or the next line, if it is an expression. */
function promisedValue(code: string, end: number): string | undefined {
  const [comment] = [
    ...(ts.getTrailingCommentRanges(code, end) ?? []),
    ...(ts.getLeadingCommentRanges(code, end) ?? []),
  ];
  const text = comment && code.slice(comment.pos, comment.end).replace(/^\/\/\s*/, "");
  if (!text) return undefined;
  const { diagnostics } = ts.transpileModule(`(${text});`, { reportDiagnostics: true });
  return diagnostics?.length === 0 ? text : undefined;
}
