import { type AstNode, child, childrenIn, isNode } from "../ast.ts";
import { drop, type Rule, replace, type Scope } from "./rule.ts";

/** Rules that leave a statement out. */

/**
 * `if (a) revert E();` goes, and so does a call of which only a revert can come: of a function that neither writes
 * nor returns, or of `require` and `assert`.
 */
export const droppedCheck: Rule = (node, scope) => {
  if (node.nodeType === "IfStatement") return isRefusal(node) ? [drop(node, scope)] : [];
  const call = statementOf(node, "FunctionCall");
  return call && isCheck(call, scope) ? [drop(node, scope)] : [];
};

/** `if (a) …` never takes its branch; where that is a revert, the fault is a dropped check. */
export const droppedBranch: Rule = (node) =>
  node.nodeType === "IfStatement" && !isRefusal(node) ? [replace(child(node, "condition"), "false")] : [];

/** `a = b;` and `delete a;` go. */
export const droppedAssignment: Rule = (node, scope) => {
  const isAssignment = statementOf(node, "Assignment") !== undefined;
  const isDelete = statementOf(node, "UnaryOperation")?.operator === "delete";
  return isAssignment || isDelete ? [drop(node, scope)] : [];
};

/** A call whose result nobody takes goes, unless it is a check. */
export const droppedCall: Rule = (node, scope) => {
  const call = statementOf(node, "FunctionCall");
  return call && !isCheck(call, scope) ? [drop(node, scope)] : [];
};

/** `++a;` goes, and `++a` within an expression becomes `a`. */
export const droppedIncrement: Rule = (node, scope) => {
  const isStep = (unary: AstNode | undefined) => unary?.operator === "++" || unary?.operator === "--";
  if (isStep(statementOf(node, "UnaryOperation"))) return [drop(node, scope)];
  const isStatement = scope.ancestors.at(-1)?.nodeType === "ExpressionStatement";
  if (node.nodeType !== "UnaryOperation" || !isStep(node) || isStatement) return [];
  return [replace(node, scope.text(child(node, "subExpression")))];
};

/** `emit E(a);` goes. */
export const droppedEvent: Rule = (node, scope) =>
  node.nodeType === "EmitStatement" ? [drop(node, scope)] : [];

/** A function loses a modifier. */
export const droppedModifier: Rule = (node) =>
  node.nodeType === "ModifierInvocation" && node.kind === "modifierInvocation" ? [replace(node, "")] : [];

/** The expression of a statement, when it is of a kind. */
function statementOf(node: AstNode, nodeType: string): AstNode | undefined {
  if (node.nodeType !== "ExpressionStatement") return undefined;
  const expression = child(node, "expression");
  return expression.nodeType === nodeType ? expression : undefined;
}

function isRefusal(node: AstNode): boolean {
  if (isNode(node.falseBody)) return false;
  const body = child(node, "trueBody");
  const statements = body.nodeType === "Block" ? childrenIn(body, "statements") : [body];
  return statements.length === 1 && statements[0]?.nodeType === "RevertStatement";
}

function isCheck(call: AstNode, { declarationOf, text }: Scope): boolean {
  const callee = child(call, "expression");
  if (callee.nodeType === "Identifier" && ["require", "assert"].includes(text(callee))) return true;
  const declaration = declarationOf(callee);
  if (declaration?.nodeType !== "FunctionDefinition") return false;
  return declaration.stateMutability === "view" || declaration.stateMutability === "pure";
}
