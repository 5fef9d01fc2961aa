import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { markdownTable } from "../../bench/results.ts";
import { rootDirectory } from "../stack/processes.ts";
import { escapeCell, replaceBlock } from "./replaceBlock.ts";

type Content = { content?: Record<string, { schema: { properties?: object; required?: string[] } }> };
type Operation = {
  summary: string;
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: Content;
};
type Api = {
  openApiDocument(publicUrl: string): { paths: Record<string, Record<string, Operation>> };
};

/** Returns the text of docs/http-api.md with the routes of the OpenAPI document. */
export async function renderHttpPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/http-api.md"), "utf8");
  // Imported by its path, because the type check of the scripts can't read the web app's components.
  const { openApiDocument }: Api = await import(join(rootDirectory, "apps/web/lib/server/api.ts"));
  const { paths } = openApiDocument("https://registry.example");
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describeOperation(method, path, operation)),
  );
  return replaceBlock(page, "routes", markdownTable(["Route", "Effect", "Parameters"], rows));
}

/** Parameters of routes that a guide describes. */
const guides: Record<string, string> = {
  "/api/search": "[those of a search](search.md#parameters)",
  "/api/allowlist": "`client`, `facts`?, `only`?, [filters](allowlists.md)",
};

function describeOperation(method: string, path: string, operation: Operation): string[] {
  const { summary, parameters = [], requestBody } = operation;
  if (!summary) throw new Error(`${method} ${path} has no summary`);
  const [body] = Object.values(requestBody?.content ?? {});
  const names = [
    ...parameters
      .filter((parameter) => parameter.in !== "path")
      .map(({ name, required }) => toName(name, required)),
    ...Object.keys(body?.schema.properties ?? {}).map((name) =>
      toName(name, body?.schema.required?.includes(name) === true),
    ),
  ];
  return [`${method.toUpperCase()} \`${path}\``, summary, guides[path] ?? names.join(", ")].map((cell) =>
    escapeCell(cell).replaceAll("<", "&lt;"),
  );
}

const toName = (name: string, required: boolean) => `\`${name}\`${required ? "" : "?"}`;
