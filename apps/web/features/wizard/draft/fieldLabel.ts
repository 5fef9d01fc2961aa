import { pointerTokens } from "./pointer.ts";

const labels: Record<string, string> = {
  did: "DID",
  version: "Version",
  interfaces: "Interfaces",
  apiType: "API type",
  contractId: "Contract id",
  fungibleTokenId: "Fungible token id",
  dataUrl: "Data URL",
  storage: "Where the metadata is kept",
  name: "Name",
  description: "Description",
  publisher: "Publisher",
  image: "Icon URL",
  external_url: "External URL",
  supportUrl: "Support URL",
  platforms: "Platforms",
  screenshotUrls: "Screenshots",
  videoUrls: "Videos",
  threeDAssetUrls: "3D assets",
  portalUrl: "Portal URL",
  endpoints: "Endpoints",
  endpoint: "Endpoint URL",
  url: "URL",
  uri: "URI",
  schemaUrl: "Schema URL",
  interfaceVersions: "Interface versions",
  inputSchema: "Input schema",
  traits: "Traits",
  payments: "Payments",
  tools: "Tools",
  resources: "Resources",
  prompts: "Prompts",
  launchUrl: "launch URL",
  downloadUrl: "download URL",
};

const isIndex = (token: string | undefined): boolean => token !== undefined && /^\d+$/.test(token);

/** The name of a field as a list of problems writes it, such as "Tools 3, Input schema". */
export function fieldLabel(field: string): string {
  if (field === "") return "Metadata JSON";
  const tokens = field.startsWith("/") ? pointerTokens(field) : [field];
  const parts = tokens.flatMap((token, place) => {
    if (isIndex(token)) return [];
    const name = labels[token] ?? token;
    const next = tokens[place + 1];
    return [isIndex(next) ? `${name} ${Number(next) + 1}` : name];
  });
  // The endpoints' own number says nothing where there is one endpoint, which is the usual case.
  const shown = parts.length > 1 && parts[0] === "Endpoints 1" ? parts.slice(1) : parts;
  return shown.join(", ");
}
