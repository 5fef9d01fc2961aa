import { type Chain, rpc } from "@app-registry/test-kit/startIndexer";
import type { Address } from "viem";
import { createActors, testData } from "./actors.ts";
import { controlActions } from "./controlActions.ts";
import { randomFrom } from "./random.ts";
import { recordActions } from "./recordActions.ts";

/** Adds issuers, and attests a wallet for each DID. */
export async function prepareRandomActions(chain: Chain) {
  const { attest, haveIssuers } = createActors(chain, randomFrom(0));
  const issuers = await haveIssuers(4);
  for (const [index, did] of testData.dids.entries())
    await attest(did, testData.wallets[index % 4] as Address, issuers[index % 4]);
}

/**
 * Runs `count` random actions on a prepared chain. They depend only on the seed and the chain. Some blocks contain
 * several transactions, others none, and some transactions are refused.
 */
export async function runRandomActions(chain: Chain, { seed, count }: { seed: number; count: number }) {
  const random = randomFrom(seed);
  const actors = createActors(chain, random);
  const bag = [...recordActions, ...controlActions].flatMap(([weight, act]) =>
    Array.from({ length: weight }, () => act),
  );
  for (let done = 0; done < count; ) {
    const together = Math.min(random.chance(0.2) ? 2 + random.below(4) : 1, count - done);
    if (together > 1) await rpc(chain.rpcUrl, "evm_setAutomine", [false]);
    for (let number = 0; number < together; number++, done++) await random.pick(bag)(actors);
    if (together > 1) {
      await rpc(chain.rpcUrl, "evm_mine", []);
      await rpc(chain.rpcUrl, "evm_setAutomine", [true]);
    }
  }
}
