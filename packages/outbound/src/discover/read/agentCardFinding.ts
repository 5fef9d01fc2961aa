import { endpointName, Interfaces, type JsonObject, MAX_LIST_LENGTH } from "@app-registry/sdk";
import { findAddressProblem } from "@app-registry/sdk/internal";
import { asArray, asObject, asObjectArray, asString, asStringArray, compact } from "../../import/json.ts";
import { sanitizeMetadata, toTraits } from "../../import/sanitizeMetadata.ts";
import { type Finding, formatCount } from "../finding.ts";
import { isUnreachable, noteAddresses, readDocumentTexts } from "./documentTexts.ts";
import { toAuthentication } from "./toAuthentication.ts";

/**
 * Returns true if a document is an A2A agent card: version 1.0 has `supportedInterfaces`, earlier ones have `url`. An
 * agent has skills; other formats have capabilities, too.
 */
export const isAgentCard = (document: JsonObject): boolean =>
  asString(document.name) !== undefined &&
  (Array.isArray(document.supportedInterfaces) ||
    (asString(document.url) !== undefined && Array.isArray(document.skills)));

/** Returns true if an interface's address can be called: a URL of no page, or for gRPC a host with a port. */
const isCallable = (address: string): boolean =>
  /^(?:(?:https?|wss?|grpcs?):\/\/[^/]|[\w.-]+:\d+(?:\/|$))/i.test(address) &&
  !/\.html?(?:[?#]|$)/i.test(address) &&
  findAddressProblem(address) === undefined;

/** Fields of a card that its endpoint entry preserves. */
const preserved = ["capabilities", "defaultInputModes", "defaultOutputModes", "pricing"];

/**
 * Converts an A2A agent card to a finding. The endpoint is the card's own URL, because the card lists the interfaces.
 */
export function agentCardFinding(card: JsonObject, url: string): Finding {
  const { metadata: texts, version, notes: textNotes } = readDocumentTexts({ ...card, tools: [] });
  const skills = asObjectArray(card.skills);
  const supported = supportedInterfaces(card);
  const interfaces = supported.filter((one) => {
    const address = asString(one.url) ?? "";
    return isCallable(address) && !isUnreachable(address, url);
  });
  const unusable = supported.filter((one) => !interfaces.includes(one));
  const versions = compact([...new Set(interfaces.map(({ protocolVersion }) => asString(protocolVersion)))]);
  const authentication =
    toAuthentication(card.securitySchemes) ??
    // A2A 0.2 only names its schemes.
    toAuthentication(
      asStringArray(asObject(card.authentication).schemes)
        .slice(0, MAX_LIST_LENGTH)
        .map((scheme) => ({ type: "http", scheme })),
    );
  const addresses = interfaces.map((one) => asString(one.url) ?? "");
  const refused = compact(unusable.map((one) => asString(one.url)));
  const notes = [
    ...textNotes,
    ...(asArray(card.skills).length > skills.length ? [SKILL_TEXTS] : []),
    ...noteAddresses({ document: "The agent card", service: "The agent", url }, addresses, refused),
  ];
  return {
    kind: "a2a",
    url,
    interfaces: Interfaces.Api,
    ...(version !== undefined && { version }),
    offers: skills.length > 0 ? [formatCount(skills, "skill")] : [],
    metadata: sanitizeMetadata({
      ...texts,
      traits: toTraits(
        ["api:a2a"],
        skills.flatMap(({ tags }) => asStringArray(tags)),
      ),
      endpoints: [
        {
          name: endpointName("api:a2a"),
          ...((interfaces.length > 0 || unusable.length === 0) && { endpoint: url }),
          ...(versions.length > 0 && { interfaceVersions: versions }),
          ...(interfaces.length > 0 && { supportedInterfaces: interfaces }),
          ...(skills.length > 0 && { skills }),
          ...Object.fromEntries(preserved.map((field) => [field, card[field]])),
          ...(authentication && { authentication }),
        },
      ],
    }),
    ...(notes.length > 0 && { notes }),
  };
}

const SKILL_TEXTS =
  "Skills that are only texts are left out: A2A requires an object with an id and a description for each.";

/** Lists up to 100 interfaces of a card as in A2A 1.0. Earlier cards have a main interface and additional ones. */
export function supportedInterfaces(card: JsonObject): JsonObject[] {
  if (Array.isArray(card.supportedInterfaces))
    return asObjectArray(card.supportedInterfaces).slice(0, MAX_LIST_LENGTH);
  const protocolVersion = asString(card.protocolVersion);
  const own = { url: card.url ?? "", transport: card.preferredTransport ?? "JSONRPC" };
  const seen = new Set<string>();
  const all = [own, ...asObjectArray(card.additionalInterfaces)].slice(0, MAX_LIST_LENGTH);
  return all.flatMap(({ url, transport }) => {
    const [address, protocolBinding] = [asString(url), asString(transport)];
    const key = `${protocolBinding} ${address}`;
    if (address === undefined || protocolBinding === undefined || seen.has(key)) return [];
    seen.add(key);
    return [{ url: address, protocolBinding, ...(protocolVersion !== undefined && { protocolVersion }) }];
  });
}
