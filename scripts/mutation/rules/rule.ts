import { type AstNode, placeOf } from "../ast.ts";

/** A replacement of some bytes of a source. */
export interface Edit {
  start: number;
  length: number;
  replacement: string;
}

/** What a rule may ask about the node that it is shown. */
export interface Scope {
  /** The node's parents, the nearest last. */
  ancestors: readonly AstNode[];
  /** The source text of a node. */
  text(node: AstNode): string;
  /** Whether a semicolon follows a node, which the tree does not count to its statement. */
  endsWithSemicolon(node: AstNode): boolean;
  /** What an identifier, a member access or the callee of a call refers to. */
  declarationOf(node: AstNode): AstNode | undefined;
}

/** Makes the faults of one kind that a node has place for: none for most nodes. */
export type Rule = (node: AstNode, scope: Scope) => Edit[];

export function replace(node: AstNode, replacement: string): Edit {
  return { ...placeOf(node), replacement };
}

/** Leaves a statement out. An empty block stands wherever a statement may, and nothing where a loop takes its step. */
export function drop(statement: AstNode, { ancestors, endsWithSemicolon }: Scope): Edit {
  const parent = ancestors.at(-1);
  const isLoopStep = parent?.nodeType === "ForStatement" && parent.loopExpression === statement;
  if (isLoopStep) return replace(statement, "");
  const { start, length } = placeOf(statement);
  return { start, length: length + (endsWithSemicolon(statement) ? 1 : 0), replacement: "{}" };
}

const compound = new Set(["BinaryOperation", "Conditional", "Assignment"]);

/** Text of an operand that binds as before beside any operator. */
export function operand(node: AstNode, { text }: Scope): string {
  return compound.has(node.nodeType) ? `(${text(node)})` : text(node);
}

/** The operation `left operator right` in the place of `node`, and bound as `node` was. */
export function operation(node: AstNode, left: string, operator: string, right: string, scope: Scope): Edit {
  const parent = scope.ancestors.at(-1)?.nodeType ?? "";
  const isOperand = parent === "BinaryOperation" || parent === "UnaryOperation";
  const text = `${left} ${operator} ${right}`;
  return replace(node, isOperand ? `(${text})` : text);
}
