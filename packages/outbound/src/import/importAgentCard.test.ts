import { describe, expect, it } from "vitest";
import { serveFiles } from "../../../sdk/test/httpServer.ts";
import { createGuardedFetch } from "../guardedFetch.ts";
import { importAgentCard } from "./importAgentCard.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true }) };

describe("importAgentCard", () => {
  const card = {
    name: "Planner",
    description: "Plans",
    url: "https://agent.example/a2a",
    skills: [],
    extra: { kept: 1 },
  };

  it("reads a card from its address, with every field", async () => {
    const { files, origin } = await serveFiles();
    files.set("/card.json", JSON.stringify(card));
    expect(await importAgentCard(`${origin}/card.json`, source)).toEqual({
      url: `${origin}/card.json`,
      card,
    });
  });

  it("finds the card of a domain at its well-known places", async () => {
    const { files, origin } = await serveFiles();
    await expect(importAgentCard(`${origin}/`, source)).rejects.toMatchObject({
      code: "http-status",
      status: 404,
    });
    files.set("/.well-known/agent.json", JSON.stringify(card));
    expect((await importAgentCard(`${origin}/`, source)).url).toBe(`${origin}/.well-known/agent.json`);
    files.set("/.well-known/agent-card.json", JSON.stringify({ ...card, name: "Newer" }));
    expect((await importAgentCard(origin, source)).card.name).toBe("Newer");
  });

  it.each([
    ["no JSON", "{", "line 1"],
    ["duplicate keys", '{"name":"a","name":"b"}', "/name"],
    ["no name", "{}", "/name"],
  ])("says what is wrong with a card of %s", async (_, body, place) => {
    const { files, origin } = await serveFiles();
    files.set("/bad.json", body);
    const promise = importAgentCard(`${origin}/bad.json`, source);
    await expect(promise).rejects.toMatchObject({
      code: "agent-card-invalid",
      message: expect.stringContaining(place),
    });
  });
});
