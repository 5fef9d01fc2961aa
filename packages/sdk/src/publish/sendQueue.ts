import type { Address, Hash } from "viem";
import { getTransactionCount } from "viem/actions";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { SendQueue, Submit } from "../client/sendCall.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { NonceError } from "../errors/refusalErrors.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";

/** Maximum number of an account's transactions that wait to be mined. Nodes drop more of one account. */
const MAX_OPEN = 64;

/** Time without a mined transaction after which the queue stops, in milliseconds. */
const STUCK_AFTER = 180_000;

/** Maximum number of nonces to try, because another process may use the same account. */
const MAX_NONCES = 5;

const isNonceRefusal = (error: AppRegistryError): boolean =>
  error instanceof NonceError || /underpriced|already known/i.test(`${error.message} ${error.cause}`);

/** Creates the queue of an account's transactions. `waitUntilMined` waits for those that are open now. */
export function createSendQueue({ publicClient }: AppRegistryClient, address: Address) {
  const { pollingInterval } = publicClient;
  let last: Promise<unknown> = Promise.resolve();
  let next = 0;

  const readCount = (blockTag: "latest" | "pending") =>
    getTransactionCount(publicClient, { address, blockTag });

  async function waitForCount(wanted: number): Promise<void> {
    let mined = await readCount("latest");
    for (let since = Date.now(); mined < wanted; ) {
      await new Promise((resolve) => setTimeout(resolve, pollingInterval));
      const count = await readCount("latest");
      if (count > mined) [mined, since] = [count, Date.now()];
      if (Date.now() - since < STUCK_AFTER) continue;
      throw new AppRegistryError(`Earlier transactions of ${address} aren't being mined.`, {
        action: "Wait until they are, or replace them with a higher fee. Then try again.",
        retryable: true,
      });
    }
  }

  async function sendNext(submit: Submit): Promise<Hash> {
    for (let tries = 1; ; tries++) {
      // A node behind a load balancer may not have the newest transactions yet.
      const nonce = Math.max(next, await readCount("pending"));
      await waitForCount(nonce - MAX_OPEN);
      try {
        const hash = await submit({ nonce });
        next = nonce + 1;
        return hash;
      } catch (error) {
        if (tries === MAX_NONCES || !isNonceRefusal(toAppRegistryError(error))) throw error;
        await new Promise((resolve) => setTimeout(resolve, pollingInterval));
      }
    }
  }

  const sendQueue: SendQueue = (submit) => {
    const current = last.then(() => sendNext(submit));
    last = current.catch(() => undefined);
    return current;
  };
  return { sendQueue, waitUntilMined: async () => waitForCount(await readCount("pending")) };
}
