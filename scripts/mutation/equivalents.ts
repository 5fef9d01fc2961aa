import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Mutant } from "./generate.ts";
import type { Result } from "./results.ts";

/** A mutant that no test can kill, since it behaves as the contract does. */
export interface Equivalent {
  id: string;
  /** Contract and function, for the reader; the id is what counts. */
  member: string;
  /** Text before and after. */
  original: string;
  replacement: string;
  reason: string;
}

const file = fileURLToPath(new URL("equivalent.json", import.meta.url));

export async function readEquivalents(): Promise<Equivalent[]> {
  return JSON.parse(await readFile(file, "utf8")) as Equivalent[];
}

/** What is wrong with the list or with the tests, in sentences: nothing in a good run. */
export function judge(equivalents: Equivalent[], mutants: Mutant[], results: Result[]): string[] {
  const listed = new Map(equivalents.map((equivalent) => [equivalent.id, equivalent]));
  const generated = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const faults: string[] = [];
  for (const { id, member } of equivalents) {
    if (!generated.has(id)) faults.push(`${id} in ${member} is listed as equivalent, but no rule makes it`);
  }
  for (const { id, status, by } of results) {
    const member = generated.get(id)?.member;
    if (status === "survived" && !listed.has(id)) faults.push(`${id} in ${member} survives every test`);
    if (listed.has(id) && status !== "survived") {
      const how = by ? ` by ${by.file}: ${by.test}` : "";
      faults.push(`${id} in ${member} is listed as equivalent, but is ${status}${how}`);
    }
  }
  return faults;
}
