import type { Address } from "viem";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { isCanonicalDid } from "../did.ts";
import { isJsonObject, toJsonPointer } from "../jsonValue.ts";
import { isContractEndpoint, locateEndpoints } from "../metadata/getEndpoints.ts";
import { type GetSite, getProvenSubject, getRelation, parseLocation, type Relation } from "../origin.ts";
import { fail, pass, unknown } from "./facts.ts";
import type { Fact } from "./report.ts";
import type { Target } from "./target.ts";

/** What an address is for. The first six must lead to what is proven; the others are named without failing it. */
const checkedUses = ["endpoint", "launch", "authorization", "token", "jwks", "payment"] as const;
type AddressUse =
  | (typeof checkedUses)[number]
  | "rpc"
  | "download"
  | "schema"
  | "media"
  | "website"
  | "support"
  | "portal";

/** An address of a document. */
export type LocatedAddress = { use: AddressUse; pointer: string; url: string };

/** Where an address leads. `linked`: to a host that a controller of this DID controls too, by `checkDID`. */
export type ClassifiedAddress = LocatedAddress & { leads: Relation | "linked" };

/** Hosts elsewhere about which the chain is asked, so that no document causes hundreds of reads. */
const MAX_HOST_LOOKUPS = 20;

type OriginParameters = {
  client: AppRegistryClient;
  target: Pick<Target, "did">;
  /** The registered document; undefined when it could not be read. */
  metadata: unknown;
  control: Fact;
  siteOf: GetSite | undefined;
  blockNumber: bigint;
};

/** The addresses at which the service is used lead to what is proven: the DID's host, site, path, or a linked host. */
export async function originFact({
  client,
  target: { did },
  metadata,
  control,
  siteOf,
  blockNumber,
}: OriginParameters): Promise<Fact> {
  if (metadata === undefined) return unknown("The registered document couldn't be read.");
  const located = listAddresses(did, metadata).map(
    (address): ClassifiedAddress => ({ ...address, leads: getRelation(did, address.url, siteOf) }),
  );
  const outside = located.filter(({ use, leads }) => isCheckedUse(use) && !insideNames.has(leads));
  const hosts = [...new Set(outside.flatMap(hostDids))];
  const controllers = getControllers(control);
  const asked = hosts.slice(0, MAX_HOST_LOOKUPS);
  const linked = await Promise.all(
    asked.map(async (host) => {
      const reads = controllers.map((controller) => client.checkDid({ did: host, controller, blockNumber }));
      return (await Promise.all(reads)).includes(true);
    }),
  );
  for (const address of outside) {
    const places = hostDids(address).map((host) => asked.indexOf(host));
    if (places.some((place) => linked[place])) address.leads = "linked";
    else if (control.outcome === "unknown" || places.includes(-1)) address.leads = "unknown";
  }
  return evaluateOrigin(did, located);
}

const insideNames = new Set<string>(["same-host", "same-site", "same-path"]);

/** Whether an address of this use must lead to what is proven. */
export const isCheckedUse = (use: AddressUse): boolean => (checkedUses as readonly string[]).includes(use);

/** The DIDs of an address's host, and of its port where it has one: control of either links it. None for an IP address. */
export function hostDids({ url }: { url: string }): string[] {
  const { host = "", port } = parseLocation(url) ?? {};
  return [`did:web:${host}`, `did:web:${host}%3A${port}`].filter(isCanonicalDid);
}

/** The accounts by which *control* passes: the holder, the minter or both. */
function getControllers({ evidence }: Fact): Address[] {
  const accounts = (evidence.accounts ?? []) as { address: Address; controls: boolean }[];
  return accounts.flatMap(({ address, controls }) => (controls ? [address] : []));
}

function evaluateOrigin(did: string, addresses: readonly ClassifiedAddress[]): Fact {
  const proven = getProvenSubject(did);
  const { name } = proven;
  const mustBeInside = addresses.filter(({ use }) => isCheckedUse(use));
  const elsewhere = mustBeInside.filter(({ leads }) => leads === "elsewhere");
  const undecided = mustBeInside.filter(({ leads }) => leads === "unknown");
  const evidence = { proven, addresses };
  if (elsewhere.length > 0) {
    return fail(`${listed(elsewhere)} not proven to belong to ${name}.`, evidence);
  }
  if (undecided.length > 0)
    return unknown(
      `${listed(undecided)} on another host. Whether it belongs to ${name} could not be determined.`,
      evidence,
    );
  if (mustBeInside.length === 0) {
    const outside = addresses.filter(
      ({ use, url, leads }) => pages.has(use) && leads === "elsewhere" && parseLocation(url),
    );
    const named = outside.length === 0 ? "" : ` ${listed(outside)} not proven to belong to ${name}.`;
    return pass(`It lists no addresses used to reach it, so there was nothing to check.${named}`, evidence);
  }
  const linked = mustBeInside.filter(({ leads }) => leads === "linked");
  const also = linked.length === 0 ? "" : `, or to ${formatHosts(linked)}, controlled by the same account`;
  return pass(`All addresses used to reach the service lead to ${name}${also}.`, evidence);
}

