import {
  appPath,
  dataUrlPath,
  isContractEndpoint,
  parseDid,
  provenBy,
  type Version,
} from "@app-registry/sdk";
import { getAddress } from "viem/utils";
import { type EndpointView, mcpUrl } from "../../../components/record/connecting.ts";
import { credentialOf } from "./credential.ts";
import { configKey, pastedJson, pastedUrl, shellWord } from "./pasting.ts";

/** One way to use an endpoint or a record: what to paste, and links that open a client. */
export type InstallVariant = {
  /** On its tab. */
  label: string;
  links?: { text: string; href: string }[];
  blocks: { caption: string; text: string }[];
};

/** Ways to use an endpoint, and what the caller needs for all of them. */
export type Installation = { needs: string[]; variants: InstallVariant[] };

/** A shell command over several lines, one option on each. */
const command = (...parts: string[]): string => parts.join(" \\\n  ");

/**
 * Ways to use an endpoint by the `api:*` trait that describes it. Empty when it has no web URL, or when its protocol
 * has no common client.
 */
export function endpointInstallation(
  endpoint: EndpointView,
  apiTrait: string | undefined,
  did: string,
): Installation {
  if (isContractEndpoint(did, endpoint)) return { needs: [], variants: [] };
  const isMcp = endpoint.name === "MCP" || apiTrait === "api:mcp";
  const url = pastedUrl(isMcp ? (mcpUrl(endpoint) ?? endpoint.endpoint) : endpoint.endpoint);
  const { needs } = credentialOf(endpoint.authentication);
  if (url === undefined) return { needs, variants: [] };
  if (isMcp) {
    const key = configKey(provenBy(did).name);
    return { needs, variants: mcpVariants(url, key, endpoint.authentication) };
  }
  const request = curlText(url, apiTrait, endpoint.authentication);
  return { needs, variants: request === undefined ? [] : [{ label: "curl", blocks: [request] }] };
}

function mcpVariants(url: string, key: string, authentication: unknown): InstallVariant[] {
  const { header, signsIn } = credentialOf(authentication);
  // A client that signs in by itself gets its own token.
  const sent = header && !signsIn ? { [header.name]: header.value } : undefined;
  const option = sent && header ? [`--header ${shellWord(`${header.name}: ${header.value}`)}`] : [];
  const word = shellWord(url);
  const withHeaders = sent ? { headers: sent } : {};
  const typed = { type: "http", url, ...withHeaders };
  const plain = { url, ...withHeaders };
  const named = { name: key, ...typed };
  return [
    {
      label: "add-mcp",
      blocks: [
        {
          caption: "Adds it to clients you choose",
          text: command(`npx add-mcp ${word}`, ...option),
        },
      ],
    },
    {
      label: "Claude",
      blocks: [
        {
          caption: "Claude Code",
          text: command(`claude mcp add --transport http ${key} ${word}`, ...option),
        },
        { caption: ".mcp.json", text: pastedJson({ mcpServers: { [key]: typed } }, 2) },
      ],
    },
    {
      label: "Cursor",
      links: [
        {
          text: "Add to Cursor",
          href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${key}&config=${encodeURIComponent(btoa(pastedJson(plain)))}`,
        },
      ],
      blocks: [{ caption: ".cursor/mcp.json", text: pastedJson({ mcpServers: { [key]: plain } }, 2) }],
    },
    {
      label: "VS Code",
      links: [
        { text: "Add to VS Code", href: `vscode:mcp/install?${encodeURIComponent(pastedJson(named))}` },
      ],
      blocks: [
        { caption: "Terminal", text: `code --add-mcp ${shellWord(pastedJson(named))}` },
        { caption: ".vscode/mcp.json", text: pastedJson({ servers: { [key]: typed } }, 2) },
      ],
    },
    { label: "curl", blocks: [{ caption: "First request", text: mcpRequest(url, authentication) }] },
  ];
}

/** The options of curl that carry a credential. */
function curlHeader(authentication: unknown): string[] {
  const { header } = credentialOf(authentication);
  return header === undefined ? [] : [`-H ${shellWord(`${header.name}: ${header.value}`)}`];
}

function mcpRequest(url: string, authentication: unknown): string {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "curl", version: "1" },
  };
  const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  return command(
    `curl ${shellWord(url)}`,
    ...curlHeader(authentication),
    "-H 'Content-Type: application/json'",
    "-H 'Accept: application/json, text/event-stream'",
    `-d ${shellWord(pastedJson(body))}`,
  );
}

function curlText(url: string, apiTrait: string | undefined, authentication: unknown) {
  const first = `curl ${shellWord(url)}`;
  if (apiTrait === "api:a2a") return { caption: "Read the agent card", text: first };
  if (apiTrait === "api:graphql") {
    const query = "-H 'Content-Type: application/json'";
    const body = `-d ${shellWord('{"query":"{ __schema { queryType { name } } }"}')}`;
    return { caption: "First query", text: command(first, ...curlHeader(authentication), query, body) };
  }
  if (apiTrait !== undefined && apiTrait !== "api:rest") return undefined;
  return { caption: "First request", text: command(first, ...curlHeader(authentication)) };
}

/** Ways for programs to verify and read one version of a record, and to call the contract that its DID names. */
export function recordVariants(did: string, version: Version, registryUrl: string): InstallVariant[] {
  const parsed = parseDid(did);
  const { major, minor, patch } = version;
  const verify = [
    `import { connectAppRegistry, verifyApp } from "@app-registry/sdk";`,
    "",
    `const client = await connectAppRegistry(${pastedJson(registryUrl)});`,
    `const { facts } = await verifyApp({`,
    "  client,",
    `  did: ${pastedJson(did)},`,
    `  version: { major: ${major}, minor: ${minor}, patch: ${patch} },`,
    "});",
  ].join("\n");
  const variants: InstallVariant[] = [
    { label: "sdk", blocks: [{ caption: "Verify it in TypeScript", text: verify }] },
    {
      label: "curl",
      blocks: [
        {
          caption: "Record, metadata and facts",
          text: `curl ${shellWord(`${registryUrl}/api${appPath(did, version)}`)}`,
        },
        {
          caption: "The registered document",
          text: `curl ${shellWord(registryUrl + dataUrlPath(did, version))}`,
        },
      ],
    },
  ];
  if (parsed.method !== "pkh") return variants;
  const address = getAddress(parsed.address);
  const caption = `Read the contract on chain ${parsed.chainId} from an RPC endpoint you trust`;
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
