import { serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { probeEndpoint } from "./probeEndpoint.ts";
import { createRobotsCache, withRobotsTxt } from "./robots.ts";

const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 30_000 });

/** Starts a host with the given robots.txt, and a fetcher that obeys it. */
async function serveRobots(robots: string) {
  const origin = await serveHttp((request, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.end(request.url === "/robots.txt" ? robots : "page");
  });
  const cache = createRobotsCache(() => Date.now() / 1_000);
  return { origin, obedient: withRobotsTxt(guardedFetch, { token: "AppRegistryProber", cache }) };
}

/** Sends a request to a host with the given robots.txt, and returns the response or the error message. */
async function ask(robots: string, path = "/a/page") {
  const { origin, obedient } = await serveRobots(robots);
  return obedient.fetch(origin + path).then(
    () => "asked",
    ({ shortMessage }: { shortMessage: string }) => shortMessage,
  );
}

const agents = Array.from({ length: 10_000 }, (_, place) => `User-agent: a${place}`).join("\n");
const no = /doesn't allow AppRegistryProber|too large/;
const tooComplex = /too complex/;

describe("withRobotsTxt", () => {
  it.each<[what: string, robots: string, path: string, expected: string | RegExp]>([
    ["a rule for all agents", "User-agent: *\nDisallow: /a", "/a/page", no],
    ["a rule for another agent", "User-agent: other\nDisallow: /", "/a/page", "asked"],
    [
      "a group of several agents",
      "User-agent: other\nUser-agent: appregistryprober/1 # us\nDisallow: /a",
      "/a/page",
      no,
    ],
    [
      "a group of several agents, ours first",
      "User-agent: AppRegistryProber\nUser-agent: other\nDisallow: /a",
      "/a/page",
      no,
    ],
    [
      "a group for our agent",
      "User-agent: *\nDisallow: /\n\nUser-agent: AppRegistryProber\nDisallow:",
      "/a/page",
      "asked",
    ],
    [
      "two groups for our agent",
      "User-agent: AppRegistryProber\nDisallow: /x\nUser-agent: b\nDisallow: /\nUser-agent: AppRegistryProber\nDisallow: /a",
      "/a/page",
      no,
    ],
    ["CR alone as line break", "User-agent: *\rDisallow: /a\r", "/a/page", no],
    [
      "a group after a sitemap",
      "User-agent: b\nDisallow: /x\nSitemap: https://a.test/\nUser-agent: *\nDisallow: /a",
      "/a/page",
      no,
    ],
    ["a pattern", "User-agent: *\nDisallow: /*/pa*e$", "/a/page", no],
    ["a longer rule that allows", "User-agent: *\nDisallow: /a\nAllow: /a/p", "/a/page", "asked"],
    ["a page", "<!doctype html><title>Hello: world</title>", "/a/page", "asked"],
    ["bytes", "\u0000\u0001\ufffd:\u0000", "/a/page", "asked"],
    [
      "ten thousand agents with ten thousand rules",
      `${agents}\n${"Disallow: /\n".repeat(20_000)}`,
      "/a/page",
      tooComplex,
    ],
    [
      "one agent ten thousand times",
      `${"User-agent: *\nx\n:\n".repeat(10_000)}${"Disallow: /\n".repeat(20_000)}`,
      "/a/page",
      tooComplex,
    ],
    ["ten thousand groups", "User-agent: *\nDisallow: /x\n".repeat(10_000), "/a/page", "asked"],
    [
      "patterns with many wildcards",
      `User-agent: *\n${`Disallow: /${"*a".repeat(60)}b\n`.repeat(3_800)}`,
      `/${"a".repeat(2_000)}`,
      tooComplex,
    ],
    [
      "repetitive patterns",
      `User-agent: *\n${`Disallow: *${"a".repeat(1_000)}b\n`.repeat(500)}`,
      `/${"a".repeat(2_000)}`,
      tooComplex,
    ],
    [
      "many short rules for a long path",
      `User-agent: *\n${"Disallow: /b\n".repeat(39_000)}`,
      `/${"a".repeat(2_000)}`,
      tooComplex,
    ],
    ["many rules for a short path", `User-agent: *\n${"Disallow: /b\n".repeat(39_000)}`, "/a", "asked"],
    ["more than a MiB", "User-agent: x\n".repeat(200_000), "/a/page", no],
    // @threat documents: A response that stalls the prober or fills its database, or a probe that counts twice
  ])("obeys %s", async (_what, robots, path, expected) => {
    const said = await ask(robots, path);
    if (typeof expected === "string") expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  it("reports that robots.txt disallows the OpenAPI document of a responding API", async () => {
    const { origin, obedient } = await serveRobots("User-agent: *\nDisallow: /openapi.json");
    const entry = { name: "REST", endpoint: `${origin}/api`, schemaUrl: `${origin}/openapi.json` };
    expect(await probeEndpoint(entry, { guardedFetch: obedient })).toMatchObject({
      outcome: "answers",
      reason: "Returned HTTP 200. robots.txt doesn't allow reading its OpenAPI document.",
    });
  });
});
