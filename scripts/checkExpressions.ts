import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { analyse } from "scslre";
import ts from "typescript";

/** Files that no input from outside reaches. */
const EXCLUDED =
  /(^|\/)(bench|e2e|examples|screenshots|scripts|test|test-kit|tests)\/|\.test\.tsx?$|\.config\.\w+$/;

type Expression = { written: string; position: number };

function listExpressions(file: string, text: string): Expression[] {
  const found: Expression[] = [];
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.Unknown;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ written: node.text, position: node.end });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind));
  return found;
}

/** Returns true if a backtracking matcher may take more than linear time. */
function isSlow(written: string): boolean {
  const end = written.lastIndexOf("/");
  return analyse({ source: written.slice(1, end), flags: written.slice(end + 1) }).reports.length > 0;
}

/**
 * Checks that the regular expressions of the sources take linear time: a text that takes quadratic time blocks a process
 * for seconds. The checker of eslint-plugin-regexp finds quantifiers that compete for the same characters, and those that
 * start again at each of them; it doesn't compare alternatives, as in `(a|a)+`.
 */
let count = 0;
for (const file of execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0")) {
  if (!/\.(js|mjs|ts|tsx)$/.test(file) || EXCLUDED.test(file) || !existsSync(file)) continue;
  const text = readFileSync(file, "utf8");
  for (const { written, position } of listExpressions(file, text)) {
    if (!isSlow(written)) continue;
    count += 1;
    const line = text.slice(0, position).split("\n").length;
    console.log(`${file}:${line}: May take more than linear time: ${written}`);
  }
}
process.exit(count > 0 ? 1 : 0);
