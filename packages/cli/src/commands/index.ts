import { addHelp } from "../help.ts";
import type { Root, Run } from "../program.ts";
import { addAttest } from "./attest.ts";
import { addChallenge } from "./challenge.ts";
import { addControllers } from "./controllers.ts";
import { addGet } from "./get.ts";
import { addHash } from "./hash.ts";
import { addInit } from "./init.ts";
import { addPublish } from "./publish.ts";
import { addReclaim } from "./reclaim.ts";
import { addRevoke } from "./revoke.ts";
import { addSearch } from "./search.ts";
import { addStatus } from "./status.ts";
import { addUpdate } from "./update.ts";
import { addValidate } from "./validate.ts";
import { addVerify } from "./verify.ts";
import { addVersions } from "./versions.ts";

const commands = [
  addVerify,
  addGet,
  addSearch,
  addVersions,
  addHash,
  addValidate,
  addInit,
  addPublish,
  addUpdate,
  addStatus,
  addControllers,
  addChallenge,
  addReclaim,
  addAttest,
  addRevoke,
];

/** Adds every command to the program. */
export function addCommands(root: Root, run: Run): void {
  for (const add of commands) add(root, run);
  for (const command of [root, ...root.commands.filter(({ commands: own }) => own.length > 0)])
    addHelp(command);
}
