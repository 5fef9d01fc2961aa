import * as z from "zod/mini";
import { isCanonicalDid } from "../did.ts";
import { addressSchema, described, hashSchema } from "../schemas.ts";
import { parametersSchema } from "../search/searchQuery.ts";
import { isVersion } from "../version.ts";
import { allowlistClients } from "./clients.ts";

/** Facts that the chain can prove again. Without the first four, nothing proves who registered a URL. */
const factNames = ["record", "control", "content", "origin", "attested"] as const;

const factsSchema = z.pipe(
  z.pipe(
    z.union([
      z.array(z.string()),
      z.pipe(
        z.string(),
        z.transform((text: string) => text.split(",")),
      ),
    ]),
    z.array(z.enum(factNames)),
  ),
  z.transform((given) => factNames.filter((name) => name !== "attested" || given.includes(name))),
);

/**
 * Schema of a request for an allowlist: the client, the facts that must pass and the filters of a search that the chain
 * can check.
 */
export const allowlistQuerySchema = z.extend(
  z.pick(parametersSchema, {
    ...{ traits: true, match: true, interface: true, status: true, owner: true, minter: true },
    ...{ did: true, under: true, minVersion: true },
  }),
  {
    client: described(z.enum(allowlistClients), "Client whose administrator deploys the list."),
    facts: described(
      z._default(factsSchema, factNames.slice(0, 4)),
      "Facts that must pass, separated by commas. record, control, content and origin always must; attested can be added.",
    ),
    only: described(z.optional(z.enum(["file"])), "file: return only the file that the client reads."),
  },
);

export type AllowlistQueryInput = z.input<typeof allowlistQuerySchema>;

const entrySchema = z.strictObject({
  did: z.string().check(z.refine(isCanonicalDid)),
  version: z.string().check(z.refine(isVersion)),
  url: described(z.string(), "URL of the registered MCP server, as the client compares it."),
});

/** Service of an allowlist. */
export type AllowlistEntry = z.output<typeof entrySchema>;

/**
 * Schema of an allowlist: the file that a client reads, and the record that proves each of its entries. Contains only
 * what a check of the chain confirms.
 */
export const allowlistSchema = z.strictObject({
  client: z.enum(allowlistClients),
  fileName: z.string(),
  file: described(z.record(z.string(), z.unknown()), "Content of the file that the client reads."),
  enforced: described(z.string(), "What the client enforces."),
  notEnforced: described(z.string(), "What the client does not enforce."),
  chainId: z.int(),
  registry: described(addressSchema, "Address of the contract AppRegistry."),
  facts: described(z.array(z.enum(factNames)), "Facts that every entry passes."),
  query: described(z.record(z.string(), z.string()), "Filters that every entry matches."),
  entries: z.array(entrySchema).check(z.maxLength(10_000)),
  digest: described(hashSchema, "SHA-256 of the canonical JSON (RFC 8785) of all other members."),
});

/** Allowlist of a client, with the record that proves each of its entries. */
export type Allowlist = z.output<typeof allowlistSchema>;

/** Service that was checked but is not in an allowlist. */
export type OmittedService = { did: string; version: string | null; reason: string };
