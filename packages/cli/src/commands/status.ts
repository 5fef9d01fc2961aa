import { statusNames } from "@app-registry/sdk";
import { inTime } from "../connection.ts";
import { parseDidName, parseMajor, parseStatusName } from "../inputs.ts";
import { type Program, signs } from "../program.ts";
import { callOutcome, openSender } from "../sending.ts";

const help = `
Setting the status that stands is done already and sends nothing.

Examples:
  $ app-registry status did:web:example.com
  $ app-registry status did:web:example.com deprecated --major 1`;

/** `status`: shows or sets whether a service is Active, Deprecated or Replaced. */
export function addStatus({ root, action }: Program): void {
  const command = root
    .command("status")
    .description("show or set the status of a service")
    .argument("<did>", "DID of the service", parseDidName)
    .argument("[status]", "active, deprecated or replaced: set it", parseStatusName)
    .option("--major <number>", "major version (default: the latest)", parseMajor)
    .addHelpText("after", help);
  signs(command).action(
    action(async ({ terminal, connect }, did, status, options) => {
      const connection = await connect();
      const { client } = connection;
      const { major, present } = await inTime(connection, async () => {
        const major = options.major ?? (await client.latestMajor(did));
        const { status: present } = await client.getAppSummary({ did, major });
        return { major, present };
      });
      const json = { did, major, recordStatus: statusNames[status ?? present] };
      if (status === undefined || status === present) {
        const line = `Major version ${major} of ${did} is ${statusNames[present]}.`;
        return { json: { status: "unchanged", ...json }, lines: [line] };
      }
      const sender = await openSender(connection, options, terminal);
      return callOutcome(connection, sender, client.prepareUpdateStatus({ did, major, status }), json);
    }),
  );
}
