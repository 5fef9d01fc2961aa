import { UsageError, withTimeout } from "@app-registry/mcp";
import { type AppRegistryClient, estimateCall, MAX_BLOCK, type PreparedCall } from "@app-registry/sdk";
import type { Address } from "viem";
import { getBlock } from "viem/actions";
import { parseAddress, parseCanonicalDid, parseMajor, parseTime } from "../inputs.ts";
import type { Program } from "../program.ts";
import { times } from "../terminal.ts";

const blockHelp = `
You must be a current controller of the DID, or have an overdue renewal, and the account must not. A block ends after at most 30 days; block again to extend it. Accounts that control the DID are skipped, and a long list is sent in several transactions. A block no longer applies once more issuers than back you now have had a matured attestation of the account for the challenge period (7 days by default).

Examples:
  $ app-registry block did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --until 2027-01-31
  $ app-registry block did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC
  $ app-registry block --extend did:web:example.com`;

export function addControllers({ root, sends }: Program): void {
  const block = root
    .command("block")
    .description("block accounts from controlling the DID, or extend active blocks")
    .argument("<did>", "DID of the service", parseCanonicalDid)
    .argument("[accounts...]", "addresses of the accounts", parseAccounts)
    .option("--until <time>", "end of the block (default: 30 days from now)", parseTime)
    .option("--extend", "extend every active block of the DID")
    .addHelpText("after", blockHelp);
  sends(block, (did, named, { until: wanted, extend = false }) => {
    if (extend === named.length > 0) throw new UsageError("Name an account, or use --extend.");
    return async (connection, from) => {
      const { client } = connection;
      const until = wanted ?? (await withTimeout(connection, () => latestTime(client))) + MAX_BLOCK;
      const [controller] = named;
      if (controller !== undefined && named.length === 1) {
        return { call: client.prepareBlockController({ did, controller, until }), controller, until };
      }
      const accounts = extend ? await withTimeout(connection, () => blockedAccounts(client, did)) : named;
      if (accounts.length === 0) throw new UsageError("This DID has no active block.");
      const blocks = accounts.map((account) => ({ did, controller: account, until }));
      const call = await withTimeout(connection, () => splitBlocks(client, blocks, from));
      return { call, controllers: accounts, until };
    };
  });

  const unblock = root
    .command("unblock")
    .description("end the block on an account")
    .argument("<did>", "DID of the service", parseCanonicalDid)
    .argument("<account>", "address of the account", parseAddress("The account"))
    .addHelpText(
      "after",
      "\nYou must be a current controller of the DID, or have an overdue renewal.\n\nExample:\n  $ app-registry unblock did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    );
  sends(unblock, (did, controller) => ({ client }) => ({
    call: client.prepareUnblockController({ did, controller }),
    controller,
  }));
}

const parseAccounts = (value: string, list: readonly Address[] = []): readonly Address[] => [
  ...list,
  parseAddress("The account")(value),
];

/** Number of blocks whose gas is estimated. They fit in a transaction for any number of issuers. */
const SAMPLE = 100;
/** Highest gas of a transaction on Ethereum (EIP-7825). */
const TRANSACTION_GAS = 2 ** 24;

/** Splits a list of blocks into calls that fit in transactions. */
async function splitBlocks(
  client: AppRegistryClient,
  blocks: readonly { did: string; controller: Address; until: number }[],
  from: Address,
): Promise<PreparedCall[]> {
  const prepare = (list: typeof blocks) => client.prepareBlockControllerBatch({ blocks: list });
  if (blocks.length <= SAMPLE) return [prepare(blocks)];
  const [{ gas }, { gasLimit }] = await Promise.all([
    estimateCall(client, prepare(blocks.slice(0, SAMPLE)), from),
    getBlock(client.publicClient),
  ]);
  // Leave a quarter, because an account that is not blocked yet costs more than one whose block is extended.
  const limit = 0.75 * Math.min(Number(gasLimit), TRANSACTION_GAS);
  const size = Math.max(SAMPLE, Math.floor((limit * SAMPLE) / Number(gas)));
  const starts = Array.from({ length: Math.ceil(blocks.length / size) }, (_, index) => index * size);
  return starts.map((start) => prepare(blocks.slice(start, start + size)));
}

const latestTime = async ({ publicClient }: AppRegistryClient): Promise<number> =>
  Number((await getBlock(publicClient)).timestamp);

/** Lists the blocked accounts. Omits those that control the DID despite a block, which can't be extended. */
async function blockedAccounts(client: AppRegistryClient, did: string): Promise<Address[]> {
  const blocks = await client.getBlocks({ did });
  const states = await Promise.all(blocks.map(({ controller }) => client.getController({ did, controller })));
  return blocks.flatMap(({ controller }, index) => (states[index]?.inCharge ? [] : [controller]));
}

const challengeHelp = `
After the resolver's challenge period (7 days by default), a challenge can be resolved for the same length of time. After that it expires. If more issuers back you than the challenged controller, resolving removes that controller. Otherwise the challenge stays open.

Examples:
  $ app-registry challenge open did:web:example.com 0x7099…79C8
  $ app-registry challenge show did:web:example.com 0x7099…79C8 --challenger 0x3C44…93BC
  $ app-registry challenge resolve did:web:example.com 0x7099…79C8`;

export function addChallenge({ root, action, sends }: Program): void {
  const challenge = root
    .command("challenge")
    .description("remove a controller of a DID that fewer issuers back")
    .addHelpText("after", challengeHelp);
  const add = (name: string, description: string) =>
    challenge
      .command(name)
      .description(description)
      .argument("<did>", "DID of the service", parseCanonicalDid)
      .argument("<incumbent>", "address of the controller", parseAddress("The controller"));

  const open = add("open", "challenge a controller (you need a matured attestation)");
  sends(open, (did, incumbent) => ({ client }, challenger) => ({
    call: client.prepareChallengeDid({ did, incumbent }),
    incumbent,
    challenger,
  }));

  add("show", "show an open challenge")
    .requiredOption(
      "--challenger <address>",
      "account that opened the challenge",
      parseAddress("--challenger"),
    )
    .action(
      action(async ({ connect }, did, incumbent, { challenger }) => {
        const connection = await connect();
        const { client } = connection;
        const about = { did, incumbent, challenger };
        const found = await withTimeout(connection, async () => {
          const challenge = await client.getChallenge(about);
          // Throw for a DID that was neither attested nor registered, because it is probably misspelled.
          if (!challenge && !(await client.claimedAt({ did }))) await client.latestMajor(did);
          return challenge;
        });
        const json = { ...about, challenge: found ?? null };
        if (!found) return { json, lines: ["There is no open challenge."] };
        const { openedAt, resolvableFrom, expiresAt } = found;
        const lines = times({ opened: openedAt, "can be resolved from": resolvableFrom, expires: expiresAt });
        return { json, lines };
      }),
    );

  const resolve = add(
    "resolve",
    "resolve a challenge and remove the controller (anyone can run this)",
  ).option(
    "--challenger <address>",
    "account that opened the challenge (default: you)",
    parseAddress("--challenger"),
  );
  sends(resolve, (did, incumbent, options) => ({ client }, from) => {
    const { challenger = from } = options;
    return {
      call: client.prepareResolveChallenge({ did, incumbent, challenger }),
      incumbent,
      challenger,
    };
  });
}

const help = `
If neither the minter nor the holder of a record controls its DID any more, a current controller can open a reclaim. Finish it 30 to 60 days later to receive the token, unless the minter or holder controls the DID then, or used that control to dismiss the reclaim or change the record.

Examples:
  $ app-registry reclaim open did:web:example.com --major 1
  $ app-registry reclaim show did:web:example.com --major 1 --claimant 0x7099…79C8
  $ app-registry reclaim finish did:web:example.com --major 1`;

export function addReclaim({ root, action, sends }: Program): void {
  const reclaim = root
    .command("reclaim")
    .description("take over a record whose publisher no longer controls the DID")
    .addHelpText("after", help);
  const add = (name: string, description: string) =>
    reclaim
      .command(name)
      .description(description)
      .argument("<did>", "DID of the service", parseCanonicalDid)
      .requiredOption("--major <number>", "major version", parseMajor);

  sends(add("open", "open your reclaim of a record"), (did, { major }) => ({ client }) => ({
    call: client.prepareOpenReclaim({ did, major }),
    major,
  }));
  const finish = add("finish", "receive the token, 30 to 60 days after opening the reclaim");
  sends(finish, (did, { major }) => ({ client }) => ({
    call: client.prepareFinishReclaim({ did, major }),
    major,
  }));

  const dismiss = root
    .command("dismiss-reclaims")
    .description("end every open reclaim of a record that you may update")
    .argument("<did>", "DID of the service", parseCanonicalDid)
    .argument("<major>", "major version", parseMajor)
    .addHelpText("after", "\nExample:\n  $ app-registry dismiss-reclaims did:web:example.com 1");
  sends(dismiss, (did, major) => ({ client }) => ({
    call: client.prepareDismissReclaims({ did, major }),
    major,
  }));

  add("show", "show a claimant's reclaim")
    .requiredOption("--claimant <address>", "account that opened the reclaim", parseAddress("--claimant"))
    .action(
      action(async ({ connect }, did, { major, claimant }) => {
        const connection = await connect();
        const found = await withTimeout(connection, () =>
          connection.client.getReclaim({ did, major, claimant }),
        );
        const json = { did, major, claimant, reclaim: found ?? null };
        if (!found) return { json, lines: ["This claimant has no open reclaim."] };
        const { openedAt, finishableFrom, expiresAt } = found;
        const lines = times({ opened: openedAt, "can be finished from": finishableFrom, expires: expiresAt });
        return { json, lines };
      }),
    );
}
