import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GasFigures, type GasRowName, gasRows } from "../../bench/gas/rows.ts";
import { formatNumber, markdownTable, readSnapshot } from "../../bench/results.ts";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../../packages/sdk/src/abi/index.ts";
import { contractErrorTexts } from "../../packages/sdk/src/errors/contractErrorTexts.ts";
import { rootDirectory } from "../stack/processes.ts";
import { escapeCell, replaceBlock } from "./operationPages.ts";

/** A member of a Solidity interface, as its source declares it. */
export interface InterfaceMember {
  kind: "function" | "event" | "error";
  name: string;
  /** True for a function that changes nothing. */
  isView: boolean;
  notice: string;
}

const members = /((?:^ *\/\/\/.*\n)+)(?: *\/\/ .*\n)* *(function|event|error) (\w+)([^;]*);/gm;

/** Returns the functions, events and errors of a Solidity interface, in their order. */
export function readInterfaceMembers(source: string): InterfaceMember[] {
  return [...source.matchAll(members)].map(([, comment = "", kind, name = "", rest = ""]) => ({
    kind: kind as InterfaceMember["kind"],
    name,
    isView: /\b(view|pure)\b/.test(rest),
    notice: readNotice(comment),
  }));
}

/** Returns the text of `@notice`, up to the next tag. */
function readNotice(comment: string): string {
  const text = comment.replace(/^ *\/\/\/ ?/gm, "").replace(/\s+/g, " ");
  const notice = /@notice (.*?)(?= @|$)/.exec(text)?.[1]?.trim();
  if (!notice) throw new Error(`A member of an interface has no notice: ${text}`);
  return notice;
}

const contracts = [
  { name: "AppRegistry", interfaceName: "IAppRegistry", abi: appRegistryAbi },
  { name: "AppMetadata", interfaceName: "IAppMetadata", abi: appMetadataAbi },
  { name: "ResolverWithStore", interfaceName: "IResolver", abi: resolverAbi },
];

const readContracts = () =>
  Promise.all(
    contracts.map(async ({ name, interfaceName }) => {
      const source = await readFile(join(rootDirectory, `contracts/interfaces/${interfaceName}.sol`), "utf8");
      return { name, members: readInterfaceMembers(source) };
    }),
  );

/** Returns the text of docs/contracts.md with the gas of the committed snapshot and the members of the interfaces. */
export async function renderContractsPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/contracts.md"), "utf8");
  const sections = (await readContracts()).map(({ name, members }) => renderInterface(name, members));
  return replaceBlock(replaceBlock(page, "gas", await renderGasTable()), "interfaces", sections.join("\n\n"));
}

const VARIANT = /(Batch|BySignature)$/;

/** Formats an interface: its functions that write, with their effects, and the names of their variants, reads and events. */
function renderInterface(contract: string, members: readonly InterfaceMember[]): string {
  const functions = members.filter(({ kind }) => kind === "function");
  const writes = functions.filter(({ isView }) => !isView);
  const variants = writes.filter(({ name }) => VARIANT.test(name));
  const rows = writes
    .filter(({ name }) => !VARIANT.test(name))
    .map(({ name, notice }) => [`\`${name}\``, escapeCell(firstSentence(notice))]);
  return [
    `### ${contract}`,
    markdownTable(["Function", ""], rows),
    ...(variants.length > 0 ? [`For several, or by an issuer's signature: ${listNames(variants)}.`] : []),
    `Reads: ${listNames(functions.filter(({ isView }) => isView))}.`,
    `Events: ${listNames(members.filter(({ kind }) => kind === "event"))}.`,
  ].join("\n\n");
}

const listNames = (members: readonly InterfaceMember[]) =>
  members.map(({ name }) => `\`${name}\``).join(", ");

/** Returns the first sentence of a notice. The interface has the others. */
const firstSentence = (notice: string) => /^.*?[.](?= [A-Z`]|$)/.exec(notice)?.[0] ?? notice;

async function renderGasTable(): Promise<string> {
  const snapshot = await readSnapshot<Partial<GasFigures>>("gas");
  const rows = (Object.keys(gasRows) as GasRowName[]).map((name) => {
    const { target, reference, erc8004 } = gasRows[name];
    return [`\`${name}\``, ...[snapshot[name], target, reference, erc8004].map(formatNumber)];
  });
  const head = ["Operation", "Gas:", "Target, at most:", "Reference registry:", "ERC-8004:"];
  return markdownTable(head, rows);
}

const readSources = (pattern: string) => {
  const paths = globSync(pattern, { cwd: rootDirectory, exclude: (name) => name === "node_modules" });
  const sources = paths.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
  return Promise.all(sources.map((path) => readFile(join(rootDirectory, path), "utf8")));
};

/** Forms in which the web app writes a problem: status, code and title, or code, status and title. */
const problemForms = [
  /\b(?<status>[45]\d\d),\s*"(?<code>[a-z-]+)",\s*["`][^"`]/g,
  /"(?<code>[a-z-]+)": \[(?<status>[45]\d\d), "/g,
];

/** Returns the statuses of the HTTP routes' problems, each with its codes. */
async function readHttpProblems(): Promise<string[][]> {
  const sources = await readSources("apps/web/{app,lib}/**/*.ts");
  const codes = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const form of problemForms) {
      for (const { groups } of source.matchAll(form)) {
        const { status, code } = groups as Record<"status" | "code", string>;
        codes.set(status, (codes.get(status) ?? new Set()).add(`\`${code}\``));
      }
    }
  }
  return [...codes.keys()].sort().map((status) => [status, [...(codes.get(status) ?? [])].sort().join(", ")]);
}

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
  for (const { name: contract, members } of await readContracts()) {
    const names = members.flatMap(({ kind, name }) => (kind === "error" ? [name] : []));
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
  const errors = contracts.flatMap(({ abi }) =>
    abi.flatMap((entry) => (entry.type === "error" ? [entry.name] : [])),
  );
  const names = [...new Set(errors)].filter((name) => !declared.has(name));
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
    const [sentence] = getText(name);
    return [`\`${name}\``, escapeCell(namePlaceholders(sentence))];
  });
  return `${markdownTable(["Error", "What went wrong"], rows)}\n`;
}

/** Replaces \`{name}\` and \`{name:format}\` by the argument's name. */
function namePlaceholders(text: string): string {
  return text.replace(/\{(\w+)(?::\w+)?\}/g, "`$1`");
}
