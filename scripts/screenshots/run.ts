import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildWeb } from "../stack/buildWeb.ts";
import { printStep, rootDirectory, stopServices } from "../stack/processes.ts";
import { type Stack, startStack } from "../stack/stack.ts";
import { NEXT_TEST_DIRECTORY, runPlaywright } from "../test/parts.ts";

/**
 * `pnpm screenshots`: Retakes the screenshots in docs/gallery and docs/screenshots from a production build over a
 * separate chain.
 */
const directory = join(rootDirectory, "docs");

/** Services that the stack's operator hides, with reasons. */
const hidden = { "did:web:scam.example": "It impersonates the weather service." };

async function startPicturedStack(): Promise<Stack> {
  const file = join(rootDirectory, ".local/hidden.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(hidden));
  return startStack({
    name: "screenshots",
    webEnvironment: { HIDDEN_FILE: file, REPORT_URL: "mailto:reports@registry.example" },
    nextDirectory: NEXT_TEST_DIRECTORY,
    ports: { web: 3000, chain: 8545, indexer: 42069 },
    deploymentFile: join(rootDirectory, ".local/screenshots/deployment.json"),
    step: printStep,
  });
}

/** Runs one file of apps/web/screenshots over a new stack. */
async function take(name: string): Promise<void> {
  const stack = await startPicturedStack();
  try {
    await rm(join(directory, name), { recursive: true, force: true });
    const parameters = [`${name}.screenshots.ts`];
    const { code, output } = await runPlaywright(stack, parameters, { SCREENSHOTS: directory });
    if (code !== 0) throw new Error(output);
  } finally {
    await stopServices();
  }
}

try {
  await printStep("build web", () => buildWeb(NEXT_TEST_DIRECTORY));
  for (const name of ["screenshots", "gallery"]) await take(name);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
