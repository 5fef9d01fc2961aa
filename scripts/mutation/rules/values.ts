import { type AstNode, child, childrenIn, isNode, placeOf, typeOf } from "../ast.ts";
import { operand, type Rule, replace, type Scope } from "./rule.ts";

/** Rules that put another value in the place of one. */

/** `7` becomes `8` and `6`, but for a distance of a shift. */
export const constant: Rule = (node, { ancestors, text }) => {
  if (node.nodeType !== "Literal" || node.kind !== "number") return [];
  const parent = ancestors.at(-1);
  const isShift = /^(<<|>>)=?$/.test(String(parent?.operator));
  if (isShift && (parent?.rightExpression === node || parent?.rightHandSide === node)) return [];
  return neighbours(String(node.value)).map((value) =>
    replace(node, node.subdenomination ? `(${text(node)} ${value.sign} 1)` : value.text),
  );
};

/** `true` becomes `false`, and a returned condition its negation. */
export const booleanValue: Rule = (node, scope) => {
  if (node.nodeType === "Literal" && node.kind === "bool") {
    return [replace(node, node.value === "true" ? "false" : "true")];
  }
  if (node.nodeType !== "Return" || !isNode(node.expression)) return [];
  const value = child(node, "expression");
  // A literal has its own fault, and so has an equality.
  if (typeOf(value) !== "bool" || value.nodeType === "Literal" || isEquality(value)) return [];
  return [replace(value, negation(value, scope))];
};

/** `if (a)` becomes `if (!a)`. */
export const negatedCondition: Rule = (node, scope) => {
  if (!isNode(node.condition)) return [];
  const condition = child(node, "condition");
  return isEquality(condition) ? [] : [replace(condition, negation(condition, scope))];
};

/** `f(a, b)` becomes `f(b, a)` where a and b have the same type. */
export const swappedArguments: Rule = (node, { text }) => {
  const isCall = node.nodeType === "FunctionCall" && node.kind !== "typeConversion";
  if (!isCall || (node.names as unknown[]).length > 0) return [];
  const list = childrenIn(node, "arguments");
  return list.slice(1).flatMap((second, index) => {
    const first = list[index];
    if (!first || typeOf(first) !== typeOf(second) || text(first) === text(second)) return [];
    const { start } = placeOf(first);
    const last = placeOf(second);
    const length = last.start + last.length - start;
    return [{ start, length, replacement: `${text(second)}, ${text(first)}` }];
  });
};

/** The numbers beside one, written as it is: hexadecimal ones keep their digits, since those may be a type. */
export function neighbours(literal: string): { sign: "+" | "-"; text: string }[] {
  const digits = literal.replaceAll("_", "");
  if (!/^(0x[0-9a-f]+|[0-9]+)$/i.test(digits)) return [];
  const value = BigInt(digits);
  const write = (number: bigint) =>
    digits.startsWith("0x") ? `0x${number.toString(16).padStart(digits.length - 2, "0")}` : number.toString();
  const above = { sign: "+" as const, text: write(value + 1n) };
  return value === 0n ? [above] : [above, { sign: "-" as const, text: write(value - 1n) }];
}

function isEquality({ nodeType, operator }: AstNode): boolean {
  return nodeType === "BinaryOperation" && (operator === "==" || operator === "!=");
}

function negation(node: AstNode, scope: Scope): string {
  if (node.nodeType === "UnaryOperation" && node.operator === "!") {
    return scope.text(child(node, "subExpression"));
  }
  return `!${operand(node, scope)}`;
}
