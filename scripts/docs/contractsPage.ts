import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GasFigures, type GasRowName, gasRows } from "../../bench/gas/rows.ts";
import { formatNumber, markdownTable, readSnapshot } from "../../bench/results.ts";
import { rootDirectory } from "../stack/processes.ts";
import { type InterfaceMember, readInterfaceMembers } from "./interfaceMembers.ts";
import { escapeCell, replaceBlock } from "./replaceBlock.ts";

const interfaces = {
  AppRegistry: "IAppRegistry",
  AppMetadata: "IAppMetadata",
  ResolverWithStore: "IResolver",
};

/** Returns the text of docs/contracts.md with the gas of the committed snapshot and the members of the interfaces. */
export async function renderContractsPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/contracts.md"), "utf8");
  const members = await Promise.all(
    Object.entries(interfaces).map(async ([contract, name]) => {
      const source = await readFile(join(rootDirectory, `contracts/interfaces/${name}.sol`), "utf8");
      return renderInterface(contract, readInterfaceMembers(source));
    }),
  );
  return replaceBlock(replaceBlock(page, "gas", await renderGasTable()), "interfaces", members.join("\n\n"));
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
