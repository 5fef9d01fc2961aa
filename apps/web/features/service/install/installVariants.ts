import { appPath, dataUrlPath, getProvenSubject, isContractEndpoint, type Version } from "@app-registry/sdk";
import { getDidContract, parseCredential } from "@app-registry/sdk/internal";
import { getAddress } from "viem/utils";
import { clientAddress, type EndpointView, isMcpEndpoint } from "../../../components/record/endpointView.ts";
import {
  CLAUDE_VARIABLE,
  clientVariants,
  type Guard,
  guardVariants,
  type InstallVariant,
  quoteShellWord,
  shellCommand,
  toConfigKey,
  toPasteableJson,
  toPasteableUrl,
} from "./clients.ts";

/** Ways to use an endpoint, and the credentials that they need. */
export type Installation = { needs: string[]; variants: InstallVariant[] };

type InstallationOptions = {
  /** Origin of this registry's web app. */
  registryUrl: string;
  /** Result of `findGuard`. */
  guard: Guard | undefined;
  /** Protocol version that the last live check found. */
  protocolVersion?: string | undefined;
};

/**
 * Returns ways to use an endpoint by its `api:*` trait, with the guard first for MCP servers. Empty if the endpoint has
 * no web URL or its protocol has no common client.
 */
export function endpointInstallation(
  endpoint: EndpointView,
  did: string,
  { registryUrl, guard, protocolVersion }: InstallationOptions,
): Installation {
  if (isContractEndpoint(did, endpoint)) return { needs: [], variants: [] };
  const url = toPasteableUrl(clientAddress(endpoint));
  const credential = parseCredential(endpoint.authentication);
  const { header } = credential;
  if (url === undefined) return { needs: credential.needs, variants: [] };
  const needs = header
    ? [...credential.needs, "Set it as the environment variable TOKEN."]
    : credential.needs;
  if (isMcpEndpoint(endpoint)) {
    const key = toConfigKey(getProvenSubject(did).name, did);
    const direct = mcpVariants(url, key, endpoint.authentication, protocolVersion);
    if (guard === undefined) return { needs, variants: direct };
    const guarded = guardVariants({ ...guard, registryUrl, key, header });
    return {
      needs,
      variants: [
        {
          label: "Guarded",
          note: "The guard runs on your computer, between your client and the server. It starts only if the service's facts pass, and blocks what is not registered. It can't judge what a tool does.",
          blocks: [],
          variants: guarded,
        },
        {
          label: "Direct",
          note: "Nothing compares what the server offers with the record.",
          blocks: [],
          variants: direct,
        },
      ],
    };
  }
  const request = curlText(url, endpoint);
  return { needs, variants: request === undefined ? [] : [{ label: "curl", blocks: [request] }] };
}

function mcpVariants(
  url: string,
  key: string,
  authentication: unknown,
  protocolVersion: string | undefined,
): InstallVariant[] {
  const { header, signsIn } = parseCredential(authentication);
  // Clients that sign in by themselves get their own token. The others expand a variable of the environment, so that the
  // credential is in no process's arguments and no file.
  const sent = signsIn ? undefined : header;
  const entry = (variable: string) => ({
    url,
    ...(sent && { headers: { [sent.name]: sent.value.replace(/YOUR_\w+/, variable) } }),
  });
  const option = sent
    ? [`--header ${quoteShellWord(`${sent.name}: ${sent.value.replace(/YOUR_\w+/, CLAUDE_VARIABLE)}`)}`]
    : [];
  const word = quoteShellWord(url);
  return [
    {
      label: "add-mcp",
      blocks: [
        {
          caption: "Adds the server to clients you choose",
          text: shellCommand(`npx add-mcp ${word}`, ...option),
        },
      ],
    },
    ...clientVariants({
      key,
      entry,
      remote: { type: "http" },
      // Claude Code expands variables in the project's file only.
      claudeCommand: shellCommand(
        `claude mcp add --transport http ${key} ${word}`,
        ...(sent ? ["--scope project", ...option] : []),
      ),
    }),
    { label: "curl", blocks: [mcpRequest(url, authentication, protocolVersion)] },
  ];
}

