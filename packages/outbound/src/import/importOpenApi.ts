import { JsonDocumentError, parseJsonStrict } from "@app-registry/sdk";
import * as z from "zod";
import type { GuardedFetch } from "../guardedFetch.ts";
import { GuardedFetchError } from "../guardedFetchError.ts";
import { ImportError } from "./importError.ts";

const contactSchema = z.looseObject({
  name: z.string().optional(),
  url: z.string().optional(),
  email: z.string().optional(),
});

const serverSchema = z.looseObject({
  url: z.string(),
  variables: z.record(z.string(), z.looseObject({ default: z.string() })).optional(),
});

/** The parts of an OpenAPI 3 document that describe the API as a whole; its paths are ignored. */
const openApiSchema = z.object({
  openapi: z.string().regex(/^3\.\d+\.\d+/, "is not 3.x: convert the document to OpenAPI 3"),
  info: z.looseObject({
    title: z.string().min(1),
    version: z.string(),
    summary: z.string().optional(),
    description: z.string().optional(),
    contact: contactSchema.optional(),
  }),
  servers: z.array(serverSchema).optional(),
  externalDocs: z.looseObject({ url: z.string() }).optional(),
});

/** An OpenAPI document and where it is. */
export type OpenApiImport = {
  url: string;
  /** The first server's absolute URL, with its variables at their defaults. */
  endpoint: string;
  document: z.output<typeof openApiSchema>;
};

/**
 * Reads an OpenAPI 3 document, JSON or YAML.
 *
 * @throws {GuardedFetchError} when the address is not allowed or doesn't answer, {@link ImportError} `openapi-invalid`
 * when the document is not OpenAPI 3.
 * @example
 * const { endpoint } = await importOpenApi(openApiUrl, { guardedFetch });
 * endpoint; // "https://api.example.com/v1"
 */
export async function importOpenApi(
  url: string,
  { guardedFetch }: { guardedFetch: GuardedFetch },
): Promise<OpenApiImport> {
  const text = await fetchText(url, guardedFetch);
  const invalid = (why: string) =>
    new ImportError("openapi-invalid", `${url} is not an OpenAPI document: ${why}`);
  const parsed = openApiSchema.safeParse(await parseDocument(text, invalid));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(`/${issue?.path.join("/") ?? ""} ${issue?.message ?? ""}`);
  }
  const endpoint = serverUrl(parsed.data, url);
  if (endpoint === undefined) throw invalid("/servers/0/url is no URL");
  return { url, endpoint, document: parsed.data };
}

/** YAML has many content types, so this accepts any. */
async function fetchText(url: string, guardedFetch: GuardedFetch): Promise<string> {
  const session = guardedFetch.openSession();
  try {
    const headers = { accept: "application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5" };
    const response = await session.fetch(url, { headers });
    if (response.ok) return await response.text();
    const message = `${url} answers with HTTP status ${response.status} instead of 200.`;
    throw new GuardedFetchError("http-status", url, message, { status: response.status });
  } finally {
    session.close();
  }
}

async function parseDocument(text: string, invalid: (why: string) => ImportError): Promise<unknown> {
  if (/^\s*\{/.test(text)) {
    try {
      return parseJsonStrict(text);
    } catch (error) {
      if (error instanceof JsonDocumentError) throw invalid(error.message);
      throw error;
    }
  }
  const { parse, YAMLParseError } = await import("yaml");
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof ReferenceError) throw invalid(error.message);
    throw error;
  }
}

/** OpenAPI 3.1, section 4.8.5: relative to where the document is; without a server, its root. */
function serverUrl({ servers }: z.output<typeof openApiSchema>, documentUrl: string): string | undefined {
  const { url = "/", variables = {} } = servers?.[0] ?? {};
  const filled = url.replace(/\{([^}]+)\}/g, (whole, name: string) => variables[name]?.default ?? whole);
  return URL.canParse(filled, documentUrl) ? new URL(filled, documentUrl).href : undefined;
}
