import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { markdownTable } from "../../bench/results.ts";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../../packages/sdk/src/abi/index.ts";
import { contractErrorTexts } from "../../packages/sdk/src/errors/contractErrorTexts.ts";
import { rootDirectory } from "../stack/processes.ts";
import { readHttpProblems } from "./errorSources.ts";
import { readInterfaceMembers } from "./interfaceMembers.ts";
import { escapeCell } from "./replaceBlock.ts";

interface AbiEntry {
  type: string;
  name?: string;
}

const contracts: Record<string, { interfaceName: string; abi: readonly AbiEntry[] }> = {
  AppRegistry: { interfaceName: "IAppRegistry", abi: appRegistryAbi },
  AppMetadata: { interfaceName: "IAppMetadata", abi: appMetadataAbi },
  ResolverWithStore: { interfaceName: "IResolver", abi: resolverAbi },
};

const introduction = `# Errors

For developers: every error of the contracts and the HTTP routes; [sdk.md](sdk.md#errors) has those of the SDK, which decodes a
revert into these sentences with the arguments' values (\`ContractRevertError\`), and says what to do (\`action\`). A call of one
contract can revert with an error of another.
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
    const names = readInterfaceMembers(source).flatMap(({ kind, name }) => (kind === "error" ? [name] : []));
    for (const name of names) declared.add(name);
    sections.push(`## ${contract}\n`, renderErrors(names));
  }
  sections.push(
    "## Inherited, from OpenZeppelin and Solady\n",
    `The sdk explains these too: ${listInheritedErrors(declared).join(", ")}.\n`,
  );
  sections.push(
    "## HTTP problems\n",
    `${markdownTable(["Status", "`code`"], await readHttpProblems())}\n`,
    checkCodes,
  );
  return sections.join("\n");
}

const checkCodes = `Any other invalid request is 400 \`invalid-request\`, or the code of its one invalid part. A failed check of control (422) or
request to a publisher's host (502) has the code of the failure, such as \`wallet-not-in-did-document\` or \`name-not-found\`.
`;

/** Returns the names of the errors of the ABIs that no interface declares. */
function listInheritedErrors(declared: Set<string>): string[] {
  const errors = Object.values(contracts).flatMap(({ abi }) => abi.filter(({ type }) => type === "error"));
  const names = [...new Set(errors.map(({ name = "" }) => name))].filter((name) => !declared.has(name));
  for (const name of names) getText(name);
  return names.sort().map((name) => `\`${name}\``);
}

function getText(name: string) {
  const text = contractErrorTexts[name];
  if (!text) throw new Error(`The sdk has no sentence for ${name}`);
  return text;
}

function renderErrors(names: readonly string[]): string {
  const rows = names.map((name) => {
    const text = getText(name);
    return [`\`${name}\``, escapeCell(namePlaceholders(text.sentence))];
  });
  return `${markdownTable(["Error", "What went wrong"], rows)}\n`;
}

/** Replaces \`{name}\` and \`{name:format}\` by the argument's name. */
function namePlaceholders(text: string): string {
  return text.replace(/\{(\w+)(?::\w+)?\}/g, "`$1`");
}
