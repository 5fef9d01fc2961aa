import { createRequire } from "node:module";
import type { AstNode } from "./ast.ts";

/** Text of each source by the name that the compiler knows it by. */
export type Sources = Record<string, string>;

/** What is compiled: the sources, and how their imports are found. */
export interface Project {
  sources: Sources;
  remappings: string[];
}

export interface Target {
  source: string;
  name: string;
}

/**
 * `legacy` takes a second for a contract, `ir` five: it is for those whose functions have more variables than the
 * legacy code generator finds places for on the stack.
 */
export type Pipeline = "legacy" | "ir";

export interface Bytecode {
  bytecode: string;
  deployedBytecode: string;
}

/** The sources do not compile. */
export class CompileError extends Error {
  readonly isStackTooDeep: boolean;

  constructor(messages: string[]) {
    super(messages.join("\n"));
    this.name = "CompileError";
    this.isStackTooDeep = messages.every((message) => /stack too deep/i.test(message));
  }
}

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  sources?: Record<string, { ast: AstNode }>;
  contracts?: Record<string, Record<string, CompilerContract>>;
}

interface CompilerContract {
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } };
}

type Solc = { compile(input: string): string };

let solc: Solc | undefined;

/** Whatever the pipeline: no optimizer, and nothing in the output that only a debugger reads. */
const settings = {
  evmVersion: "cancun",
  optimizer: { enabled: false },
  debug: { debugInfo: [] },
};

/** Compiles some contracts of a project. @throws {CompileError} */
export function compile(project: Project, targets: Target[], pipeline: Pipeline): Bytecode[] {
  const outputSelection: Record<string, Record<string, string[]>> = {};
  for (const { source, name } of targets) {
    outputSelection[source] ??= {};
    outputSelection[source][name] = ["evm.bytecode.object", "evm.deployedBytecode.object"];
  }
  const output = run(project, { ...settings, viaIR: pipeline === "ir", outputSelection });
  return targets.map(({ source, name }) => {
    const contract = output.contracts?.[source]?.[name];
    if (!contract) throw new Error(`The compiler has returned nothing for ${source}:${name}`);
    return {
      bytecode: `0x${contract.evm.bytecode.object}`,
      deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
    };
  });
}

/** The syntax tree of each source. @throws {CompileError} */
export function parse(project: Project): Record<string, AstNode> {
  const { sources = {} } = run(project, { outputSelection: { "*": { "": ["ast"] } } });
  return Object.fromEntries(Object.entries(sources).map(([name, { ast }]) => [name, ast]));
}

function run({ sources, remappings }: Project, compilerSettings: object): CompilerOutput {
  // Loaded at first use: a process that only reads results need not wait for it.
  solc ??= createRequire(import.meta.url)("solc") as Solc;
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings: { remappings, ...compilerSettings },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new CompileError(errors.map(({ formattedMessage }) => formattedMessage));
  return output;
}
