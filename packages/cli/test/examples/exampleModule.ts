import ts from "typescript";

/** Example and the name of its function. */
type Snippet = { name: string; code: string };

type Names = { specifier: string; names: readonly string[] };

/** Surroundings of an example: the exports of the packages, and the names of the values in its scope. */
export type Surroundings = { entries: readonly Names[]; scopeNames: readonly string[] };

/**
 * Converts an example to a module with one function. It can use all exports of the packages and the values of the
 * function's scope parameter, and redeclare them. A value in a comment after an expression, as in
 * `parseVersion("1.2.3"); // { major: 1, minor: 2, patch: 3 }`, becomes an expectation.
 */
export function toModule({ name: subject, code }: Snippet, { entries, scopeNames }: Surroundings): string {
  const { statements } = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true);
  const own = statements.filter(ts.isImportDeclaration);
  // Names that the example imports itself.
  const taken = new Set(own.flatMap((one) => one.importClause?.getText().match(/\w+/g) ?? []));
  const header = entries.map(({ specifier, names }) => {
    const wanted = names.filter((name) => !taken.has(name));
    for (const name of wanted) taken.add(name);
    return `import { ${wanted.join(", ")} } from "${specifier}";`;
  });
  return [
    ...header,
    ...own.map((one) => one.getText()),
    'import { expect } from "vitest";',
    'import type { ExampleScope } from "../scope.ts";',
    `export default async function example({ ${scopeNames.filter((name) => name !== subject).join(", ")} }: ExampleScope): Promise<void> {{`,
    ...statements.filter((one) => !ts.isImportDeclaration(one)).map((one) => checked(one, code)),
    "}}",
    "export const expectation = expect;",
  ].join("\n");
}

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
