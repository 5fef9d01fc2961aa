import { type Schema, Validator } from "@cfworker/json-schema";
import { expect } from "vitest";
import schemas from "./mcpRegistrySchemas.json" with { type: "json" };

/** Entries per page. */
const PAGE = 2;

type Send = (path: string, init?: RequestInit) => Promise<Response>;
type Definition = keyof typeof schemas.definitions;
type Listed = { server: { name: string; version: string; description: string } };
type List = { servers: Listed[]; metadata: { count: number; nextCursor?: string } };

/** Validators by definition. Each reads the whole schema when it is created. */
const validators = new Map<Definition, Validator>();

function getValidator(definition: Definition): Validator {
  const schema = { ...schemas, $ref: `#/definitions/${definition}` } as unknown as Schema;
  const validator = validators.get(definition) ?? new Validator(schema, "7", false);
  validators.set(definition, validator);
  return validator;
}

/** Expects a value to match a definition of the official OpenAPI document or of the schema of server.json. */
export function expectOfficial(definition: Definition, value: unknown): void {
  const { valid, errors } = getValidator(definition).validate(value);
  const problems = errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`);
  expect(valid, `${problems.join("\n")}\n${JSON.stringify(value)}`).toBe(true);
}

/** Sends a request as a page of an editor does: a preflight for the headers, and then the request. */
async function fetchAcrossOrigins(send: Send, path: string): Promise<unknown> {
  const origin = "vscode-file://vscode-app";
  const asked = ["authorization", "content-type"];
  const preflight = await send(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": asked.join(","),
    },
  });
  const listAllowed = (name: string) => (preflight.headers.get(name) ?? "").toLowerCase().split(/,\s*/);
  expect(preflight.ok, `preflight of ${path}: ${preflight.status}`).toBe(true);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(listAllowed("access-control-allow-headers")).toEqual(expect.arrayContaining(asked));
  expect(listAllowed("access-control-allow-methods")).toEqual(expect.arrayContaining(["get", "options"]));
  const headers = { origin, accept: "application/json", authorization: "Bearer x" };
  const response = await send(path, { headers });
  expect(response.status, path).toBe(200);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("content-type")).toBe("application/json");
  return response.json();
}

/**
 * Sends the requests of VS Code's gallery (mcpGalleryManifestService.ts, mcpGalleryService.ts) and returns the names of
 * each list. VS Code appends the cursor without encoding it, and omits the search from the next page. The pages are smaller than its 50 entries.
 */
export async function replayVsCode(send: Send, search: string) {
  const browse = async (text: string): Promise<string[]> => {
    const names: string[] = [];
    for (let query: string | undefined = text && `&search=${encodeURIComponent(text)}`; ; ) {
      const list = (await fetchAcrossOrigins(
        send,
        `/v0.1/servers?limit=${PAGE}&version=latest${query}`,
      )) as List;
      expectOfficial("ServerList", list);
      for (const { server } of list.servers) {
        expect([server.name, server.description, server.version]).not.toContain("");
        names.push(server.name);
      }
      if (!list.metadata.nextCursor) return names;
      query = `&cursor=${list.metadata.nextCursor}`;
    }
  };
  expectOfficial("ServerList", await fetchAcrossOrigins(send, "/v0.1/servers?limit=1"));
  const [all, found] = [await browse(""), await browse(search)];
  for (const name of all) {
    const latest = await fetchAcrossOrigins(
      send,
      `/v0.1/servers/${encodeURIComponent(name)}/versions/latest`,
    );
    expectOfficial("ServerResponse", latest);
    expect(latest).toMatchObject({ server: { name } });
  }
  return { all, found };
}

/** Sends the requests that GitHub requires of a registry for Copilot, one name also with its slash not encoded. */
export async function replayCopilot(send: Send): Promise<number> {
  const { servers } = (await fetchAcrossOrigins(send, "/v0.1/servers")) as List;
  for (const [index, { server }] of servers.entries()) {
    for (const name of [...(index === 0 ? [server.name] : []), encodeURIComponent(server.name)]) {
      const path = `/v0.1/servers/${name}/versions`;
      expectOfficial("ServerList", await fetchAcrossOrigins(send, path));
      expectOfficial("ServerResponse", await fetchAcrossOrigins(send, `${path}/latest`));
      expectOfficial("ServerResponse", await fetchAcrossOrigins(send, `${path}/${server.version}`));
      const head = await send(`${path}/latest`, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
    }
  }
  return servers.length;
}
