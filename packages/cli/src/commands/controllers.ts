import { UsageError, withTimeout } from "@app-registry/mcp";
import { type AppRegistryClient, MAX_BLOCK } from "@app-registry/sdk";
import type { Address } from "viem";
import { getBlock } from "viem/actions";
import { parseAddress, parseCanonicalDid, parseTime } from "../inputs.ts";
import type { Program } from "../program.ts";
import { times } from "../terminal.ts";

const blockHelp = `
You must be a current controller of the DID, or have an overdue renewal, and the account must not. A block ends after at most 30 days; block again to extend it. It no longer applies once more issuers than back you now have had a matured attestation of the account for the challenge period (7 days by default).

Examples:
  $ app-registry block did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --until 2027-01-31
  $ app-registry block --extend did:web:example.com`;

/** Adds `block` and `unblock`, by which a controller of a DID blocks another account. */
export function addControllers({ root, sends }: Program): void {
  const block = root
    .command("block")
    .description("block an account from controlling the DID, or extend active blocks")
    .argument("<did>", "DID of the service", parseCanonicalDid)
    .argument("[account]", "address of the account", parseAddress("The account"))
    .option("--until <time>", "end of the block (default: 30 days from now)", parseTime)
    .option("--extend", "extend every active block of the DID")
    .addHelpText("after", blockHelp);
  sends(block, (did, controller, { until: wanted, extend = false }) => {
    if (extend === (controller !== undefined)) throw new UsageError("Name one account, or use --extend.");
    return async (connection) => {
      const { client } = connection;
      const until = wanted ?? (await withTimeout(connection, () => latestTime(client))) + MAX_BLOCK;
      if (controller !== undefined) {
        return { call: client.prepareBlockController({ did, controller, until }), controller, until };
      }
      const accounts = await withTimeout(connection, () => blockedAccounts(client, did));
      if (accounts.length === 0) throw new UsageError("This DID has no active block.");
      const blocks = accounts.map((account) => ({ did, controller: account, until }));
      return { call: client.prepareBlockControllerBatch({ blocks }), controllers: accounts, until };
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

/** Adds `challenge open | show | resolve`, which remove a controller that fewer issuers attest. */
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
