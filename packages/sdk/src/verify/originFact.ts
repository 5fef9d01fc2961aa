import type { Address } from "viem";
import * as z from "zod/mini";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { type CanonicalDid, isCanonicalDid } from "../did.ts";
import { getProvenSubject } from "../didMethods.ts";
import { toJsonPointer } from "../json.ts";
import { visitFields } from "../metadata/checkFieldNames.ts";
import { endpointEntrySchema } from "../metadata/endpointSchema.ts";
import { type AddressUse, addressUseNames, addressUses } from "../metadata/fieldSchemas.ts";
import { isContractEndpoint, locateEndpoints } from "../metadata/getEndpoints.ts";
import { metadataSchema } from "../metadata/metadataSchema.ts";
import { type GetSite, getRelation, parseLocation, type Relation } from "../origin.ts";
import type { Target } from "./documents.ts";
import { fail, pass, unknown } from "./facts.ts";
import type { Fact } from "./report.ts";

/** Uses of an address that must lead to the proven subject. The other uses are reported, but do not fail the fact. */
const checkedUses = ["endpoint", "launch", "authorization", "token", "jwks", "payment"] as const;

/** Address in a document, with its use and its JSON Pointer. */
export type LocatedAddress = { use: AddressUse; pointer: string; url: string };

/** Address with its relation to the DID. `linked`: its host belongs to a controller of this DID, by `checkDID`. */
export type ClassifiedAddress = LocatedAddress & { leads: Relation | "linked" };

/** Maximum number of other hosts to check on the chain, so that no document causes hundreds of reads. */
export const MAX_OTHER_HOSTS = 20;

type OriginParameters = {
  client: AppRegistryClient;
  target: Pick<Target, "did">;
  /** Registered document; `undefined` if it could not be read. */
  metadata: unknown;
  control: Fact;
  siteOf: GetSite | undefined;
  blockNumber: bigint;
};

/**
 * Checks that all addresses used to reach the service lead to the DID's host, site or path, or to a host that the same
 * account controls.
 */
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
  const outside = located.filter(({ use, leads }) => isCheckedUse(use) && !isInside(leads));
  const joinDids = (address: LocatedAddress) => hostDids(address).join(" ");
  const hosts = [...new Set(outside.map(joinDids))];
  const controllers = getControllers(control);
  const linked = await Promise.all(
    hosts.slice(0, MAX_OTHER_HOSTS).map(async (dids) => {
      const reads = (dids === "" ? [] : dids.split(" ")).flatMap((host) =>
        controllers.map((controller) => client.checkDid({ did: host, controller, blockNumber })),
      );
      return (await Promise.all(reads)).includes(true);
    }),
  );
  for (const address of outside) {
    const place = hosts.indexOf(joinDids(address));
    if (linked[place]) address.leads = "linked";
    else if (control.outcome === "unknown" || place >= MAX_OTHER_HOSTS) address.leads = "unknown";
  }
  return evaluateOrigin(did, located);
}

const insideNames = new Set<string>(["same-host", "same-site", "same-path"] satisfies Relation[]);

/** Returns true if an address leads to the proven subject by its name alone. */
export const isInside = (leads: string): boolean => insideNames.has(leads);

/** Returns true if an address of this use must lead to the proven subject. */
export const isCheckedUse = (use: AddressUse): boolean => (checkedUses as readonly string[]).includes(use);

/**
 * Returns the DIDs of an address's host, without and with its port. Control of either links the host. Returns none for
 * an IP address.
 */
export function hostDids({ url }: { url: string }): CanonicalDid[] {
  const { host = "", port } = parseLocation(url) ?? {};
  return [`did:web:${host}`, `did:web:${host}%3A${port}`].filter(isCanonicalDid);
}

/** Returns the accounts with which *control* passes: the holder, the minter or both. */
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
      `${listed(undecided)} outside ${name}. Whether the same account controls it could not be determined.`,
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

/** Uses of addresses that a visitor opens as pages. Their hosts are listed and never make the fact fail. */
const pages = new Set<AddressUse>(["download", "website", "support", "portal"]);

/**
 * Formats a subject with its verb, such as `The endpoint at b.example and the token address at c.example are`. Names at
 * most three addresses and counts the rest.
 */
function listed(addresses: readonly LocatedAddress[]): string {
  const names = [
    ...new Set(addresses.map((address) => `the ${addressUseNames[address.use]} at ${formatHost(address)}`)),
  ];
  const shown = names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  const list = new Intl.ListFormat("en").format(shown).replace(/^the/, "The");
  return `${list} ${names.length === 1 ? "is" : "are"}`;
}

const formatHosts = (addresses: readonly LocatedAddress[]): string =>
  new Intl.ListFormat("en").format([...new Set(addresses.map(formatHost))]);

/** Returns the host of an address with its port, or the quoted text if it has no host. */
function formatHost({ url }: LocatedAddress): string {
  return parseLocation(url) ? new URL(url).host : JSON.stringify(url.slice(0, 60));
}

/**
 * Lists every address of a document in either layout, with its use. Also reads documents that were not validated.
 *
 * @param did Decides if an endpoint named `Contract` is an RPC.
 * @throws {InvalidDidError}
 * @example
 * listAddresses("did:web:example.com", { external_url: "https://example.com" });
 * // [{ use: "website", pointer: "/external_url", url: "https://example.com" }]
 */
export function listAddresses(did: string, metadata: unknown): LocatedAddress[] {
  const { endpoints, platforms, payments, ...others } = metadataSchema.shape;
  return [
    ...locateEndpoints(metadata).flatMap(({ entry, pointer, urlPointer }) => {
      const isContract = isContractEndpoint(did, entry);
      return findAddresses(entry, endpointEntrySchema, pointer).map((address) => {
        if (address.pointer !== `${pointer}/endpoint`) return address;
        return { ...address, pointer: urlPointer, ...(isContract && { use: "rpc" as const }) };
      });
    }),
    ...findAddresses(metadata, z.object({ platforms, payments, ...others })),
  ];
}

/** Lists the addresses that the schema names in a value, in the schema's order. */
function findAddresses(value: unknown, schema: z.core.$ZodType, pointer = ""): LocatedAddress[] {
  return [...visitFields({ schema, value, path: [] }, "unchecked")].flatMap(({ schema, value, path }) => {
    const use = addressUses.get(schema)?.use;
    if (use === undefined || typeof value !== "string") return [];
    return [{ use, pointer: pointer + toJsonPointer(path), url: value }];
  });
}
