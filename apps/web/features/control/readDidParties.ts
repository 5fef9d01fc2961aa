import { didHash } from "@app-registry/sdk";
import { type Address, getAddress } from "viem";
import { z } from "zod";
import { askIndexer, readAnswer } from "../../lib/server/askIndexer.ts";

/** Milliseconds that the index has for its answer. */
const INDEX_TIMEOUT = 3_000;
/** The most of each that a page shows, the newest ones. */
const LIMIT = 20;

const addressSchema = z.string().transform((value) => getAddress(value));
const itemsOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) });

const answerSchema = z.object({
  data: z.object({
    didAttestations: itemsOf(z.object({ controller: addressSchema })),
    challenges: itemsOf(
      z.object({
        incumbent: addressSchema,
        challenger: addressSchema,
        openedAt: z.int(),
        resolvableFrom: z.int(),
        voidFrom: z.int(),
        wonAt: z.int().nullable(),
      }),
    ),
    reclaims: itemsOf(
      z.object({
        claimant: addressSchema,
        openedAt: z.int(),
        finishableFrom: z.int(),
        voidFrom: z.int(),
        endedAt: z.int().nullable(),
      }),
    ),
  }),
});

type Answer = z.output<typeof answerSchema>["data"];
export type IndexedChallenge = Answer["challenges"]["items"][number];
export type IndexedReclaim = Answer["reclaims"]["items"][number];

/** Who ever had to do with the control of a DID. Times are Unix seconds. */
export interface DidParties {
  /** Accounts that an issuer attested or revoked. */
  controllers: Address[];
  challenges: IndexedChallenge[];
  reclaims: IndexedReclaim[];
}

const query = `query ($didHash: String!, $tokenId: BigInt!, $limit: Int!) {
  didAttestations(where: { didHash: $didHash }, orderBy: "statedAt", orderDirection: "desc", limit: $limit) {
    items { controller }
  }
  challenges(where: { didHash: $didHash }, orderBy: "openedAt", orderDirection: "desc", limit: $limit) {
    items { incumbent challenger openedAt resolvableFrom voidFrom wonAt }
  }
  reclaims(where: { tokenId: $tokenId }, orderBy: "openedAt", orderDirection: "desc", limit: $limit) {
    items { claimant openedAt finishableFrom voidFrom endedAt }
  }
}`;

/** Asks the index for the accounts of a DID; undefined while it does not answer. */
export async function readDidParties(
  indexerUrls: readonly string[],
  { did, tokenId }: { did: string; tokenId: bigint },
): Promise<DidParties | undefined> {
  const variables = { didHash: didHash(did), tokenId: String(tokenId), limit: LIMIT };
  const answer = await askIndexer(indexerUrls, "/graphql", INDEX_TIMEOUT, { query, variables });
  if (answer?.status !== 200) return undefined;
  const read = answerSchema.safeParse(readAnswer(answer));
  if (!read.success) return undefined;
  const { didAttestations, challenges, reclaims } = read.data.data;
  return {
    controllers: [...new Set(didAttestations.items.map(({ controller }) => controller))],
    challenges: challenges.items,
    reclaims: reclaims.items,
  };
}
