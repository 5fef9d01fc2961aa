import { execFileSync } from "node:child_process";
import { parseVersion } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import {
  findGuard,
  type InstallVariant,
  quoteShellWord,
  toConfigKey,
  toPasteableJson,
  toPasteableUrl,
} from "./clients.ts";
import { endpointInstallation, recordVariants } from "./installVariants.ts";

const did = "did:web:mcp.example.com";
const key = toConfigKey("mcp.example.com", did);
const options = { registryUrl: "https://r.example", guard: undefined };

/** Returns the words that a shell parses in each command, with a stand-in for each program. Starts one shell. */
function listShellWords(commands: string[]): string[][] {
  const show = 'f() { printf \'%s\\n\' "$@"; }; npx() { f npx "$@"; }; claude() { f claude "$@"; }; ';
  const script = `${show} curl() { f curl "$@"; }; code() { f code "$@"; }; ${commands.join("\nprintf '\\0'\n")}`;
  return execFileSync("sh", ["-c", script], {
    encoding: "utf8",
    env: { ...process.env, SECRET: "leaked", TOKEN: "key" },
  })
    .split("\0")
    .map((words) => words.trimEnd().split("\n"));
}

const shellWords = (command: string) => listShellWords([command])[0] ?? [];

const hostile = [
  "https://a.example/x';touch$IFS/tmp/x;'",
  "https://a.example/`id`?x=`id`",
  "https://a.example/$(id)?y=$(id)&z=$SECRET",
  'https://a.example/"; id; "',
  "https://a.example/--header=x",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: clients expand it
  "https://a.example/mcp?x=${env:SECRET}&y=${SECRET}&z={{SECRET}}",
  "https://a.example/{a,b}/[1-999]",
  "https://a.example/a\u202Eb\u200B",
  "https://a.example/!!?a=b#c&d",
  "https://a.example/%0a%0did",
];

