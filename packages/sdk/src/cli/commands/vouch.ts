import { addNewcomerCommand } from "../newcomerCommand.ts";
import type { Root, Run } from "../program.ts";

const help = `
You must count as a controller of the DID without a vouch yourself.

Example:
  $ app-registry vouch did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8`;

/** `vouch`: let an attested newcomer count as a controller without the wait. */
export function addVouch(root: Root, run: Run): void {
  addNewcomerCommand(root, run, {
    name: "vouch",
    description: "let an attested newcomer count as a controller without the wait",
    help,
    prepare: (client, about) => client.prepareVouchController(about),
  });
}
