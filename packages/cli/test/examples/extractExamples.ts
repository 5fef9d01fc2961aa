import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** Public function and the code of its `@example`. */
export type Example = { name: string; code: string | undefined };

type EntryPoint = { specifier: string; names: readonly string[] };

const packages = join(import.meta.dirname, "../../..");

const entryPoints: Record<string, string> = {
  "@app-registry/sdk": "sdk/src/index.ts",
  "@app-registry/sdk/ethers": "sdk/src/ethers/index.ts",
  "@app-registry/outbound": "outbound/src/index.ts",
  "@app-registry/outbound/fill": "outbound/src/fill.ts",
  "@app-registry/issuer": "issuer/src/index.ts",
};

/** Modules of the client's methods, which are functions with a context parameter. */
const clientModules = ["reads.ts", "writes.ts", "waiters.ts"].map((path) => `sdk/src/client/${path}`);

/** Declarations by exported name. An overloaded function has several. */
type Exports = Map<string, ts.Node[]>;

/**
 * Reads all public functions of the packages with their `@example`, and the exports of each entry point. The modules say
 * which exports are functions: a type checker would take ten times as long.
 */
export async function extractExamples(): Promise<{ examples: Example[]; entries: EntryPoint[] }> {
  const entries = Object.entries(entryPoints).map(([specifier, path]) => ({
    specifier,
    names: [...listExports(join(packages, path)).keys()],
  }));
  const examples = new Map<ts.Node | undefined, Example>();
  for (const path of [...Object.values(entryPoints), ...clientModules]) {
    const file = join(packages, path);
    const module: Record<string, unknown> = await import(/* @vite-ignore */ file);
    for (const [name, declarations] of listExports(file)) {
      const isFunction = typeof module[name] === "function" && !declarations.some(ts.isClassDeclaration);
      if (isFunction) examples.set(declarations[0], { name, code: getExample(declarations) });
    }
  }
  return { examples: [...examples.values()], entries };
}

const read = new Map<string, Exports>();

function listExports(file: string): Exports {
  const exports = read.get(file) ?? readExports(file);
  read.set(file, exports);
  return exports;
}

function readExports(file: string): Exports {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: Exports = new Map();
  const add = (name: string, ...declarations: ts.Node[]) =>
    found.set(name, [...(found.get(name) ?? []), ...declarations]);
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier))
        throw new Error(`${file} exports a local name`);
      const exported = listExports(join(dirname(file), moduleSpecifier.text));
      if (!exportClause) for (const [name, declarations] of exported) add(name, ...declarations);
      else if (ts.isNamedExports(exportClause))
        for (const { name, propertyName = name } of exportClause.elements)
          add(name.text, ...(exported.get(propertyName.text) ?? []));
    } else if (ts.canHaveModifiers(statement) && isExported(statement)) {
      if (ts.isVariableStatement(statement))
        for (const { name } of statement.declarationList.declarations) add(name.getText(), statement);
      else if ("name" in statement) add((statement.name as ts.Identifier).text, statement);
    }
  }
  return found;
}

const isExported = (node: ts.HasModifiers) =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function getExample(declarations: readonly ts.Node[]): string | undefined {
  const tag = declarations.flatMap(ts.getJSDocTags).find(({ tagName }) => tagName.text === "example");
  return tag && ts.getTextOfJSDocComment(tag.comment);
}
