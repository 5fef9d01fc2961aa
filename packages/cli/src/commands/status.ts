import { UsageError, withTimeout } from "@app-registry/mcp";
import { appStatusLabels, planReplacement } from "@app-registry/sdk";
import { SUCCESSOR_MESSAGE } from "@app-registry/sdk/internal";
import { parseCanonicalDid, parseMajor, parseStatusName } from "../inputs.ts";
import { addSigningOptions, type Program } from "../program.ts";
import { publish } from "../publishing.ts";
import { openSender, runCallCommand } from "../sending.ts";

const help = `
If the record already has this status, nothing is sent.

A replaced service names its successor in its metadata (replacedBy). With --by, the command takes two transactions: it publishes a version that names the successor, then sets the status. Safe to repeat.
${SUCCESSOR_MESSAGE}

Examples:
  $ app-registry status did:web:example.com
  $ app-registry status did:web:example.com deprecated --major 1
  $ app-registry status did:web:example.com replaced --by did:web:next.example.com`;

export function addStatus({ root, action }: Program): void {
  const command = root
    .command("status")
    .description("show or set the status of a service")
    .argument("<did>", "DID of the service", parseCanonicalDid)
    .argument("[status]", "new status: active, deprecated or replaced", parseStatusName)
    .option("--major <number>", "major version (default: the latest)", parseMajor)
    .option(
      "--by <did>",
      "successor DID (with replaced): publishes a version that names it",
      parseCanonicalDid,
    )
    .addHelpText("after", help);
  addSigningOptions(command).action(
    action(async ({ terminal, connect }, did, status, options) => {
      const { by: successor } = options;
      if (successor !== undefined && status !== 2) {
        throw new UsageError(
          "--by can only be used with the status replaced.",
          "Use: status <did> replaced --by <did>.",
        );
      }
      const connection = await connect();
      const { client } = connection;
      const { major, present } = await withTimeout(connection, async () => {
        const major = options.major ?? (await client.latestMajor(did));
        const { status: present } = await client.getAppSummary({ did, major });
        return { major, present };
      });
      if (successor !== undefined) {
        const sender = await openSender(connection, options, terminal);
        const parameters = { client, did, major, successor, baseUrl: connection.appUrl };
        const request = await withTimeout(connection, () => planReplacement(parameters));
        return publish(connection, sender, request);
      }
      const json = { did, major, recordStatus: appStatusLabels[status ?? present] };
      if (status === undefined || status === present) {
        const line = `Major version ${major} of ${did} is ${appStatusLabels[present]}.`;
        return { json: { status: "unchanged", ...json }, lines: [line] };
      }
      const sender = await openSender(connection, options, terminal);
      return runCallCommand(connection, sender, client.prepareUpdateStatus({ did, major, status }), json);
    }),
  );
}
