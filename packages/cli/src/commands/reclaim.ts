import { withTimeout } from "@app-registry/mcp";
import { parseAddress, parseCanonicalDid, parseMajor } from "../inputs.ts";
import type { Program } from "../program.ts";
import { times } from "../terminal.ts";

const help = `
If neither the minter nor the holder of a record controls its DID any more, a current controller can open a reclaim. Finish it 30 to 60 days later to receive the token, unless the minter or holder controls the DID then, or used that control to dismiss the reclaim or change the record.

Examples:
  $ app-registry reclaim open did:web:example.com --major 1
  $ app-registry reclaim show did:web:example.com --major 1 --claimant 0x7099…79C8
  $ app-registry reclaim finish did:web:example.com --major 1`;

/** Adds `reclaim open | show | finish` and `dismiss-reclaims`, for records whose holder lost control of the DID. */
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
