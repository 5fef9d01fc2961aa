import ts from "typescript";
import { compilerOptions } from "./extractExamples.ts";

/** Returns the type errors of modules with file and line, or an empty string. */
export function typeErrors(files: readonly string[]): string {
  const options = { ...compilerOptions(), noUnusedLocals: false, noUnusedParameters: false };
  const program = ts.createProgram(files, options);
  const diagnostics = files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => import.meta.dirname,
    getNewLine: () => "\n",
  });
}
