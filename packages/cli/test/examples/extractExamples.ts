import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Public function and the code of its `@example`. */
export type Example = { name: string; code: string | undefined };

type EntryPoint = { specifier: string; names: readonly string[] };

const packages = fileURLToPath(new URL("../../../", import.meta.url));

const entryPoints: Record<string, string> = {
  "@app-registry/sdk": "sdk/src/index.ts",
  "@app-registry/sdk/ethers": "sdk/src/ethers/index.ts",
  "@app-registry/outbound": "outbound/src/index.ts",
  "@app-registry/outbound/fill": "outbound/src/fill.ts",
  "@app-registry/issuer": "issuer/src/index.ts",
};

/** Modules of the client's methods, which are functions with a context parameter. */
const clientModules = ["reads.ts", "writes.ts", "waiters.ts"].map((path) => `sdk/src/client/${path}`);

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${packages}cli/tsconfig.json`, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, `${packages}cli`).options;
}

/** Reads all public functions of the packages with their `@example`, and the exports of each entry point. */
export function extractExamples(): { examples: Example[]; entries: EntryPoint[] } {
  const files = [...Object.values(entryPoints), ...clientModules].map((path) => packages + path);
  const program = ts.createProgram(files, compilerOptions());
  const checker = program.getTypeChecker();
  const listExports = (path: string): ts.Symbol[] => {
    const source = program.getSourceFile(packages + path);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${path} is no module.`);
    return checker.getExportsOfModule(module).map((symbol) => resolve(checker, symbol));
  };
  const entries = Object.entries(entryPoints).map(([specifier, path]) => ({
    specifier,
    names: listExports(path).map(({ name }) => name),
  }));
  const symbols = [...Object.values(entryPoints), ...clientModules].flatMap(listExports);
  const functions = [...new Set(symbols)].filter((symbol) => isFunction(checker, symbol));
  const examples = functions.map((symbol) => ({ name: symbol.name, code: getExample(checker, symbol) }));
  return { examples, entries };
}

const resolve = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

function isFunction(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  const declaration = symbol.valueDeclaration;
  if (!declaration || ts.isClassDeclaration(declaration)) return false;
  return checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0;
}

function getExample(checker: ts.TypeChecker, symbol: ts.Symbol): string | undefined {
  const tag = symbol.getJsDocTags(checker).find(({ name }) => name === "example");
  return tag && ts.displayPartsToString(tag.text);
}
