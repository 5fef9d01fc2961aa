import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type AbiParameter, toFunctionSelector } from "viem";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../../packages/sdk/src/abi/index.ts";
import { contractErrorTexts } from "../../packages/sdk/src/errors/contractErrorTexts.ts";
import { rootDirectory } from "../stack/processes.ts";
import { type InterfaceError, readInterfaceErrors } from "./interfaceErrors.ts";

interface AbiEntry {
  type: string;
  name?: string;
  inputs?: readonly AbiParameter[];
}

const contracts: Record<string, { interfaceName: string; abi: readonly AbiEntry[] }> = {
  AppRegistry: { interfaceName: "IAppRegistry", abi: appRegistryAbi },
  AppMetadata: { interfaceName: "IAppMetadata", abi: appMetadataAbi },
  ResolverWithStore: { interfaceName: "IResolver", abi: resolverAbi },
};

const introduction = `# Errors of the contracts

Every custom error with which a call of the contracts can revert: what went wrong, and what to do. The sdk decodes a
revert into these sentences, with the values of the arguments in place of their names (\`ContractRevertError\`).
A call of one contract can revert with another contract's error, such as \`mint\` with the metadata store's
\`MetadataTooLarge\`.

\`npx -y pnpm@10 exec node scripts/generate-docs.ts\` generates this page from the interfaces in
[contracts/interfaces](../contracts/interfaces) and the sdk's texts.
`;

/**
 * Returns the text of docs/errors.md.
 * @throws Error if the sdk lacks a sentence for an error of the contracts.
 */
export async function renderErrorReference(): Promise<string> {
  const sections = [introduction];
  const declared = new Set<string>();
  for (const [contract, { interfaceName }] of Object.entries(contracts)) {
    const source = await readFile(join(rootDirectory, `contracts/interfaces/${interfaceName}.sol`), "utf8");
    const errors = readInterfaceErrors(source);
    for (const { name } of errors) declared.add(name);
    sections.push(`## ${contract}\n`, ...errors.map(renderError));
  }
  sections.push("## Inherited, from OpenZeppelin and Solady\n");
  sections.push(...findInheritedErrors(declared).map(renderError));
  return sections.join("\n");
}

/** Returns the errors of the ABIs that no interface declares, each once, by name. */
function findInheritedErrors(declared: Set<string>): InterfaceError[] {
  const inherited = new Map<string, InterfaceError>();
  for (const { abi } of Object.values(contracts)) {
    for (const { type, name = "", inputs = [] } of abi) {
      if (type !== "error" || declared.has(name)) continue;
      const parameters = inputs.map((input) => `${input.type} ${input.name}`).join(", ");
      inherited.set(name, { name, declaration: `${name}(${parameters})`, notice: "" });
    }
  }
  return [...inherited.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function renderError({ name, declaration, notice }: InterfaceError): string {
  const text = contractErrorTexts[name];
  if (!text) throw new Error(`The sdk has no sentence for ${name}`);
  const lines = [
    `### ${name}\n`,
    `\`${declaration}\`, selector \`${toFunctionSelector(declaration)}\`\n`,
    ...(notice ? [`${notice}\n`] : []),
    `- **What went wrong:** ${namePlaceholders(text.sentence)}`,
    `- **What to do:** ${namePlaceholders(text.action)}`,
    ...(text.retryable ? ["- The same transaction succeeds later."] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Replaces \`{name}\` and \`{name:format}\` by the argument's name. */
function namePlaceholders(text: string): string {
  return text.replace(/\{(\w+)(?::\w+)?\}/g, "`$1`");
}
