import { didHash, normalizeDid } from "@app-registry/sdk";
import { isHash } from "viem";
import { z } from "zod";
import type { ResolverCall } from "./resolverCall.ts";
import { accountSchema as issuer } from "./settings.ts";

const dateTime = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);

/** Time in Unix seconds. Rejects times without an offset, because their meaning depends on the machine. */
const since = z
  .string("Missing --since <time>.")
  .transform((text) => {
    if (/^\d{1,12}$/.test(text)) return Number(text);
    return dateTime.safeParse(text).success ? Math.floor(Date.parse(text) / 1_000) : -1;
  })
  .refine((time) => time >= 0, "This is neither a time like 2026-01-31T12:00:00Z nor whole Unix seconds")
  .transform(BigInt);
const did = z.string("Missing --did <did>.").transform((text) => didHash(normalizeDid(text)));
const hash = z.string().refine((text) => isHash(text), {
  error: ({ input }) => `"${input}" is not a hash (0x and 64 hexadecimal digits)`,
});

const command = <Action extends string, Shape extends z.ZodRawShape>(action: Action, shape: Shape) =>
  z.strictObject({ action: z.literal(action), ...shape });

const call = (name: ResolverCall["name"], ...args: ResolverCall["args"]) =>
  ({ action: "call", name, args }) as const;

/** Schema of the command line of `scripts/issuers.ts`: an action and its options. */
export const issuerCommandSchema = z.discriminatedUnion("action", [
  command("list", {}),
  command("add", { issuer }).transform((given) => call("addIssuer", given.issuer)),
  command("retire", { issuer }).transform((given) => call("retireIssuer", given.issuer)),
  command("distrust", { issuer, since }).transform((given) =>
    call("distrustIssuer", given.issuer, given.since),
  ),
  command("end", { issuer, did, controller: issuer.optional(), "data-hash": hash.optional() })
    .refine(
      (given) => (given.controller === undefined) !== (given["data-hash"] === undefined),
      "Name the statement by either --controller <address> or --data-hash <hash>.",
    )
    .transform(({ "data-hash": dataHash, ...given }) =>
      dataHash
        ? call("endDataHashAttestation", given.did, dataHash, given.issuer)
        : call("endDIDAttestation", given.did, given.controller ?? "0x", given.issuer),
    ),
  command("affected", { issuer, since, json: z.boolean().default(false) }),
  command("reattest", { from: issuer }),
]);
