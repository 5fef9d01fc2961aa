import { endpointName, Interfaces, type JsonObject } from "@app-registry/sdk";
import { accepted, firstAccepted } from "../accepted.ts";
import type { Finding } from "../finding.ts";
import { count } from "../labels.ts";
import { versionFrom } from "../versionFrom.ts";
import { authenticationOf } from "./authenticationOf.ts";
import { listOf, objectOf, objectsOf, present, textOf, textsOf } from "./json.ts";
import { traitsOf } from "./traitsOf.ts";

/** Whether a document is an A2A agent card: of 1.0 (`supportedInterfaces`), or an older one (`url`). */
export function isAgentCard(document: JsonObject): boolean {
  if (textOf(document.name) === undefined) return false;
  if (Array.isArray(document.supportedInterfaces)) return true;
  return (
    textOf(document.url) !== undefined &&
    (Array.isArray(document.skills) || document.capabilities !== undefined)
  );
}

/** What an A2A agent card says. Its own place is the endpoint, because it names where and how the agent is called. */
export function agentCardFinding(card: JsonObject, url: string): Finding {
  const provider = objectOf(card.provider);
  const skills = objectsOf(card.skills);
  const interfaces = supportedInterfaces(card);
  const versions = present([...new Set(interfaces.map(({ protocolVersion }) => textOf(protocolVersion)))]);
  const authentication = authenticationOf(card.securitySchemes);
  const version = versionFrom(card.version);
  return {
    kind: "a2a",
    url,
    interfaces: Interfaces.Api,
    ...(version !== undefined && { version }),
    offers: skills.length > 0 ? [count(skills, "skill")] : [],
    metadata: accepted({
      name: card.name,
      description: textOf(card.description),
      publisher: textOf(provider.organization),
      external_url: firstAccepted("external_url", [card.documentationUrl, provider.url]),
      image: card.iconUrl,
      traits: traitsOf(
        ["api:a2a"],
        skills.flatMap(({ tags }) => textsOf(tags)),
      ),
      endpoints: [
        {
          name: endpointName("api:a2a"),
          endpoint: url,
          ...(versions.length > 0 && { interfaceVersions: versions }),
          ...(interfaces.length > 0 && { supportedInterfaces: interfaces }),
          ...(skills.length > 0 && { skills: listOf(card.skills) }),
          ...(card.capabilities !== undefined && { capabilities: card.capabilities }),
          ...(authentication && { authentication }),
        },
      ],
    }),
  };
}

/** The interfaces of a card in the form of A2A 1.0; before, one was the card's own and the others were additional. */
export function supportedInterfaces(card: JsonObject): JsonObject[] {
  if (Array.isArray(card.supportedInterfaces)) return objectsOf(card.supportedInterfaces);
  const protocolVersion = textOf(card.protocolVersion);
  const own = { url: card.url ?? "", transport: card.preferredTransport ?? "JSONRPC" };
  const seen = new Set<string>();
  return [own, ...objectsOf(card.additionalInterfaces)].flatMap(({ url, transport }) => {
    const [address, protocolBinding] = [textOf(url), textOf(transport)];
    const key = `${protocolBinding} ${address}`;
    if (address === undefined || protocolBinding === undefined || seen.has(key)) return [];
    seen.add(key);
    return [{ url: address, protocolBinding, ...(protocolVersion !== undefined && { protocolVersion }) }];
  });
}
