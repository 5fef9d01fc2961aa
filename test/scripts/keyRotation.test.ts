import { expect } from "chai";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { createRegistry } from "../../apps/web/lib/server/registry.ts";
import { attestingServer } from "../../apps/web/lib/server/test/attestingServer.ts";
import { readEnvironment } from "../../packages/server/src/environment.ts";
import { ISSUER_INDEX, localAccount, localPrivateKey } from "../../scripts/stack/accounts.ts";
import { type Runbook, startRunbook } from "./runbook.ts";

/** Answers to wait for between two steps of the rotation. */
const ANSWERS = 20;
/** Seconds until an attestation on a claimed DID matures: the resolver's default. */
const MATURATION = 48 * 3_600;

type Process = ReturnType<typeof startProcess>;

/** Starts the part of a web process that attests. */
function startProcess(settings: Record<string, string>) {
  const registry = createRegistry(readEnvironment(settings));
  const { post, issuer } = attestingServer(registry);
  return {
    post,
    close: async () => {
      (await issuer()).close();
      const { guardedFetch, database, limitsDatabase } = registry;
      await Promise.all([guardedFetch.close(), database.end(), limitsDatabase.end()]);
    },
  };
}

/** Requests attestations for new DIDs as publishers, each twice, without a pause. */
function startRequests({ host }: Runbook, first: Process) {
  let serving: readonly Process[] = [first];
  let isOver = false;
  const open = new Map<Process, number>();
  const answers: string[] = [];
  const attested = new Map<string, Hex>();

  const request = async (turn: number, did: string, wallet: Hex) => {
    const server = serving[turn % serving.length] as Process;
    open.set(server, (open.get(server) ?? 0) + 1);
    const response = await server.post({ did, connectedAddress: wallet });
    open.set(server, (open.get(server) ?? 0) - 1);
    const { code, status, retryable } = (await response.json()) as Record<string, string | boolean>;
    answers.push(`${response.status} ${code ?? status}${retryable === true ? " retryable" : ""}`);
    if (response.ok) attested.set(did, wallet);
  };
  const publishers = [1, 2, 3].map(async (index) => {
    const wallet = localAccount(index).address;
    for (let turn = index; !isOver; turn++) {
      const did = host.did(wallet);
      await request(turn, did, wallet);
      await request(turn + 1, did, wallet);
    }
  });
  const until = async (isReached: () => boolean) => {
    while (!isReached())
      await Promise.race([...publishers, new Promise((resolve) => setTimeout(resolve, 20))]);
  };
  return {
    serveBy(...processes: Process[]) {
      serving = processes;
    },
    drained: (process: Process) => until(() => (open.get(process) ?? 0) === 0),
    more() {
      const wanted = answers.length + ANSWERS;
      return until(() => answers.length >= wanted);
    },
    async end() {
      isOver = true;
      await Promise.all(publishers);
      return { answers, attested };
    },
  };
}

(process.env.TEST_LONG ? describe : describe.skip)("the runbook for an issuer key rotation", function () {
  this.timeout(600_000);

  let runbook: Runbook;
  const { info } = console;
  before(async () => {
    runbook = await startRunbook();
    // The log of the web processes would bury the test's own output.
    console.info = () => undefined;
  });
  after(async () => {
    console.info = info;
    await runbook.stop();
  });

  // @threat services: A leaked issuer key until the runbook is followed
  it("refuses no request permanently, and makes the new issuer attest every publisher", async () => {
    const { run, settings } = runbook;
    const newKey = generatePrivateKey();
    const NEW = privateKeyToAddress(newKey);
    const WEB_ENV = await runbook.writeEnvironment(newKey);
    const variables = { OLD: localAccount(ISSUER_INDEX).address, NEW, WEB_ENV };

    const oldKey = localPrivateKey(ISSUER_INDEX);
    const oldProcess = startProcess({ ...settings, ISSUER_PRIVATE_KEY: oldKey });
    const requests = startRequests(runbook, oldProcess);
    await requests.more();
    await run("rotation: add", variables);
    await runbook.fund(NEW);

    const newProcess = startProcess({ ...settings, ISSUER_PRIVATE_KEY: newKey });
    requests.serveBy(oldProcess, newProcess);
    await requests.more();
    requests.serveBy(newProcess);
    await requests.drained(oldProcess);

    await run("rotation: retire", variables);
    await requests.more();
    await run("rotation: reattest", variables);
    await requests.more();
    const { answers, attested } = await requests.end();
    expect(answers.filter((answer) => !/^200 |retryable$/.test(answer))).to.deep.equal([]);

    await runbook.pass(MATURATION);
    const client = await runbook.clientOf(localAccount(0));
    expect(attested.size).to.be.greaterThan(0);
    for (const [did, controller] of attested) {
      const attestations = await client.getDidAttestations({ did, controller });
      const settled = attestations.filter((one) => one.matured).map(({ issuer }) => issuer);
      expect(settled, did).to.include(NEW);
      expect(await client.checkDid({ did, controller }), did).to.equal(true);
    }
    await Promise.all([oldProcess.close(), newProcess.close()]);
  });
});
