import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { deceptions } from "../../apps/web/e2e/support/deceptions.ts";
import { markdownTable } from "../../bench/results.ts";
import { rootDirectory } from "../stack/processes.ts";
import { escapeCell } from "./operationPages.ts";

const galleryIntroduction = `# Deceptions, and what a visitor sees of them

For readers who want to see how the registry looks when a service passes for another. Four pictures show its row in a list and the
beginning of its page, each on a desktop and on a phone. [What a service's page says](trust.md#what-a-services-page-says) explains how
to read them.
`;

const picture = (file: string, size: "desktop" | "phone", view: "list" | "page") =>
  `![${view}](gallery/${file}-${view}-${size}.png)`;

export function renderGalleryPage(): string {
  const sections = deceptions.map(
    ({ file, what, claims, shows }) => `
## ${what.charAt(0).toUpperCase()}${what.slice(1)}

Claimed: ${claims}. Proven: ${shows}

${(["list", "page"] as const)
  .flatMap((view) => (["desktop", "phone"] as const).map((size) => picture(file, size, view)))
  .join("\n")}
`,
  );
  return galleryIntroduction + sections.join("");
}

const sections = {
  contracts: "Contracts",
  services: "HTTP and the issuer",
  documents: "Documents and live checks",
} as const;
type Section = keyof typeof sections;

const introduction = `# Threats

For auditors and contributors: how registries like this one have failed or could fail. Each defense is the title of a test, which
its link opens. A comment \`// @threat <section>: <threat>\` above a test lists it here (sections: ${Object.keys(sections).join(", ")}).
`;

/** Test below a `@threat` comment. */
interface ThreatTest {
  section: string;
  attack: string;
  /** Path from the repository's root. */
  file: string;
  title: string;
}

const TAG = /^\s*\/\/ @threat (\w+): (.+)$/gm;

/** The title of the next test: of `it("…"`, `it.each(rows)("…"`, or `])("…"` at the end of a table. */
const TITLE =
  /^\s*(?:(?:it|test|describe)(?:\.\w+)*(?:\([^\n]*\))?|\](?: as const)?\))\(\s*(["'`])((?:\\.|(?!\1)[^\n])+)\1/m;

/** Returns the tests below `@threat` comments. @throws Error if no test follows a comment */
export function findThreatTests(file: string, source: string): ThreatTest[] {
  return [...source.matchAll(TAG)].map(({ index, 1: section = "", 2: attack = "" }) => {
    const title = TITLE.exec(source.slice(index))?.[2];
    if (title === undefined || !(section in sections)) {
      throw new Error(`${file}: no test follows the threat "${attack}", or ${section} is no section`);
    }
    return { section, attack, file, title: title.replaceAll(/\\(.)/g, "$1") };
  });
}

/** Returns every test that a `@threat` comment marks, in the order of the files. */
async function readThreatTests(): Promise<ThreatTest[]> {
  const files: string[] = [];
  const patterns = ["{apps,packages,test}/**/*.{test,spec}.{ts,tsx}"];
  const exclude = (name: string) => name === "node_modules" || name.startsWith(".next");
  for await (const file of glob(patterns, { cwd: rootDirectory, exclude })) files.push(file);
  const found = await Promise.all(
    files
      .sort()
      .map(async (file) => findThreatTests(file, await readFile(join(rootDirectory, file), "utf8"))),
  );
  return found.flat();
}

function renderSection(section: Section, tests: readonly ThreatTest[]): string {
  const attacks = Map.groupBy(
    tests.filter((test) => test.section === section),
    ({ attack }) => attack,
  );
  const rows = [...attacks].map(([attack, tests]) => {
    // Prefer a title without the placeholders of a table of tests.
    const { title, file } = tests.find(({ title }) => !/[$%]/.test(title)) ?? (tests[0] as ThreatTest);
    return [escapeCell(attack), `[${escapeCell(title)}](../${file})`];
  });
  return `\n## ${sections[section]}\n\n${markdownTable(["Threat", "Defense"], rows)}\n`;
}

export async function renderThreatsPage(): Promise<string> {
  const tests = await readThreatTests();
  return (
    introduction +
    (Object.keys(sections) as Section[]).map((section) => renderSection(section, tests)).join("")
  );
}
