import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { markdownTable } from "../../bench/results.ts";
import { variableGroups } from "../../packages/server/src/variables.ts";
import { rootDirectory } from "../stack/processes.ts";
import { runnerSchema } from "../supervisor/parts.ts";
import { escapeCell, replaceBlock } from "./replaceBlock.ts";

type Property = { description?: string; enum?: string[] };

/** Returns the text of docs/configuration.md with the variables of the settings. */
export async function renderConfigurationPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/configuration.md"), "utf8");
  const groups = { ...variableGroups, "Only `pnpm start`": runnerSchema.shape };
  const sections = Object.entries(groups).map(([title, shape]) => {
    const schema = z.object(shape);
    const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    const defaults: Record<string, unknown> = schema.parse({});
    const rows = Object.entries(properties).map(([name, property]) =>
      describeVariable(name, property as Property, defaults[name]),
    );
    return `## ${title}\n\n${markdownTable(["Variable", "Meaning"], rows)}`;
  });
  return replaceBlock(page, "variables", sections.join("\n\n"));
}

function describeVariable(name: string, property: Property, standard: unknown): string[] {
  const { description = "", enum: choices } = property;
  if (description === "") throw new Error(`${name} has no description`);
  const values = choices ? ` (${choices.map((choice) => `\`${choice}\``).join(", ")})` : "";
  const meaning = `${description}${values}.`.replaceAll("<", "&lt;");
  const usual = standard === undefined ? "" : ` Default \`${standard}\`.`;
  return [`\`${name}\``, `${escapeCell(meaning)}${usual}`];
}
