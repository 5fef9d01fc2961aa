import { serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { probeEndpoint } from "./probeEndpoint.ts";
import { createRobotsCache, withRobotsTxt } from "./robots.ts";
import { readRobotsRules } from "./robotsRules.ts";

const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 5_000 });

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
    ["a page", "<!doctype html><title>Hello: world</title>", "/a/page", "asked"],
    ["bytes", "\u0000\u0001\ufffd:\u0000", "/a/page", "asked"],
    [
      "ten thousand agents with ten thousand rules",
      `${agents}\n${"Disallow: /\n".repeat(20_000)}`,
      "/a/page",
      "asked",
    ],
    [
      "one agent ten thousand times",
      `${"User-agent: *\n".repeat(10_000)}${"Disallow: /\n".repeat(20_000)}`,
      "/a/page",
      no,
    ],
    ["ten thousand groups", "User-agent: *\nDisallow: /x\n".repeat(10_000), "/a/page", "asked"],
    [
      "patterns with many wildcards",
      `User-agent: *\n${`Disallow: /${"*a".repeat(60)}b\n`.repeat(3_800)}`,
      `/${"a".repeat(2_000)}`,
      "asked",
    ],
    [
      "matching patterns with many wildcards",
      `User-agent: *\n${`Disallow: /${"*a".repeat(60)}b$\n`.repeat(3_800)}`,
      `/${"a".repeat(2_000)}b`,
      no,
    ],
    [
      "repetitive patterns",
      `User-agent: *\n${`Disallow: *${"a".repeat(1_000)}b\n`.repeat(500)}`,
      `/${"a".repeat(2_000)}`,
      "asked",
    ],
    ["more than a MiB", "User-agent: x\n".repeat(200_000), "/a/page", no],
    // @threat documents: A response that stalls the prober or fills its database
  ])("obeys %s", async (_what, robots, path, expected) => {
    const said = await ask(robots, path);
    if (typeof expected === "string") expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  // Examples and rules of RFC 9309, section 2.2.
  it.each<[rules: string, path: string, isAllowed: boolean]>([
    ["Disallow: /a\nAllow: /a/b", "/a/b/c", true],
    ["Allow: /a\nDisallow: /a/b", "/a/b/c", false],
    ["Disallow: /a\nAllow: /a", "/a", true],
    ["Allow: /a\nDisallow: /a", "/a", true],
    ["Disallow: /*.php", "/x/index.php?y=1", false],
    ["Disallow: /*.php$", "/x/index.php?y=1", true],
    ["Disallow: /*.php$", "/x.php/index.php", false],
    ["Disallow: /a$", "/a", false],
    ["Disallow: /a$", "/ab", true],
    ["Disallow: /a*$", "/ab", false],
    ["Disallow: /a*b*c", "/a-c-b", true],
    ["Disallow: /a*b*c", "/a-b-c", false],
    ["Disallow: /a*aba$", "/aba", true],
    ["Disallow: /*abab", "/aababb", false],
    ["Disallow: *", "/", false],
    ["Disallow: $", "/", true],
    ["Disallow: a", "/a", true],
    ["Disallow: /?q=", "/?q=1", false],
    ["Disallow: /%7Ejoe/", "/~joe/x", false],
    ["Disallow: /~joe/", "/%7ejoe/x", false],
    ["Disallow: /a%3cd", "/a%3Cd", false],
    ["Disallow: /a%2Fb", "/a/b", true],
    ["Disallow: /\u30c4", "/%E3%83%84", false],
    ["Disallow: /%E3%83%84", "/\u30c4", false],
    ["Disallow: /a%2A", "/a*", false],
    ["Disallow: /a%2A", "/ab", true],
    ["Disallow: /a$b", "/a$b", false],
    ["Disallow: /\ud800", "/b", true],
  ])("decides for %j at %s: allowed is %s", (rules, path, isAllowed) => {
    const { isAllowed: judge } = readRobotsRules(`User-agent: *\n${rules}`, "AppRegistryProber");
    expect(judge(new URL(path, "https://a.example").href)).toBe(isAllowed);
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
