import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readSnapshot } from "../../bench/results.ts";
import { formatScale, formatSizes } from "../../bench/scale/report.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

/** The text of docs/scale.md with the figures of the committed snapshot. */
export async function renderScalePage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/scale.md"), "utf8");
  const results = await readSnapshot<Parameters<typeof formatScale>[0]>("scale");
  return replaceBlock(replaceBlock(page, "scale", formatScale(results)), "sizes", formatSizes(results));
}
