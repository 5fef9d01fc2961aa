import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type AbiParameter, toFunctionSelector } from "viem";
import { markdownTable } from "../../bench/results.ts";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../../packages/sdk/src/abi/index.ts";
import { contractErrorTexts } from "../../packages/sdk/src/errors/contractErrorTexts.ts";
import { rootDirectory } from "../stack/processes.ts";
import { readHttpProblems, readSdkErrors } from "./errorSources.ts";
import { readInterfaceErrors } from "./interfaceMembers.ts";
import { escapeCell } from "./replaceBlock.ts";

type ContractError = ReturnType<typeof readInterfaceErrors>[number];

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

const introduction = `# Errors

For developers: every error of the contracts, the SDK and the HTTP routes, with its meaning and remedy. The SDK decodes a revert
into the sentences below (\`ContractRevertError\`), with the values of the arguments in place of their names. A call of one
contract can revert with an error of another.

\`node scripts/generate-docs.ts\` generates this page from the interfaces in [contracts/interfaces](../contracts/interfaces), the
SDK and the web app.
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
  sections.push(
    "## SDK\n",
    `${markdownTable(["Class", "Meaning", "What to do"], escapeCells(await readSdkErrors()))}\n`,
  );
  sections.push(
    "## HTTP problems\n",
    `${markdownTable(["Status", "`code`", "Title"], escapeCells(await readHttpProblems()))}\n`,
    checkCodes,
  );
  return sections.join("\n");
}

const escapeCells = (rows: string[][]) => rows.map((row) => row.map(escapeCell));

const checkCodes = `Any other invalid request is 400 \`invalid-request\`, or the code of its one invalid part. A failed check of control (422) has the code of the check, such as \`wallet-not-in-did-document\` or
\`contract-owner-mismatch\`. A request to a publisher's host that fails (502) has the code of the failure, such as
\`name-not-found\`, \`tls-failed\` or \`too-large\`.
`;

/** The errors of the ABIs that no interface declares, each once, by name. */
function findInheritedErrors(declared: Set<string>): ContractError[] {
  const inherited = new Map<string, ContractError>();
  for (const { abi } of Object.values(contracts)) {
    for (const { type, name = "", inputs = [] } of abi) {
      if (type !== "error" || declared.has(name)) continue;
      const parameters = inputs.map((input) => `${input.type} ${input.name}`).join(", ");
      inherited.set(name, { name, declaration: `${name}(${parameters})`, notice: "" });
    }
  }
  return [...inherited.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function renderError({ name, declaration, notice }: ContractError): string {
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
