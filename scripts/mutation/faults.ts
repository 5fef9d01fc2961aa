import { createHash } from "node:crypto";

/** A node of solc's syntax tree; `src` is `start:length:file` in bytes. */
export type Node = { nodeType: string; src: string; [property: string]: unknown };
type Edit = { start: number; length: number; replacement: string };

/** One fault in one source; its id is eight hexadecimal digits of what it is and in which function. */
export interface Fault extends Edit {
  id: string;
  rule: string;
  /** The compiler's name of the source, `project/contracts/…`. */
  source: string;
  /** Contract and function, as in `IdScan.collect`. */
  member: string;
  line: number;
  original: string;
}

/** The text of a source with the fault, if it is in that source. */
export function insertFault(source: string, text: string, fault: Fault | null): string {
  if (source !== fault?.source) return text;
  const bytes = Buffer.from(text);
  return `${bytes.subarray(0, fault.start)}${fault.replacement}${bytes.subarray(fault.start + fault.length)}`;
}

/** What an operator or a function of assembly is exchanged for, by rule. */
const exchanges: Record<string, Record<string, string>> = {
  "comparison boundary": { "<": "<=", "<=": "<", ">": ">=", ">=": ">" },
  equality: { "==": "!=", "!=": "==" },
  "logical operator": { "&&": "||", "||": "&&" },
  "arithmetic operator": {
    ...{ "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "**": "*", "++": "--", "--": "++" },
    ...{ add: "sub", sub: "add", mul: "div", div: "mul" },
  },
  "bitwise operator": { "&": "|", "|": "&", "^": "|", and: "or", or: "and", xor: "or" },
};

const dropRules = { EmitStatement: "event", YulAssignment: "assignment", YulExpressionStatement: "call" };

const isNode = (value: unknown): value is Node => Object(value).nodeType !== undefined;
export const nodesIn = (value: unknown): Node[] => [value].flat().filter(isNode);
const child = (node: Node, property: string) => nodesIn(node[property])[0] as Node;

function walk(node: Node, visit: (node: Node, ancestors: Node[]) => void, ancestors: Node[] = []): void {
  visit(node, ancestors);
  for (const inner of Object.values(node).flatMap(nodesIn)) walk(inner, visit, [...ancestors, node]);
}

const placeOf = ({ src }: Node) => {
  const [start = 0, length = 0] = src.split(":").map(Number);
  return { start, length };
};
const replace = (node: Node, replacement: string): Edit => ({ ...placeOf(node), replacement });

const typeOf = (node: Node) => (node.typeDescriptions as { typeString?: string } | undefined)?.typeString;
const yulName = (node: Node) =>
  node.nodeType === "YulFunctionCall" ? String((node.functionName as Node).name) : "";
const isStep = ({ operator }: Node) => operator === "++" || operator === "--";
const isEquality = ({ operator }: Node) => operator === "==" || operator === "!=";
const isLiteral = ({ nodeType }: Node) => nodeType === "Literal" || nodeType === "YulLiteral";

/** The operand that says how far a shift goes. */
function distanceOf(node: Node | undefined): Node | undefined {
  if (node && /^(<<|>>)=?$/.test(String(node.operator))) {
    return nodesIn([node.rightExpression, node.rightHandSide])[0];
  }
  return node && /^(shl|shr|sar)$/.test(yulName(node)) ? nodesIn(node.arguments)[0] : undefined;
}

/** The numbers beside a literal. Hexadecimal ones keep their digits, which may give them their type. */
function besideLiteral(literal: Node): Edit[] {
  const digits = String(literal.value).replaceAll("_", "");
  if (!/^(0x[0-9a-f]+|[0-9]+)$/i.test(digits)) return [];
  const value = BigInt(digits);
  const write = (number: bigint) => {
    const { subdenomination: unit } = literal;
    if (unit) return `(${digits} ${unit} ${number > value ? "+" : "-"} 1)`;
    const hexadecimal = `0x${number.toString(16).padStart(digits.length - 2, "0")}`;
    return digits.startsWith("0x") ? hexadecimal : String(number);
  };
  const numbers = value === 0n ? [1n] : [value + 1n, value - 1n];
  return numbers.map((number) => replace(literal, write(number)));
}

/** Whether an `if` does nothing but revert. */
function isRefusal(node: Node): boolean {
  const body = child(node, "trueBody");
  const statements = body.nodeType === "Block" ? nodesIn(body.statements) : [body];
  return !node.falseBody && statements.length === 1 && statements[0]?.nodeType === "RevertStatement";
}

/** Finds every fault that the rules make in a source. */
export function findFaults(source: string, text: string, trees: Record<string, Node>): Fault[] {
  const bytes = Buffer.from(text);
  const slice = (start: number, length: number) => bytes.toString("utf8", start, start + length);
  const textOf = (node: Node) => slice(placeOf(node).start, placeOf(node).length);
  const operand = (node: Node) =>
    /^(BinaryOperation|Conditional|Assignment)$/.test(node.nodeType) ? `(${textOf(node)})` : textOf(node);
  const negation = (node: Node) =>
    node.operator === "!" ? textOf(child(node, "subExpression")) : `!${operand(node)}`;
  const functions = new Map<unknown, Node>();
  for (const tree of Object.values(trees)) {
    walk(tree, (node) => node.nodeType === "FunctionDefinition" && functions.set(node.id, node));
  }

  function operation(node: Node, parent: Node | undefined, operator: string, isSwapped = false): Edit {
    const sides = [child(node, "leftExpression"), child(node, "rightExpression")].map(operand);
    const [left, right] = isSwapped ? sides.reverse() : sides;
    const isOperand = /^(Binary|Unary)Operation$/.test(parent?.nodeType ?? "");
    return replace(node, isOperand ? `(${left} ${operator} ${right})` : `${left} ${operator} ${right}`);
  }

  function exchange(node: Node, parent: Node | undefined, to: Record<string, string>): Edit[] {
    const [first, second] = nodesIn([node.subExpression, node.leftHandSide, node.rightHandSide]).map(textOf);
    const isAssignment = node.nodeType === "Assignment";
    const found = to[yulName(node) || String(node.operator).slice(0, isAssignment ? -1 : 9)];
    if (!found) return [];
    if (yulName(node)) return [replace(child(node, "functionName"), found)];
    if (node.nodeType === "BinaryOperation") return [operation(node, parent, found)];
    if (isAssignment) return [replace(node, `${first} ${found}= ${second}`)];
    return isStep(node) ? [replace(node, node.prefix ? `${found}${first}` : `${first}${found}`)] : [];
  }

  /** The rule by which a statement is left out. */
  function dropRule(node: Node): string | undefined {
    if (node.nodeType === "IfStatement") return isRefusal(node) ? "check" : undefined;
    if (node.nodeType !== "ExpressionStatement") return (dropRules as Record<string, string>)[node.nodeType];
    const expression = child(node, "expression");
    if (expression.nodeType === "Assignment" || expression.operator === "delete") return "assignment";
    if (isStep(expression)) return "increment";
    if (expression.nodeType !== "FunctionCall") return undefined;
    // Only a revert can come of a call that writes nothing.
    const callee = child(expression, "expression");
    const mutability = String(functions.get(callee.referencedDeclaration)?.stateMutability);
    return /^(require|assert)$/.test(textOf(callee)) || /^(view|pure)$/.test(mutability) ? "check" : "call";
  }

  /** An empty block may stand for any statement but the step of a loop. */
  function drop(statement: Node, parent: Node | undefined): Edit {
    const { start, length } = placeOf(statement);
    if (parent?.loopExpression === statement) return { start, length, replacement: "" };
    return { start, length: length + (slice(start + length, 1) === ";" ? 1 : 0), replacement: "{}" };
  }

  function swapArguments(node: Node): Edit[] {
    if (node.nodeType !== "FunctionCall" || node.kind === "typeConversion") return [];
    const list = (node.names as unknown[]).length > 0 ? [] : nodesIn(node.arguments);
    return list.slice(1).flatMap((second, index) => {
      const first = list[index] as Node;
      if (typeOf(first) !== typeOf(second) || textOf(first) === textOf(second)) return [];
      const [{ start }, last] = [placeOf(first), placeOf(second)];
      const replacement = `${textOf(second)}, ${textOf(first)}`;
      return [{ start, length: last.start + last.length - start, replacement }];
    });
  }

  function* editsOf(node: Node, parent: Node | undefined): Generator<[rule: string, edits: Edit[]]> {
    for (const [rule, to] of Object.entries(exchanges)) yield [rule, exchange(node, parent, to)];
    const [inner] = nodesIn(node.subExpression);
    if (node.operator === "~" && inner) yield ["bitwise operator", [replace(node, operand(inner))]];
    const [argument, other] = nodesIn(node.arguments);
    if (yulName(node) === "not" && argument) yield ["bitwise operator", [replace(node, textOf(argument))]];

    const distance = distanceOf(node);
    if (distance && isLiteral(distance)) yield ["shift distance", besideLiteral(distance)];
    else if (distance && !yulName(node)) {
      const text = textOf(distance);
      yield ["shift distance", ["+", "-"].map((sign) => replace(distance, `(${text} ${sign} 1)`))];
    }
    const name = yulName(node) || (node.nodeType === "BinaryOperation" ? String(node.operator) : "");
    if (/^(sub|div|mod|s?lt|s?gt)$/.test(name) && argument && other) {
      yield ["swapped operands", [replace(node, `${name}(${textOf(other)}, ${textOf(argument)})`)]];
    } else if (/^(-|\/|%|\*\*|<<|>>|[<>]=?)$/.test(name)) {
      const [left, right] = [child(node, "leftExpression"), child(node, "rightExpression")].map(textOf);
      if (left !== right) yield ["swapped operands", [operation(node, parent, name, true)]];
    }
    yield ["swapped arguments", swapArguments(node)];
    if (isLiteral(node) && node.kind === "number" && distanceOf(parent) !== node) {
      yield ["constant", besideLiteral(node)];
    }
    if (node.nodeType === "Literal" && node.kind === "bool") {
      yield ["boolean value", [replace(node, node.value === "true" ? "false" : "true")]];
    }
    const [returned] = node.nodeType === "Return" ? nodesIn(node.expression) : [];
    if (returned && typeOf(returned) === "bool" && !isLiteral(returned) && !isEquality(returned)) {
      yield ["boolean value", [replace(returned, negation(returned))]];
    }
    const [condition] = nodesIn(node.condition);
    if (condition && !isEquality(condition)) {
      yield ["negated condition", [replace(condition, negation(condition))]];
    }
    const dropped = dropRule(node);
    if (dropped) yield [`dropped ${dropped}`, [drop(node, parent)]];
    else if (node.nodeType === "IfStatement" && condition) {
      yield ["dropped branch", [replace(condition, "false")]];
    }
    if (inner && isStep(node) && parent?.nodeType !== "ExpressionStatement") {
      yield ["dropped increment", [replace(node, textOf(inner))]];
    }
    if (node.kind === "modifierInvocation") yield ["dropped modifier", [replace(node, "")]];
  }

  const definitions = /^(Function|Modifier)Definition$|^VariableDeclaration$/;
  const faults: Fault[] = [];
  const occurrences = new Map<string, number>();
  walk(trees[source] as Node, (node, ancestors) => {
    // A length in a type changes what compiles, not what happens.
    if (ancestors.some(({ nodeType }) => /TypeName$|^Mapping$/.test(nodeType))) return;
    const path = [...ancestors, node];
    const contract = path.find(({ nodeType }) => nodeType === "ContractDefinition");
    const definition = path.find(({ nodeType }) => definitions.test(nodeType));
    const names = [contract?.name, definition && (definition.name || definition.kind)];
    const member = names.filter((name) => name !== undefined).join(".");
    for (const [rule, edits] of editsOf(node, ancestors.at(-1))) {
      for (const edit of edits) {
        const original = slice(edit.start, edit.length);
        // The n-th of equal faults in a function has n in its id.
        const key = JSON.stringify([source, member, rule, original, edit.replacement]);
        const occurrence = occurrences.get(key) ?? 0;
        occurrences.set(key, occurrence + 1);
        const id = createHash("sha256").update(`${key}${occurrence}`).digest("hex").slice(0, 8);
        const line = slice(0, edit.start).split("\n").length;
        faults.push({ id, rule, source, member, line, original, ...edit });
      }
    }
  });
  return faults.sort((a, b) => a.start - b.start || a.length - b.length);
}
