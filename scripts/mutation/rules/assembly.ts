import { type AstNode, child, childrenIn, isNode } from "../ast.ts";
import { drop, type Rule, replace } from "./rule.ts";
import { neighbours } from "./values.ts";

/** The rules within assembly, whose syntax tree is another one. */

const arithmetic: Record<string, string> = { add: "sub", sub: "add", mul: "div", div: "mul" };
const bitwise: Record<string, string> = { and: "or", or: "and", xor: "or" };
const shifts = new Set(["shl", "shr", "sar"]);
const directed = new Set(["sub", "div", "mod", "lt", "gt", "slt", "sgt"]);

/** `add(a, b)` becomes `sub(a, b)`. */
export const assemblyArithmetic: Rule = (node) => exchangeFunction(node, arithmetic);

/** `and(a, b)` becomes `or(a, b)`, and `not(a)` becomes `a`. */
export const assemblyBitwise: Rule = (node, scope) => {
  const [only] = nameOf(node) === "not" ? childrenIn(node, "arguments") : [];
  return only ? [replace(node, scope.text(only))] : exchangeFunction(node, bitwise);
};

/** `sub(a, b)` becomes `sub(b, a)`. */
export const assemblySwappedOperands: Rule = (node, { text }) => {
  const [first, second] = directed.has(nameOf(node)) ? childrenIn(node, "arguments") : [];
  return first && second ? [replace(node, `${nameOf(node)}(${text(second)}, ${text(first)})`)] : [];
};

/** `shl(5, a)` becomes `shl(6, a)` and `shl(4, a)`. */
export const assemblyShiftDistance: Rule = (node) => {
  const [distance] = shifts.has(nameOf(node)) ? childrenIn(node, "arguments") : [];
  return distance?.nodeType === "YulLiteral" ? besideLiteral(distance) : [];
};

/** `7` becomes `8` and `6`, but for a distance of a shift. */
export const assemblyConstant: Rule = (node, { ancestors }) => {
  const parent = ancestors.at(-1);
  const isDistance =
    parent !== undefined && shifts.has(nameOf(parent)) && childrenIn(parent, "arguments")[0] === node;
  return node.nodeType === "YulLiteral" && node.kind === "number" && !isDistance ? besideLiteral(node) : [];
};

/** `a := b` goes. */
export const assemblyDroppedAssignment: Rule = (node, scope) =>
  node.nodeType === "YulAssignment" ? [drop(node, scope)] : [];

/** `mstore(a, b)` goes. */
export const assemblyDroppedCall: Rule = (node, scope) =>
  node.nodeType === "YulExpressionStatement" ? [drop(node, scope)] : [];

function nameOf(node: AstNode): string {
  if (node.nodeType !== "YulFunctionCall" || !isNode(node.functionName)) return "";
  return String(node.functionName.name);
}

function exchangeFunction(node: AstNode, exchanges: Record<string, string>) {
  const name = exchanges[nameOf(node)];
  return name === undefined ? [] : [replace(child(node, "functionName"), name)];
}

function besideLiteral(literal: AstNode) {
  return neighbours(String(literal.value)).map(({ text }) => replace(literal, text));
}
