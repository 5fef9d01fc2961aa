import { addNewcomerCommand } from "../newcomerCommand.ts";
import type { Root, Run } from "../program.ts";

const help = `
You must count as a controller of the DID; the newcomer must still be waiting.

Example:
  $ app-registry reject did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8`;

/** `reject`: keep a waiting newcomer from counting as a controller. */
export function addReject(root: Root, run: Run): void {
  addNewcomerCommand(root, run, {
    name: "reject",
    description: "keep a waiting newcomer from counting as a controller",
    help,
    prepare: (client, about) => client.prepareRejectController(about),
  });
}
