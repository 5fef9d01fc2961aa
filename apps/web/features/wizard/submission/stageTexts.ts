import { formatVersion, type Version } from "@app-registry/sdk";
import type { StageId } from "./submission.ts";

/** What each stage of a publication does, in the words of the page. */
export function stageTitle(stage: StageId, order: { kind: "mint" | "update"; version: Version }): string {
  const titles: Record<StageId, string> = {
    control: "Show that you control the DID",
    simulate: "Try the transaction without sending it",
    sign: order.kind === "mint" ? "Sign the registration" : `Sign version ${formatVersion(order.version)}`,
    receipt: "Wait until the chain has it",
    content: "Have the content attested",
    index: "Wait until search finds it",
  };
  return titles[stage];
}
