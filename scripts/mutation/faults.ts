import { createHash } from "node:crypto";

/** A node of solc's syntax tree; `src` is `start:length:file` in bytes. */
export type Node = { nodeType: string; src: string; [property: string]: unknown };
type Place = { start: number; length: number };

/** One fault in one source; its id is eight hexadecimal digits of what it is and in which function. */
export interface Fault extends Place {
  id: string;
  rule: string;
  /** The compiler's name of the source, `project/contracts/…`. */
  source: string;
  /** Contract and function, as in `IdScan.collect`. */
  member: string;
  line: number;
  original: string;
  replacement: string;
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

/** What means another thing when its operands are exchanged. */
const ORDERED = /^(sub|div|mod|s?lt|s?gt|-|\/|%|\*\*|<<|>>|[<>]=?)$/;

const dropRules = { EmitStatement: "event", YulAssignment: "assignment", YulExpressionStatement: "call" };

const isNode = (value: unknown): value is Node => Object(value).nodeType !== undefined;
export const nodesIn = (value: unknown): Node[] => [value].flat().filter(isNode);
const child = (node: Node, property: string) => nodesIn(node[property])[0] as Node;

function walk(node: Node, visit: (node: Node, ancestors: Node[]) => void, ancestors: Node[] = []): void {
  visit(node, ancestors);
  for (const inner of Object.values(node).flatMap(nodesIn)) walk(inner, visit, [...ancestors, node]);
}

const placeOf = ({ src }: Node): Place => {
  const [start = 0, length = 0] = src.split(":").map(Number);
  return { start, length };
};

const typeOf = (node: Node) => (node.typeDescriptions as { typeString?: string } | undefined)?.typeString;
const yulName = (node: Node) =>
  node.nodeType === "YulFunctionCall" ? String((node.functionName as Node).name) : "";
const isStep = ({ operator }: Node) => operator === "++" || operator === "--";
const isEquality = ({ operator }: Node) => operator === "==" || operator === "!=";
const isLiteral = ({ nodeType }: Node) => nodeType === "Literal" || nodeType === "YulLiteral";

/** The operand that says how far a shift goes. */
function distanceOf(node: Node): Node | undefined {
  const isShift = /^(<<|>>)=?$/.test(String(node.operator));
  if (isShift) return nodesIn([node.rightExpression, node.rightHandSide])[0];
  return /^(shl|shr|sar)$/.test(yulName(node)) ? nodesIn(node.arguments)[0] : undefined;
}

/** The numbers beside a literal. Hexadecimal ones keep their digits, which may give them their type. */
function besideLiteral({ value: text, subdenomination: unit }: Node): string[] {
  const digits = String(text).replaceAll("_", "");
  if (!/^(0x[0-9a-f]+|[0-9]+)$/i.test(digits)) return [];
  const value = BigInt(digits);
  return (value === 0n ? [1n] : [value + 1n, value - 1n]).map((number) => {
    if (unit) return `(${digits} ${unit} ${number > value ? "+" : "-"} 1)`;
    const hexadecimal = `0x${number.toString(16).padStart(digits.length - 2, "0")}`;
    return digits.startsWith("0x") ? hexadecimal : String(number);
  });
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

  type Edit = [rule: string, place: Node | Place, replacement: string];

  /** An empty block may stand for any statement but the step of a loop. */
  function drop(rule: string, statement: Node, parent: Node | undefined): Edit {
    const { start, length } = placeOf(statement);
    if (parent?.loopExpression === statement) return [rule, statement, ""];
    return [rule, { start, length: length + (slice(start + length, 1) === ";" ? 1 : 0) }, "{}"];
  }

  /** An operation with another operator, or with its operands exchanged; a function of assembly is one too. */
  function* operationsOf(node: Node, parent: Node | undefined): Generator<Edit> {
    const isAssignment = node.nodeType === "Assignment";
    if (node.nodeType === "UnaryOperation" && !isStep(node) && node.operator !== "~") return;
    const yul = yulName(node);
    const operator = yul || String(node.operator).slice(0, isAssignment ? -1 : 9);
    const { subExpression, leftExpression, rightExpression, leftHandSide, rightHandSide } = node;
    const sides = [subExpression, leftExpression, rightExpression, leftHandSide, rightHandSide];
    const operands = nodesIn(yul ? node.arguments : sides);
    const write = (to: string, [left, right] = operands.map(isAssignment || yul ? textOf : operand)) => {
      if (yul) return `${to}(${left}, ${right})`;
      if (isAssignment) return `${left} ${to}= ${right}`;
      if (isStep(node)) return node.prefix ? `${to}${left}` : `${left}${to}`;
      const isOperand = /^(Binary|Unary)Operation$/.test(parent?.nodeType ?? "");
      return isOperand ? `(${left} ${to} ${right})` : `${left} ${to} ${right}`;
    };
    for (const [rule, { [operator]: found }] of Object.entries(exchanges)) {
      if (found) yield yul ? [rule, child(node, "functionName"), found] : [rule, node, write(found)];
    }
    const [first, second] = operands;
    if (first && /^(~|not)$/.test(operator)) yield ["bitwise operator", node, operand(first)];
    if (first && second && !isAssignment && ORDERED.test(operator) && textOf(first) !== textOf(second)) {
      yield ["swapped operands", node, write(operator, [second, first].map(yul ? textOf : operand))];
    }
  }

  /** Neighbouring arguments of the same type change places. */
  function* swapsOf(node: Node): Generator<Edit> {
    if (node.nodeType !== "FunctionCall" || node.kind === "typeConversion") return;
    const list = (node.names as unknown[]).length > 0 ? [] : nodesIn(node.arguments);
    for (const [index, second] of list.slice(1).entries()) {
      const first = list[index] as Node;
      if (typeOf(first) !== typeOf(second) || textOf(first) === textOf(second)) continue;
      const [{ start }, last] = [placeOf(first), placeOf(second)];
      const place = { start, length: last.start + last.length - start };
      yield ["swapped arguments", place, `${textOf(second)}, ${textOf(first)}`];
    }
  }

  function* editsOf(node: Node, parent: Node | undefined): Generator<Edit> {
    yield* operationsOf(node, parent);
    yield* swapsOf(node);
    const [inner] = nodesIn(node.subExpression);
    const distance = distanceOf(node);
    if (distance && (isLiteral(distance) || !yulName(node))) {
      const sums = ["+", "-"].map((sign) => `(${textOf(distance)} ${sign} 1)`);
      for (const text of isLiteral(distance) ? besideLiteral(distance) : sums) {
        yield ["shift distance", distance, text];
      }
    }
    if (isLiteral(node) && node.kind === "number" && !(parent && distanceOf(parent) === node)) {
      for (const text of besideLiteral(node)) yield ["constant", node, text];
    }
    if (node.nodeType === "Literal" && node.kind === "bool") {
      yield ["boolean value", node, node.value === "true" ? "false" : "true"];
    }
    const [returned] = node.nodeType === "Return" ? nodesIn(node.expression) : [];
    if (returned && typeOf(returned) === "bool" && !isLiteral(returned) && !isEquality(returned)) {
      yield ["boolean value", returned, negation(returned)];
    }
    const [condition] = nodesIn(node.condition);
    if (condition && !isEquality(condition)) yield ["negated condition", condition, negation(condition)];
    const dropped = dropRule(node);
    if (dropped) yield drop(`dropped ${dropped}`, node, parent);
    else if (node.nodeType === "IfStatement" && condition) yield ["dropped branch", condition, "false"];
    if (inner && isStep(node) && parent?.nodeType !== "ExpressionStatement") {
      yield ["dropped increment", node, textOf(inner)];
    }
    if (node.kind === "modifierInvocation") yield ["dropped modifier", node, ""];
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
    for (const [rule, at, replacement] of editsOf(node, ancestors.at(-1))) {
      const { start, length } = "src" in at ? placeOf(at) : at;
      const original = slice(start, length);
      // The n-th of equal faults in a function has n in its id.
      const key = JSON.stringify([source, member, rule, original, replacement]);
      const occurrence = occurrences.get(key) ?? 0;
      occurrences.set(key, occurrence + 1);
      const id = createHash("sha256").update(`${key}${occurrence}`).digest("hex").slice(0, 8);
      const line = slice(0, start).split("\n").length;
      faults.push({ id, rule, source, member, line, original, start, length, replacement });
    }
  });
  return faults.sort((a, b) => a.start - b.start || a.length - b.length);
}
