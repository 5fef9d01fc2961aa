import { endpointName, Interfaces, type JsonObject } from "@app-registry/sdk";
import type { Finding } from "../finding.ts";
import { formatCount } from "../labels.ts";
import { normalizeVersion } from "../normalizeVersion.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { asArray, asObject, asObjectArray, asString, asStringArray, compact } from "./json.ts";
import { toAuthentication } from "./toAuthentication.ts";
import { toTraits } from "./toTraits.ts";

/** Returns true if a document is an A2A agent card: version 1.0 has `supportedInterfaces`, earlier ones have `url`. */
export function isAgentCard(document: JsonObject): boolean {
  if (asString(document.name) === undefined) return false;
  if (Array.isArray(document.supportedInterfaces)) return true;
  return (
    asString(document.url) !== undefined &&
    (Array.isArray(document.skills) || document.capabilities !== undefined)
  );
}

/**
 * Converts an A2A agent card to a finding. The endpoint is the card's own URL, because the card lists the interfaces.
 */
export function agentCardFinding(card: JsonObject, url: string): Finding {
  const provider = asObject(card.provider);
  const skills = asObjectArray(card.skills);
  const interfaces = supportedInterfaces(card);
  const versions = compact([...new Set(interfaces.map(({ protocolVersion }) => asString(protocolVersion)))]);
  const authentication = toAuthentication(card.securitySchemes);
  const version = normalizeVersion(card.version);
  return {
    kind: "a2a",
    url,
    interfaces: Interfaces.Api,
    ...(version !== undefined && { version }),
    offers: skills.length > 0 ? [formatCount(skills, "skill")] : [],
    metadata: sanitizeMetadata({
      name: card.name,
      description: asString(card.description),
      publisher: asString(provider.organization),
      external_url: pickFirstValid("external_url", [card.documentationUrl, provider.url]),
      image: card.iconUrl,
      traits: toTraits(
        ["api:a2a"],
        skills.flatMap(({ tags }) => asStringArray(tags)),
      ),
      endpoints: [
        {
          name: endpointName("api:a2a"),
          endpoint: url,
          ...(versions.length > 0 && { interfaceVersions: versions }),
          ...(interfaces.length > 0 && { supportedInterfaces: interfaces }),
          ...(skills.length > 0 && { skills: asArray(card.skills) }),
          ...(card.capabilities !== undefined && { capabilities: card.capabilities }),
          ...(authentication && { authentication }),
        },
      ],
    }),
  };
}

/** Lists the interfaces of a card in the format of A2A 1.0. Earlier cards have a main interface and additional ones. */
export function supportedInterfaces(card: JsonObject): JsonObject[] {
  if (Array.isArray(card.supportedInterfaces)) return asObjectArray(card.supportedInterfaces);
  const protocolVersion = asString(card.protocolVersion);
  const own = { url: card.url ?? "", transport: card.preferredTransport ?? "JSONRPC" };
  const seen = new Set<string>();
  return [own, ...asObjectArray(card.additionalInterfaces)].flatMap(({ url, transport }) => {
    const [address, protocolBinding] = [asString(url), asString(transport)];
    const key = `${protocolBinding} ${address}`;
    if (address === undefined || protocolBinding === undefined || seen.has(key)) return [];
    seen.add(key);
    return [{ url: address, protocolBinding, ...(protocolVersion !== undefined && { protocolVersion }) }];
  });
}
