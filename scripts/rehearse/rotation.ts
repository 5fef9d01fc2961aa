import assert from "node:assert/strict";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { createRegistry } from "../../apps/web/lib/server/registry.ts";
import { attestingServer } from "../../apps/web/lib/server/test/attestingServer.ts";
import { startPostgres } from "../../packages/sdk/test/support/postgres.ts";
import { readEnvironment } from "../../packages/server/src/environment.ts";
import { ISSUER_INDEX, localAccount, localPrivateKey } from "../stack/accounts.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

/**
 * `pnpm rehearse:rotation`: an issuer's key is replaced as docs/keys.md says, while publishers go on asking. Prints what
 * was answered at each step; ends with 1 if one answer was a refusal that no repetition helps.
 */
const PUBLISHERS = 10;
/** Seconds; the resolver's default. */
const MATURATION = 48 * 3_600;

// The web processes' log would bury the steps.
console.info = () => undefined;

const postgres = await startPostgres();
try {
  await rehearse(async (rehearsal) => {
    const { step, run, pass, clientOf } = rehearsal;
    const OLD = localAccount(ISSUER_INDEX).address;
    const newKey = generatePrivateKey();
    const NEW = privateKeyToAddress(newKey);
    const database = { DATABASE_URL: postgres.url };
    const variables = { OLD, NEW, WEB_ENV: await rehearsal.writeEnvironment(newKey, database) };

    step("Publishers ask the processes with the old key, and go on asking");
    const old = startProcess(rehearsal, { ISSUER_PRIVATE_KEY: localPrivateKey(ISSUER_INDEX), ...database });
    const requests = askOnAndOn(rehearsal, old);
    await requests.answers(2 * PUBLISHERS);

    step("The new issuer is added, and funded");
    await run("rotation: add", variables);
    await rehearsal.fund(NEW);

    step("Processes with the new key run beside the old ones");
    const young = startProcess(rehearsal, { ISSUER_PRIVATE_KEY: newKey, ...database });
    requests.serveBy(old, young);
    await requests.answers(2 * PUBLISHERS);

    step("The proxy sends requests to the new ones only; the old ones answer their last");
    requests.serveBy(young);
    await requests.drained(old);

    step("The old issuer is retired");
    await run("rotation: retire", variables);
    await requests.answers(2 * PUBLISHERS);

    step("The new issuer attests what the old one attested, while its processes serve requests");
    await run("rotation: reattest", variables);
    await requests.answers(2 * PUBLISHERS);
    const asked = await requests.end();

    step("What was answered");
    const counted = Map.groupBy(asked.answers, (answer) => answer);
    for (const [answer, { length }] of counted) console.log(`     ${length} times ${answer}`);
    const refused = asked.answers.filter((answer) => !/^200 |retryable$/.test(answer));
    assert.deepEqual(refused, []);

    step("A maturation later, everybody counts by the new issuer's word, whatever becomes of the old one's");
    await pass(MATURATION);
    const client = await clientOf(localAccount(0));
    for (const { did, wallet: controller } of asked.attested) {
      const attestations = await client.getDidAttestations({ did, controller });
      const isSettled = attestations.some(({ issuer, settled }) => issuer === NEW && settled);
      assert.ok(isSettled, did);
      assert.equal(await client.checkDid({ did, controller }), true, did);
    }
    console.log(`     ${asked.attested.length} publishers count, and the new issuer attests each of them`);
    old.close();
    young.close();
    await Promise.all([old.end(), young.end()]);
  });
} finally {
  await postgres.stop();
}

type Process = ReturnType<typeof startProcess>;

/** A web process, as far as it attests. */
function startProcess({ webVariables }: Rehearsal, variables: Record<string, string>) {
  const registry = createRegistry(readEnvironment({ ...webVariables, ...variables }));
  const { post, issuer } = attestingServer(registry);
  return {
    post,
    close: () => void issuer().then((running) => running.close()),
    end: () =>
      Promise.all([registry.guardedFetch.close(), registry.database?.end(), registry.limitsDatabase?.end()]),
  };
}

/** Publishers who ask for new DIDs and, again, for those that they have, without a pause. */
function askOnAndOn({ host }: Rehearsal, first: Process) {
  let serving: readonly Process[] = [first];
  let isOver = false;
  const open = new Map<Process, number>();
  const answers: string[] = [];
  const attested = new Map<string, { did: string; wallet: Hex }>();

  const ask = async (turn: number, { did, wallet }: { did: string; wallet: Hex }) => {
    const server = serving[turn % serving.length] as Process;
    open.set(server, (open.get(server) ?? 0) + 1);
    const response = await server.post({ did, connectedAddress: wallet });
    open.set(server, (open.get(server) ?? 0) - 1);
    const { code, status, retryable } = (await response.json()) as Record<string, string | boolean>;
    answers.push(`${response.status} ${code ?? status}${retryable === true ? " retryable" : ""}`);
    if (response.ok) attested.set(did, { did, wallet });
  };
  const publisher = async (index: number) => {
    const wallet = localAccount(index).address;
    for (let turn = index; !isOver; turn++) {
      const did = host.did(wallet);
      await ask(turn, { did, wallet });
      await ask(turn + 1, { did, wallet });
    }
  };
  const publishers = [1, 2, 3].map(publisher);
  const until = async (isReached: () => boolean) => {
    while (!isReached())
      await Promise.race([...publishers, new Promise((resolve) => setTimeout(resolve, 20))]);
  };
  return {
    serveBy: (...processes: Process[]) => {
      serving = processes;
    },
    drained: (process: Process) => until(() => (open.get(process) ?? 0) === 0),
    /** Waits for so many more. */
    answers(count: number) {
      const wanted = answers.length + count;
      return until(() => answers.length >= wanted);
    },
    async end() {
      isOver = true;
      await Promise.all(publishers);
      return { answers, attested: [...attested.values()] };
    },
  };
}
