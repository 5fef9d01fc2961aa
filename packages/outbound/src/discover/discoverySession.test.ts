import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { DiscoverySession } from "./discoverySession.ts";

describe("DiscoverySession", () => {
  it("gives up a read that never ends when its time is over", async () => {
    const session = new DiscoverySession(createGuardedFetch(), 50);
    expect(await session.ask("https://example.com/", "a page", () => new Promise(() => {}))).toBeUndefined();
    expect(session.looked).toMatchObject([{ outcome: "failed", reason: "No answer within the time limit." }]);
  });
});