/** Returns the curl options for a credential, which the shell takes from the environment. */
function curlHeader(authentication: unknown): string[] {
  const { header } = parseCredential(authentication);
  if (header === undefined) return [];
  const before = header.value.split("YOUR_")[0];
  return [`-H ${quoteShellWord(`${header.name}: ${before}`)}"$TOKEN"`];
}

/** First MCP version without a handshake, in which each request names the version. */
const STATELESS = "2026-07-28";

/** Returns a first request in the version that the last live check found, or in {@link STATELESS}. */
function mcpRequest(url: string, authentication: unknown, found = STATELESS) {
  // Validate the version, because the checked server wrote it.
  const version = /^\d{4}-\d{2}-\d{2}$/.test(found) ? found : STATELESS;
  const isStateless = version >= STATELESS;
  const method = isStateless ? "server/discover" : "initialize";
  const params = isStateless
    ? {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientInfo": { name: "curl", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }
    : { protocolVersion: version, capabilities: {}, clientInfo: { name: "curl", version: "1" } };
  const text = shellCommand(
    `curl ${quoteShellWord(url)}`,
    ...curlHeader(authentication),
    "-H 'Content-Type: application/json'",
    "-H 'Accept: application/json, text/event-stream'",
    ...(isStateless ? [`-H 'MCP-Protocol-Version: ${version}'`, `-H 'Mcp-Method: ${method}'`] : []),
    `-d ${quoteShellWord(toPasteableJson({ jsonrpc: "2.0", id: 1, method, params }))}`,
  );
  return { caption: `First request, MCP ${version}`, text };
}

function curlText(url: string, { apiTrait, authentication }: EndpointView) {
  const first = `curl ${quoteShellWord(url)}`;
  if (apiTrait === "api:a2a") return { caption: "Read the agent card", text: first };
  if (apiTrait === "api:graphql") {
    const query = "-H 'Content-Type: application/json'";
    const body = `-d ${quoteShellWord('{"query":"{ __schema { queryType { name } } }"}')}`;
    return { caption: "First query", text: shellCommand(first, ...curlHeader(authentication), query, body) };
  }
  if (apiTrait !== undefined && apiTrait !== "api:rest") return undefined;
  return { caption: "First request", text: shellCommand(first, ...curlHeader(authentication)) };
}

/** Returns ways to verify and read one version of a record, and to call the contract of its DID. */
export function recordVariants(did: string, version: Version, registryUrl: string): InstallVariant[] {
  const { major, minor, patch } = version;
  const verify = [
    `import { connectAppRegistry, verifyApp } from "@app-registry/sdk";`,
    "",
    `const client = await connectAppRegistry(${toPasteableJson(registryUrl)});`,
    `const { facts } = await verifyApp({`,
    "  client,",
    `  did: ${toPasteableJson(did)},`,
    `  version: { major: ${major}, minor: ${minor}, patch: ${patch} },`,
    "});",
  ].join("\n");
  const variants: InstallVariant[] = [
    { label: "sdk", blocks: [{ caption: "Verify in TypeScript", text: verify }] },
    {
      label: "curl",
      blocks: [
        {
          caption: "Record, metadata and facts",
          text: `curl ${quoteShellWord(`${registryUrl}/api${appPath(did, version)}`)}`,
        },
        {
          caption: "The registered document",
          text: `curl ${quoteShellWord(registryUrl + dataUrlPath(did, version))}`,
        },
      ],
    },
  ];
  const contract = getDidContract(did);
  if (contract === undefined) return variants;
  const address = getAddress(contract.address);
  const caption = `Read the contract on chain ${contract.chainId} from an RPC endpoint you trust`;
  const viem = [
    `import { createPublicClient, http, parseAbi } from "viem";`,
    "",
    `const client = createPublicClient({ transport: http("YOUR_RPC_URL") });`,
    "const owner = await client.readContract({",
    `  address: "${address}",`,
    `  abi: parseAbi(["function owner() view returns (address)"]),`,
    `  functionName: "owner",`,
    "});",
  ].join("\n");
  const cast = `cast call ${address} 'owner()(address)' --rpc-url YOUR_RPC_URL`;
  return [
    ...variants,
    { label: "viem", blocks: [{ caption, text: viem }] },
    { label: "cast", blocks: [{ caption, text: cast }] },
  ];
}
