import { createHash } from "node:crypto";
import { type AstNode, placeOf, walk } from "./ast.ts";
import type { Sources } from "./compiler.ts";
import type { Edit, Scope } from "./rules/rule.ts";
import { type RuleName, ruleNames, rules } from "./rules/rules.ts";

/** A single fault in one source. */
export interface Mutant {
  /** Eight hexadecimal digits of what the fault is and where, whatever stands around it. */
  id: string;
  rule: RuleName;
  /** Name of the source as the compiler knows it. */
  source: string;
  /** Contract and function (or variable) that it is in, e.g. `IdScan.collect`. */
  member: string;
  line: number;
  /** Place in the bytes of the source. */
  start: number;
  length: number;
  original: string;
  replacement: string;
}

/** Sources and the trees of at least those. */
interface Parsed {
  sources: Sources;
  trees: Record<string, AstNode>;
}

/** Every fault that the rules find in some of the sources, in the order of their text. */
export function generateMutants(names: string[], parsed: Parsed): Mutant[] {
  const declarations = indexDeclarations(parsed.trees);
  return names.flatMap((source) => generateIn(source, parsed, declarations));
}

function generateIn(source: string, { sources, trees }: Parsed, declarations: Map<number, AstNode>) {
  const tree = trees[source];
  const bytes = Buffer.from(sources[source] ?? "");
  if (!tree) throw new Error(`${source} has not been parsed`);
  const mutants: Mutant[] = [];
  const identify = createIdentifier();
  walk(tree, (node, ancestors) => {
    if (ancestors.some(isType)) return;
    const scope = createScope(bytes, declarations, ancestors);
    for (const rule of ruleNames) {
      const edits = rules[rule].flatMap((make) => make(node, scope));
      for (const edit of edits) {
        const mutant = describe({ source, bytes, rule, edit, member: memberOf([...ancestors, node]) });
        mutants.push({ id: identify(mutant), ...mutant });
      }
    }
  });
  return mutants.sort((a, b) => a.start - b.start || a.length - b.length);
}

/** The sources with the fault. */
export function applyMutant(sources: Sources, { source, start, length, replacement }: Mutant): Sources {
  const bytes = Buffer.from(sources[source] ?? "");
  const before = bytes.subarray(0, start);
  const after = bytes.subarray(start + length);
  return { ...sources, [source]: Buffer.concat([before, Buffer.from(replacement), after]).toString() };
}

/** Lengths in types and the like change what compiles and not what happens. */
function isType({ nodeType }: AstNode): boolean {
  return nodeType.endsWith("TypeName") || nodeType === "Mapping";
}

function createScope(
  bytes: Buffer,
  declarations: Map<number, AstNode>,
  ancestors: readonly AstNode[],
): Scope {
  const slice = (start: number, length: number) => bytes.toString("utf8", start, start + length);
  return {
    ancestors: [...ancestors],
    text(node) {
      const { start, length } = placeOf(node);
      return slice(start, length);
    },
    endsWithSemicolon(node) {
      const { start, length } = placeOf(node);
      return slice(start + length, 1) === ";";
    },
    declarationOf: ({ referencedDeclaration }) => declarations.get(Number(referencedDeclaration)),
  };
}

function indexDeclarations(trees: Record<string, AstNode>): Map<number, AstNode> {
  const declarations = new Map<number, AstNode>();
  for (const tree of Object.values(trees)) {
    walk(tree, (node) => {
      if (node.nodeType === "FunctionDefinition") declarations.set(Number(node.id), node);
    });
  }
  return declarations;
}

const memberTypes = new Set(["FunctionDefinition", "VariableDeclaration", "ModifierDefinition"]);

function memberOf(path: AstNode[]): string {
  const contract = path.find(({ nodeType }) => nodeType === "ContractDefinition");
  const member = path.find(({ nodeType }) => memberTypes.has(nodeType));
  const names = [contract?.name, member && (member.name || member.kind)];
  return names.filter((name) => name !== undefined).join(".");
}

interface Finding {
  source: string;
  bytes: Buffer;
  rule: RuleName;
  edit: Edit;
  member: string;
}

function describe({ source, bytes, rule, edit, member }: Finding): Omit<Mutant, "id"> {
  const { start, length, replacement } = edit;
  const original = bytes.toString("utf8", start, start + length);
  const line = bytes.toString("utf8", 0, start).split("\n").length;
  return { rule, source, member, line, start, length, original, replacement };
}

/** The n-th of the same faults in a function has n in its id. */
function createIdentifier() {
  const occurrences = new Map<string, number>();
  return ({ source, member, rule, original, replacement }: Omit<Mutant, "id">) => {
    const fault = JSON.stringify([source, member, rule, original, replacement]);
    const occurrence = occurrences.get(fault) ?? 0;
    occurrences.set(fault, occurrence + 1);
    return createHash("sha256").update(`${fault}${occurrence}`).digest("hex").slice(0, 8);
  };
}
