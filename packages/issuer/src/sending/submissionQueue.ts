import { setTimeout as sleep } from "node:timers/promises";
import { getBlockNumber } from "viem/actions";
import type { FundsMonitor } from "./issuerFunds.ts";
import type { IssuerTransaction } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";
import { fitTogether, type Submission, submitTogether } from "./submitTransaction.ts";

/** Maximum number of statements in a transaction. */
const MAX_BATCH = 200;

/** Maximum time to wait for the next block, in polling intervals. A chain may stand still. */
const MAX_WAIT = 3;

type Waiting<Result> = Submission & {
  resolve(result: Promise<Result>): void;
  reject(error: unknown): void;
};

/**
 * Creates a function that submits a call and returns the result of its transaction. A call is sent at once if none
 * waits. Calls that arrive meanwhile are sent together after the next block, in batches.
 *
 * @param settle Waits for the result of a transaction.
 */
export function createSubmissionQueue<Result>(
  context: SendingContext,
  funds: FundsMonitor,
  settle: (transaction: IssuerTransaction) => Promise<Result>,
): (submission: Submission) => Promise<Result> {
  const { publicClient } = context;
  let waiting: Waiting<Result>[] = [];
  let running = false;

  const takeBatch = (): Waiting<Result>[] => {
    const [first] = waiting;
    const batch = waiting
      .filter((one) => one === first || (first && fitTogether(first, one)))
      .slice(0, MAX_BATCH);
    waiting = waiting.filter((one) => !batch.includes(one));
    return batch;
  };

  const submit = async (batch: Waiting<Result>[]) => {
    const outcomes = await submitTogether(context, funds, batch);
    const results = new Map<number, Promise<Result>>();
    for (const submission of batch) {
      const outcome = outcomes.get(submission);
      if (outcome === undefined || outcome === "later") waiting.unshift(submission);
      else if ("error" in outcome) submission.reject(outcome.error);
      else {
        const { transaction } = outcome;
        // Wait once for all statements of a transaction.
        const result = results.get(transaction.nonce) ?? settle(transaction);
        results.set(transaction.nonce, result);
        submission.resolve(result);
      }
    }
  };

  const run = async () => {
    while (waiting.length > 0) {
      const batch = takeBatch();
      const reading = readHead();
      await submit(batch).catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
      });
      const head = await reading;
      for (let looks = 0; waiting.length > 0 && looks < MAX_WAIT; looks++) {
        if ((await readHead()) > head) break;
        await sleep(publicClient.pollingInterval);
      }
    }
    running = false;
  };

  // A chain that doesn't answer only shortens the wait, and its error is that of the submission.
  const readHead = () => getBlockNumber(publicClient, { cacheTime: 0 }).catch(() => 0n);

  return (submission) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ ...submission, resolve, reject });
      if (running) return;
      running = true;
      void run();
    });
}
