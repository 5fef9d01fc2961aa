import { type AstNode, child } from "../ast.ts";
import { type Edit, operand, operation, type Rule, replace, type Scope } from "./rule.ts";
import { neighbours } from "./values.ts";

/** Rules that put another operator in the place of a binary one, an assignment's or a unary one. */

const boundaries: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const equalities: Record<string, string> = { "==": "!=", "!=": "==" };
const arithmetic: Record<string, string> = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "**": "*" };
const bitwise: Record<string, string> = { "&": "|", "|": "&", "^": "|" };
const logical: Record<string, string> = { "&&": "||", "||": "&&" };
const shifts = new Set(["<<", ">>"]);
const directed = new Set(["-", "/", "%", "**", "<<", ">>", "<", "<=", ">", ">="]);

/** `a < b` becomes `a <= b`. */
export const comparisonBoundary: Rule = (node, scope) => exchangeOperator(node, boundaries, scope);

/** `a == b` becomes `a != b`. */
export const equality: Rule = (node, scope) => exchangeOperator(node, equalities, scope);

/** `a && b` becomes `a || b`. */
export const logicalOperator: Rule = (node, scope) => exchangeOperator(node, logical, scope);

/** `a + b` becomes `a - b`, `a += b` becomes `a -= b`, and `++a` becomes `--a`. */
export const arithmeticOperator: Rule = (node, scope) => {
  if (node.nodeType === "UnaryOperation" && (node.operator === "++" || node.operator === "--")) {
    const operator = node.operator === "++" ? "--" : "++";
    const text = scope.text(child(node, "subExpression"));
    return [replace(node, node.prefix ? `${operator}${text}` : `${text}${operator}`)];
  }
  return [...exchangeOperator(node, arithmetic, scope), ...exchangeAssignment(node, arithmetic, scope)];
};

/** `a & b` becomes `a | b`, `a |= b` becomes `a &= b`, and `~a` becomes `a`. */
export const bitwiseOperator: Rule = (node, scope) => {
  if (node.nodeType === "UnaryOperation" && node.operator === "~") {
    return [replace(node, operand(child(node, "subExpression"), scope))];
  }
  return [...exchangeOperator(node, bitwise, scope), ...exchangeAssignment(node, bitwise, scope)];
};

/** `a << 8` becomes `a << 9` and `a << 7`. */
export const shiftDistance: Rule = (node, scope) => {
  const isShift =
    (node.nodeType === "BinaryOperation" && shifts.has(String(node.operator))) ||
    (node.nodeType === "Assignment" && shifts.has(String(node.operator).slice(0, -1)));
  if (!isShift) return [];
  const distance = child(node, node.nodeType === "Assignment" ? "rightHandSide" : "rightExpression");
  if (distance.nodeType === "Literal") {
    return neighbours(String(distance.value)).map((value) => replace(distance, value.text));
  }
  return ["+", "-"].map((sign) => replace(distance, `(${scope.text(distance)} ${sign} 1)`));
};

/** `a - b` becomes `b - a`; so does every operator whose operands are not alike. */
export const swappedOperands: Rule = (node, scope) => {
  if (node.nodeType !== "BinaryOperation" || !directed.has(String(node.operator))) return [];
  const left = child(node, "leftExpression");
  const right = child(node, "rightExpression");
  if (scope.text(left) === scope.text(right)) return [];
  return [operation(node, operand(right, scope), String(node.operator), operand(left, scope), scope)];
};

function exchangeOperator(node: AstNode, exchanges: Record<string, string>, scope: Scope): Edit[] {
  if (node.nodeType !== "BinaryOperation") return [];
  const operator = exchanges[String(node.operator)];
  if (operator === undefined) return [];
  const left = operand(child(node, "leftExpression"), scope);
  const right = operand(child(node, "rightExpression"), scope);
  return [operation(node, left, operator, right, scope)];
}

function exchangeAssignment(node: AstNode, exchanges: Record<string, string>, { text }: Scope): Edit[] {
  if (node.nodeType !== "Assignment" || node.operator === "=") return [];
  const operator = exchanges[String(node.operator).slice(0, -1)];
  if (operator === undefined) return [];
  return [
    replace(node, `${text(child(node, "leftHandSide"))} ${operator}= ${text(child(node, "rightHandSide"))}`),
  ];
}
