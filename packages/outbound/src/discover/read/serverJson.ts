import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_LIST_LENGTH,
  MAX_URL_LENGTH,
} from "@app-registry/sdk";
import { findAddressProblem } from "@app-registry/sdk/internal";
import { printable } from "../../fetch/printable.ts";
import { ImportError } from "../../import/importError.ts";
import { type DocumentTexts, readDocumentTexts } from "./documentTexts.ts";
import { asObject, asObjectArray, asString, camelCase } from "./json.ts";
import type { NamedAddress } from "./namedAddresses.ts";
import { noteUnusable } from "./privateAddresses.ts";
import { readPublicText } from "./toAuthentication.ts";
import { listVariables, toTemplate } from "./urlVariables.ts";

/** Server of a server.json: what it says about the server, and the addresses of the remotes. */
export type ServerJson = { texts: DocumentTexts; remotes: NamedAddress[] };

const MAX_REMOTES = 10;

/** Headers of the protocol itself. */
const protocolHeaders = /^(?:accept|content-type|mcp-[a-z-]+)$/i;

/**
 * Reads the servers in a server.json of the MCP registry, alone or as the registry's API returns it. Returns
 * `undefined` for another document.
 * @throws {ImportError} if none of the servers has an address, with the reason.
 */
export function readServerJson(document: JsonObject, url: string): ServerJson[] | undefined {
  const list = Array.isArray(document.servers) ? asObjectArray(document.servers) : [document];
  const servers = list.filter(isLatest).flatMap((entry) => {
    const server = camelCase(isJsonObject(entry.server) ? asObject(entry.server) : entry);
    const isServer =
      Array.isArray(server.remotes) ||
      isJsonObject(server.remotes) ||
      asObjectArray(server.packages).some((one) => "registryType" in camelCase(one));
    return isServer ? [server] : [];
  });
  if (servers.length === 0) return undefined;
  const read = servers.slice(0, MAX_LIST_LENGTH).map((server) => readServer(server, url));
  const usable = read.filter(({ remotes }) => remotes.length > 0);
  if (usable.length > 0) return usable;
  const [reason = describePackages(servers[0] ?? {})] = read.flatMap(({ texts }) => texts.notes);
  throw new ImportError("mcp-unreadable", reason);
}

/** Returns false for an older version or a deleted server in a list of the MCP registry. */
function isLatest({ _meta }: JsonObject): boolean {
  const official = asObject(asObject(_meta)["io.modelcontextprotocol.registry/official"]);
  return official.isLatest !== false && official.status !== "deleted";
}

function readServer(server: JsonObject, documentUrl: string): ServerJson {
  const { metadata, ...texts } = readDocumentTexts({ ...server, tools: [] });
  const packages = asObjectArray(server.packages).map((one) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => !/^[$_]/.test(key))),
  );
  const written = Array.isArray(server.remotes)
    ? asObjectArray(server.remotes)
    : Object.entries(asObject(server.remotes)).map(([type, remote]) => ({ type, ...asObject(remote) }));
  const remotes = written.slice(0, MAX_REMOTES).map((remote) => readRemote(camelCase(remote), documentUrl));
  const current = remotes.filter(({ isSse }) => !isSse);
  return {
    texts: {
      ...texts,
      metadata: { ...metadata, ...(packages.length > 0 && { packages }) },
      notes: [...texts.notes, ...remotes.flatMap(({ notes }) => notes)],
    },
    remotes: (current.length > 0 ? current : remotes).flatMap(({ address }) => address ?? []),
  };
}

function readRemote({ type, url, variables, headers }: JsonObject, documentUrl: string) {
  const { authentication, notes } = toServerAuthentication(headers);
  const inputs = asObject(variables);
  // A record is public, so a secret in the query becomes an authentication.
  const written = asString(url) ?? "";
  const short = (written.length > MAX_URL_LENGTH ? "" : written).replace(
    /([?&])([\w.-]+)=\{([\w.-]+)\}/g,
    (parameter, separator: string, name: string, variable: string) => {
      if (camelCase(asObject(inputs[variable])).isSecret !== true) return parameter;
      authentication.apiKey ??= { in: "query", name };
      return separator;
    },
  );
  const template = toTemplate(short.replace(/(?<![?&])[?&]+$/, "").replace("?&", "?"), documentUrl);
  const isSse = type === "sse";
  const problem = template && findAddressProblem(template.replace(/\{[\w.-]+\}/g, "x"), "MCP");
  if (template === undefined || problem)
    return { isSse, notes: noteUnusable("The server.json", [written]), address: undefined };
  const named = listVariables(template, inputs);
  const secret = named.find(({ name }) => camelCase(asObject(inputs[name])).isSecret === true);
  const reason = `The server's address contains the secret "${secret?.name}", and a record is public. Enter an address without it.`;
  if (secret) return { isSse, notes: [reason], address: undefined };
  const about = { template, variables: named, kind: "mcp", field: "remotes", isSse } as const;
  const address: NamedAddress = {
    ...about,
    ...(Object.keys(authentication).length > 0 && { authentication }),
  };
  return { isSse, notes, address };
}

/** Converts the required headers of a remote to an `authentication`, and names those that are no credentials. */
function toServerAuthentication(written: JsonValue | undefined): {
  authentication: JsonObject;
  notes: string[];
} {
  const authentication: JsonObject = {};
  const others: string[] = [];
  for (const header of asObjectArray(written).slice(0, MAX_LIST_LENGTH).map(camelCase)) {
    const { isSecret = false, isRequired = isSecret } = header;
    const name = asString(header.name) ?? "";
    if (isRequired !== true || !/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) || protocolHeaders.test(name))
      continue;
    const description = readPublicText(header.description);
    const described: JsonObject = description === undefined ? {} : { description };
    if (/^authorization$/i.test(name)) {
      if (/^basic\b/i.test(asString(header.value) ?? "")) authentication.methods = ["basic"];
      else authentication.bearer ??= described;
    } else if (!authentication.apiKey && (isSecret === true || /auth|key|secret|token/i.test(name))) {
      authentication.apiKey = { in: "header", name, ...described };
    } else others.push(name);
  }
  const note = `Callers must also send these headers: ${others.join(", ")}.`;
  return { authentication, notes: others.length > 0 ? [note] : [] };
}

/** Explains that a server is only a package to install. */
function describePackages({ title, name, packages }: JsonObject): string {
  const what = printable(asString(title) ?? asString(name) ?? "", 100);
  const transports = asObjectArray(packages).map(({ transport }) => asObject(transport).type ?? "stdio");
  const instead = transports.every((type) => type === "stdio")
    ? "A program on its user's computer has none and can't be registered. If the server also runs at a URL, enter that URL."
    : "Run the server yourself and enter its address.";
  return `This lists packages to install${what && ` ${what}`}, but no server with an address. ${instead}`;
}