describe("commands to paste", () => {
  it.each(hostile)("pass a hostile URL as one word: %s", (url) => {
    const { variants } = endpointInstallation({ name: "MCP", endpoint: url }, did, options);
    const pasted = toPasteableUrl(url);
    if (pasted === undefined) {
      expect(variants).toEqual([]);
      return;
    }
    expect(pasted).toMatch(/^https:\/\/a\.example\/[^\s{}[\]`'"]*$/);
    const getCommand = (label: string) =>
      variants.find((variant) => variant.label === label)?.blocks[0]?.text ?? "";
    const [npx, claude, curl, code] = listShellWords(
      ["add-mcp", "Claude", "curl", "VS Code"].map(getCommand),
    );
    expect(npx).toEqual(["npx", "add-mcp", pasted]);
    expect(claude?.slice(0, 7)).toEqual(["claude", "mcp", "add", "--transport", "http", key, pasted]);
    expect(curl?.[1]).toBe(pasted);
    const [, option, json] = code ?? [];
    expect(option).toBe("--add-mcp");
    expect(JSON.parse(json ?? "")).toMatchObject({ name: key, url: pasted });
  });

  it("quote a single quote inside a word", () => {
    const text = 'it\'s $(id) `id` "x"\n--flag \\';
    expect(execFileSync("sh", ["-c", `printf %s ${quoteShellWord(text)}`], { encoding: "utf8" })).toBe(text);
    expect(quoteShellWord("--flag")).toBe("'--flag'");
  });

  it("are omitted for URLs that are not web URLs or contain a user name", () => {
    for (const endpoint of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "https://bank.example@evil.example/",
      "-x",
    ]) {
      expect(endpointInstallation({ endpoint, apiTrait: "api:rest" }, did, options).variants).toEqual([]);
      expect(endpointInstallation({ name: "MCP", endpoint }, did, options).variants).toEqual([]);
    }
  });

  it("are omitted for protocols without a common client", () => {
    expect(
      endpointInstallation({ endpoint: "https://a.example", apiTrait: "api:grpc" }, did, options).variants,
    ).toEqual([]);
  });
});

describe("client configurations", () => {
  const { variants } = endpointInstallation(
    { name: "MCP", endpoint: "https://mcp.example.com/mcp", authentication: { methods: ["bearer"] } },
    did,
    options,
  );
  const getJson = (label: string) =>
    JSON.parse(variants.find((variant) => variant.label === label)?.blocks.at(-1)?.text ?? "");

  it("use the proven name as key, so that a claimed name cannot replace another entry", () => {
    expect(getJson("Claude").mcpServers).toEqual({
      [key]: {
        type: "http",
        url: "https://mcp.example.com/mcp",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the client expands it
        headers: { Authorization: "Bearer ${TOKEN}" },
      },
    });
    expect(toConfigKey("example.com/--flag/$(x)", did)).toMatch(/^example-com-flag-x-[0-9a-f]{6}$/);
    expect(toConfigKey("a.example", "did:web:a.example:x")).not.toBe(
      toConfigKey("a.example", "did:web:a.example:y"),
    );
    expect(getJson("VS Code").servers).toHaveProperty(key);
  });

  it("escape invisible characters", () => {
    expect(toPasteableJson({ a: "x\u202Ey\u{1F600}" })).toBe('{"a":"x\\u202ey\\ud83d\\ude00"}');
  });
});

describe("the guard's commands", () => {
  const guardPackage = "https://r.example/packages/app-registry-mcp-0.1.0-0661b21832a3d297.tgz";
  const endpoint = {
    name: "MCP",
    endpoint: "https://mcp.example.com/mcp",
    authentication: { oauth2: { authorizationUrl: "https://login.example/a" } },
  };
  const args = [
    ...["-y", guardPackage, "connect", did, "--registry", "https://r.example"],
    ...["--header", "Authorization: Bearer {TOKEN}"],
  ];
  const guard = { package: guardPackage, target: did };
  const installed = endpointInstallation(endpoint, did, { ...options, guard });
  const [guarded, direct] = installed.variants;
  const listBlocks = (label: string) =>
    guarded?.variants?.find((variant) => variant.label === label)?.blocks ?? [];
  const words = (block: InstallVariant["blocks"][number] | undefined) => shellWords(block?.text ?? "");

  it("are the first tab for each client, before the direct connection", () => {
    expect(installed.variants).toHaveLength(2);
    const labels = guarded?.variants?.map(({ label }) => label);
    expect(labels).toEqual(["Any client", "Claude", "Cursor", "VS Code", "Gemini CLI"]);
    expect(direct?.variants?.map(({ label }) => label)).toEqual([
      "add-mcp",
      "Claude",
      "Cursor",
      "VS Code",
      "curl",
    ]);
  });

  it("contain the registry and a placeholder for the credential, in shells and client configurations", () => {
    expect(words(listBlocks("Any client")[0])).toEqual(["npx", ...args]);
    const claude = ["claude", "mcp", "add", key, "--env", "TOKEN=YOUR_ACCESS_TOKEN", "--", "npx", ...args];
    expect(words(listBlocks("Claude")[0])).toEqual(claude);
    const env = { TOKEN: "YOUR_ACCESS_TOKEN" };
    const entry = { command: "npx", args, env };
    expect(JSON.parse(listBlocks("Any client")[1]?.text ?? "")).toEqual({
      mcpServers: { [key]: { command: "cmd", args: ["/c", "npx", ...args], env } },
    });
    for (const label of ["Claude", "Cursor", "Gemini CLI"]) {
      const servers = { mcpServers: { [key]: entry } };
      expect(JSON.parse(listBlocks(label).at(-1)?.text ?? ""), label).toEqual(servers);
    }
    const [, , json] = words(listBlocks("VS Code")[0]);
    expect(JSON.parse(json ?? "")).toEqual({ name: key, ...entry });
    expect(JSON.parse(listBlocks("VS Code")[1]?.text ?? "").servers[key]).toMatchObject(entry);
  });

  it("are offered for the first MCP server, and pin an older version", () => {
    const second = { ...endpoint };
    expect(findGuard(endpoint, [endpoint, second], did, guardPackage)).toEqual(guard);
    expect(findGuard(second, [endpoint, second], did, guardPackage)).toBeUndefined();
    expect(findGuard(endpoint, [endpoint], did, undefined)).toBeUndefined();
    const pinned = findGuard(endpoint, [{ name: "REST" }, endpoint], did, guardPackage, "1.0.0");
    expect(pinned).toEqual({ ...guard, target: `${did}@1.0.0` });
  });
});

describe("the first request to an MCP server", () => {
  const createBody = (protocolVersion?: string) => {
    const endpoint = { name: "MCP", endpoint: "https://a.example/" };
    const { variants } = endpointInstallation(endpoint, did, { ...options, protocolVersion });
    const words = shellWords(variants.at(-1)?.blocks[0]?.text ?? "");
    return { words, body: JSON.parse(words.at(-1) ?? "") };
  };

  it.each([undefined, "2026-07-28", "1.0'; id"])("discovers the server without a handshake: %s", (found) => {
    const { words, body } = createBody(found);
    expect(body).toMatchObject({
      method: "server/discover",
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
    });
    expect(words).toContain("MCP-Protocol-Version: 2026-07-28");
    expect(words).toContain("Mcp-Method: server/discover");
  });

  it("initializes a server with an older version", () => {
    const { words, body } = createBody("2025-06-18");
    expect(body).toMatchObject({ method: "initialize", params: { protocolVersion: "2025-06-18" } });
    expect(words.join(" ")).not.toContain("Mcp-Method");
  });
});

describe("authentication that a record declares", () => {
  it("requires an OAuth token and leaves the sign-in to MCP clients", () => {
    const authentication = { oauth2: { authorizationUrl: "https://login.example/a", scopes: ["read"] } };
    const { needs, variants } = endpointInstallation(
      { name: "MCP", endpoint: "https://a.example/", authentication },
      did,
      options,
    );
    expect(needs).toEqual([
      "Requires an OAuth 2 access token. You sign in at login.example. Requested scopes: read.",
      "Set it as the environment variable TOKEN.",
    ]);
    expect(variants[0]?.blocks[0]?.text).toBe("npx add-mcp https://a.example/");
    expect(variants.at(-1)?.blocks[0]?.text).toContain(`-H 'Authorization: Bearer '"$TOKEN"`);
  });

  it.each(["X-Key: 1\r\nHost", "X Key", "k';id;'", "k\u202e", "X-$SECRET", "--next"])(
    "passes the header name %j of an API key as one word, or not at all",
    (name) => {
      const endpoint = {
        endpoint: "https://a.example/",
        apiTrait: "api:rest",
        authentication: { apiKey: { in: "header", name } },
      };
      const { needs, variants } = endpointInstallation(endpoint, did, options);
      expect(needs.join()).toMatch(/^Requires an API key in the header [^\u202e]+\.$/);
      const words = shellWords(variants[0]?.blocks[0]?.text ?? "");
      const header = name === "--next" ? ["-H", "--next: key"] : [];
      expect(words).toEqual(["curl", "https://a.example/", ...header]);
    },
  );
});

describe("commands for a record", () => {
  const version = parseVersion("1.2.3");

  it("verify and read one version", () => {
    const [sdk, curl] = recordVariants("did:web:localhost%3A3000:a", version, "http://localhost:3000");
    expect(sdk?.blocks[0]?.text).toContain('did: "did:web:localhost%3A3000:a"');
    expect(curl?.blocks.map(({ text }) => text)).toEqual([
      "curl http://localhost:3000/api/apps/did:web:localhost%253A3000:a/v/1.2.3",
      "curl http://localhost:3000/api/data-url/did:web:localhost%253A3000:a/v/1.2.3",
    ]);
  });

  it("call a contract through an RPC that the reader chooses", () => {
    const pkh = "did:pkh:eip155:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
    const labels = recordVariants(pkh, version, "https://r.example").map(({ label }) => label);
    expect(labels).toEqual(["sdk", "curl", "viem", "cast"]);
    const cast = recordVariants(pkh, version, "https://r.example").at(-1)?.blocks[0]?.text;
    expect(cast).toContain(
      "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed 'owner()(address)' --rpc-url YOUR_RPC_URL",
    );
  });
});
