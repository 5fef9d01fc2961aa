import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { markdownTable } from "../../bench/results.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

/** Content of `packages/sdk/test/vectors/did-document-terms.json`, which the issuer's tests run. */
interface Vectors {
  did: string;
  terms: {
    term: string;
    /** Section of the specification that defines the term. */
    spec: string;
    cases: { name: string; document: object; outcome: "accepted" | "refused"; reason?: string }[];
  }[];
}

/** The text of docs/did-documents.md with the forms of a DID document that the tests accept and refuse. */
export async function renderDidDocumentsPage(): Promise<string> {
  const read = (path: string) => readFile(join(rootDirectory, path), "utf8");
  const vectors = JSON.parse(await read("packages/sdk/test/vectors/did-document-terms.json")) as Vectors;
  return replaceBlock(await read("docs/did-documents.md"), "did-document-terms", renderTerms(vectors));
}

function renderTerms({ did, terms }: Vectors): string {
  const tables = terms.map(({ term, spec, cases }) => {
    const rows = cases.map(({ name, document, outcome, reason = "" }) => {
      return [name, `\`${abbreviate(document, did, term)}\``, outcome, reason];
    });
    const head = ["Form", "Document", "", "What the publisher reads"];
    return `**${term}** (${spec})\n\n${markdownTable(head, rows)}`;
  });
  return ["", tables.join("\n\n"), ""].join("\n");
}

/** Members that no case tests, because the forms of keys have separate vectors. */
const unread = ["type", "kty", "crv", "x", "y"];

/**
 * Formats a document on one line: its only method or the whole document, with long texts cut and without the usual
 * members unless the term is one of them.
 */
function abbreviate(document: object, did: string, term: string): string {
  const usual = new Map([
    ["id", `${did}#key-1`],
    ["controller", did],
  ]);
  usual.delete(term);
  const show = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
    if (typeof value === "string" && value.length > 40) return JSON.stringify(`${value.slice(0, 22)}…`);
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const entries = Object.entries(value);
    const told = entries.filter(([name, member]) => !unread.includes(name) && usual.get(name) !== member);
    const members = told.map(([name, member]) => `"${name}": ${show(member)}`);
    return `{${[...(told.length < entries.length ? ["…"] : []), ...members].join(", ")}}`;
  };
  const { id, ...rest } = document as { id?: string; verificationMethod?: unknown[] };
  const [method, ...others] = rest.verificationMethod ?? [];
  const isOneMethod = method && others.length === 0 && Object.keys(rest).length === 1;
  return show(isOneMethod ? method : id === did ? rest : document);
}
