import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { markdownTable } from "../../bench/results.ts";
import { rootDirectory } from "../stack/processes.ts";
import { escapeCell, replaceBlock } from "./replaceBlock.ts";

type Schema = {
  description?: string;
  properties?: Record<string, Schema & { const?: string }>;
  required?: string[];
  oneOf?: Schema[];
};
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  summary: string;
  description?: string;
  parameters?: { name: string; required: boolean; description?: string }[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
};
type Api = {
  openApiDocument(publicUrl: string): { paths: Record<string, Record<string, Operation>> };
};

/** Returns the text of docs/http-api.md with the routes of the OpenAPI document. */
export async function renderHttpPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/http-api.md"), "utf8");
  // Imported by its path, because the type check of the scripts can't read the web app's components.
  const { openApiDocument }: Api = await import(join(rootDirectory, "apps/web/lib/server/api/api.ts"));
  const { paths } = openApiDocument("https://registry.example");
  const resources = Map.groupBy(
    Object.entries(paths),
    ([path]) => /^\/(?:api|v0\.1)\/([\w.-]+)/.exec(path)?.[1],
  );
  const sections = [...resources].map(([name, routes]) => {
    const operations = routes.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => renderOperation(method, path, operation)),
    );
    return [`### ${name}`, ...operations].join("\n\n");
  });
  return replaceBlock(page, "routes", sections.join("\n\n"));
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const body = readSchema(requestBody) ?? {};
  const inputs = [
    ...parameters.map(({ name, required, description }) => [toName(name, required), description ?? ""]),
    ...Object.entries(body.properties ?? {}).map(([name, { description }]) => [
      toName(name, body.required?.includes(name) === true),
      description ?? "",
    ]),
  ];
  return [
    [`**${method.toUpperCase()}** \`${path}\`: ${summary}.`, description].filter(Boolean).join(" "),
    ...(inputs.length > 0 ? [renderTable(parameters.length > 0 ? "Parameter" : "Body", inputs)] : []),
    renderTable("Response", Object.entries(responses).flatMap(describeResponse)),
  ].join("\n\n");
}

const toName = (name: string, required: boolean) => `\`${name}\`${required ? "" : " (optional)"}`;
const readSchema = ({ content = {} }: Content = {}) => Object.values(content)[0]?.schema;
const renderTable = (head: string, rows: string[][]) =>
  markdownTable(
    [head, ""],
    rows.map((row) => row.map((cell) => escapeCell(cell).replaceAll("<", "&lt;"))),
  );

/** Returns one row for a response, or for each of its forms. The form of problems is that of all routes. */
function describeResponse([status, response]: [string, Operation["responses"][string]]): string[][] {
  const schema = Number(status) < 400 ? readSchema(response) : undefined;
  const form = (one: Schema | undefined) => {
    const names = Object.keys(one?.properties ?? {});
    const fields = names.map((name) => `\`${name}${one?.required?.includes(name) ? "" : "?"}\``);
    return fields.length > 0 ? ` Fields: ${fields.join(", ")}.` : "";
  };
  return [
    [status, `${response.description}${form(schema)}`],
    ...(status === "200" ? (schema?.oneOf ?? []) : []).map((one) => [
      `${status} \`${one.properties?.status?.const}\``,
      `${one.description ?? ""}${form(one)}`,
    ]),
  ];
}
