import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_LIST_LENGTH,
  MAX_URL_LENGTH,
} from "@app-registry/sdk";
import { findAddressProblem } from "@app-registry/sdk/internal";
import { printable } from "../../fetch/guardedFetchError.ts";
import { ImportError } from "../../import/importError.ts";
import { asObject, asObjectArray, asString, camelCase } from "../../import/json.ts";
import { type DocumentTexts, noteAddresses, readDocumentTexts } from "./documentTexts.ts";
import { listVariables, type NamedAddress, toSample, toTemplate } from "./namedAddresses.ts";

/** Server of a server.json: what it says about the server, and the addresses of the remotes. */
export type ServerJson = { texts: DocumentTexts; remotes: NamedAddress[] };

const MAX_REMOTES = 10;
const WORDS = { document: "The server.json", service: "The server" };

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
  const authentication = toServerAuthentication(headers);
  const inputs = asObject(variables);
  const isSecret = (name: string) => camelCase(asObject(inputs[name])).isSecret === true;
  // A record is public, so a secret in the query becomes an authentication.
  const written = (asString(url) ?? "").slice(0, MAX_URL_LENGTH + 1);
  const short = written.replace(/([?&])([\w.-]+)=\{([\w.-]+)\}/g, (parameter, separator, name, variable) => {
    if (!isSecret(variable)) return parameter;
    authentication.apiKey ??= { in: "query", name };
    return separator;
  });
  const template = toTemplate(short.replace(/(?<![?&])[?&]+$/, "").replace("?&", "?"), documentUrl);
  const named = listVariables(template ?? "", inputs);
  const secret = named.find(({ name }) => isSecret(name));
  const isSse = type === "sse";
  if (
    template === undefined ||
    written.length > MAX_URL_LENGTH ||
    findAddressProblem(toSample(template), "MCP")
  )
    return { isSse, notes: noteAddresses({ ...WORDS, url: documentUrl }, [], [written]), address: undefined };
  const reason = `The server's address contains the secret "${secret?.name}", and a record is public. Enter an address without it.`;
  if (secret) return { isSse, notes: [reason], address: undefined };
  const about = { template, variables: named, kind: "mcp", field: "remotes", isSse } as const;
  const isOpen = Object.keys(authentication).length === 0;
  const address: NamedAddress = { ...about, ...(!isOpen && { authentication }) };
  return { isSse, notes: [], address };
}

/** Converts the required headers of a remote that are credentials to an `authentication`. */
function toServerAuthentication(written: JsonValue | undefined): JsonObject {
  const authentication: JsonObject = {};
  for (const header of asObjectArray(written).slice(0, MAX_LIST_LENGTH).map(camelCase)) {
    const { isSecret = false, isRequired = isSecret } = header;
    const name = asString(header.name) ?? "";
    if (isRequired !== true || !/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) continue;
    if (/^authorization$/i.test(name)) {
      if (/^basic\b/i.test(asString(header.value) ?? "")) authentication.methods = ["basic"];
      else authentication.bearer = {};
    } else if (isSecret === true || /auth|key|secret|token/i.test(name)) {
      authentication.apiKey ??= { in: "header", name };
    }
  }
  return authentication;
}

/** Explains that a server is only a package to install. */
const describePackages = ({ title, name }: JsonObject): string =>
  `This lists packages to install ${printable(asString(title) ?? asString(name) ?? "a server", 100)}, but no server with \
an address. If it also runs at a URL, enter that URL. A program on its user's computer can't be registered.`;