/** What a visitor opens although it is not judged. A mail address opens no page. */
const pages = new Set<AddressUse>(["download", "website", "support", "portal"]);

const useNames: Record<AddressUse, string> = {
  endpoint: "endpoint",
  launch: "launch address",
  authorization: "authorization address",
  token: "token address",
  jwks: "JWKS address",
  payment: "payment address",
  rpc: "RPC",
  download: "download",
  schema: "schema",
  media: "media",
  website: "website",
  support: "support",
  portal: "portal",
};

/** `The endpoint at b.example and the token address at c.example lead`; beyond three, how many more. */
function listed(addresses: readonly LocatedAddress[]): string {
  const names = [
    ...new Set(addresses.map((address) => `the ${useNames[address.use]} at ${formatHost(address)}`)),
  ];
  const shown = names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  const list = new Intl.ListFormat("en").format(shown).replace(/^the/, "The");
  return `${list} ${names.length === 1 ? "is" : "are"}`;
}

const formatHosts = (addresses: readonly LocatedAddress[]): string =>
  new Intl.ListFormat("en").format([...new Set(addresses.map(formatHost))]);

/** The host of an address with its port, or the text itself where it has none. */
function formatHost({ url }: LocatedAddress): string {
  return parseLocation(url) ? new URL(url).host : JSON.stringify(url.slice(0, 60));
}

/**
 * Every address of a document, in both layouts, with what it is for. A document that nobody checked can be read too.
 *
 * @param did Decides whether an endpoint named `Contract` is an RPC.
 * @throws {InvalidDidError}
 * @example
 * listAddresses("did:web:example.com", { external_url: "https://example.com" });
 * // [{ use: "website", pointer: "/external_url", url: "https://example.com" }]
 */
export function listAddresses(did: string, metadata: unknown): LocatedAddress[] {
  const addresses: LocatedAddress[] = [];
  const add = (use: AddressUse, pointer: string, url: unknown) => {
    if (typeof url === "string") addresses.push({ use, pointer, url });
  };
  const document = toObject(metadata);
  for (const { entry, pointer, urlPointer } of locateEndpoints(metadata)) {
    const { endpoint, schemaUrl, transport, supportedInterfaces, authentication } = entry as Record<
      string,
      unknown
    >;
    add(isContractEndpoint(did, entry) ? "rpc" : "endpoint", urlPointer, endpoint);
    for (const [name, way] of Object.entries(toObject(transport))) {
      add("endpoint", pointer + toJsonPointer(["transport", name, "url"]), toObject(way).url);
    }
    for (const [index, one] of toList(supportedInterfaces).entries()) {
      add("endpoint", `${pointer}/supportedInterfaces/${index}/url`, toObject(one).url);
    }
    const { oauth2, jwksUrl } = toObject(authentication);
    add(
      "authorization",
      `${pointer}/authentication/oauth2/authorizationUrl`,
      toObject(oauth2).authorizationUrl,
    );
    add("token", `${pointer}/authentication/oauth2/tokenUrl`, toObject(oauth2).tokenUrl);
    add("jwks", `${pointer}/authentication/jwksUrl`, jwksUrl);
    add("schema", `${pointer}/schemaUrl`, schemaUrl);
  }
  for (const [name, platform] of Object.entries(toObject(document.platforms))) {
    const pointer = toJsonPointer(["platforms", name]);
    add("launch", `${pointer}/launchUrl`, toObject(platform).launchUrl);
    add("download", `${pointer}/downloadUrl`, toObject(platform).downloadUrl);
  }
  for (const [index, payment] of toList(document.payments).entries()) {
    add("payment", `/payments/${index}/url`, toObject(payment).url);
  }
  add("website", "/external_url", document.external_url);
  add("support", "/supportUrl", document.supportUrl);
  add("portal", "/portalUrl", document.portalUrl);
  add("media", "/image", document.image);
  for (const field of ["screenshotUrls", "videoUrls", "threeDAssetUrls"]) {
    for (const [index, url] of toList(document[field]).entries()) add("media", `/${field}/${index}`, url);
  }
  return addresses;
}

const toObject = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {});
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
