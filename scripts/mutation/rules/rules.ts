import * as assembly from "./assembly.ts";
import * as operators from "./operators.ts";
import type { Rule } from "./rule.ts";
import * as statements from "./statements.ts";
import * as values from "./values.ts";

/** Every kind of fault, by the name under which reports count it. */
export const rules = {
  "comparison boundary": [operators.comparisonBoundary],
  equality: [operators.equality],
  "logical operator": [operators.logicalOperator],
  "arithmetic operator": [operators.arithmeticOperator, assembly.assemblyArithmetic],
  "bitwise operator": [operators.bitwiseOperator, assembly.assemblyBitwise],
  "shift distance": [operators.shiftDistance, assembly.assemblyShiftDistance],
  "swapped operands": [operators.swappedOperands, assembly.assemblySwappedOperands],
  "swapped arguments": [values.swappedArguments],
  constant: [values.constant, assembly.assemblyConstant],
  "boolean value": [values.booleanValue],
  "negated condition": [values.negatedCondition],
  "dropped check": [statements.droppedCheck],
  "dropped branch": [statements.droppedBranch],
  "dropped assignment": [statements.droppedAssignment, assembly.assemblyDroppedAssignment],
  "dropped call": [statements.droppedCall, assembly.assemblyDroppedCall],
  "dropped increment": [statements.droppedIncrement],
  "dropped event": [statements.droppedEvent],
  "dropped modifier": [statements.droppedModifier],
} satisfies Record<string, Rule[]>;

export type RuleName = keyof typeof rules;

export const ruleNames = Object.keys(rules) as RuleName[];
