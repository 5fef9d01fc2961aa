import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import getPort from "get-port";
import { sharedForBlock } from "../../apps/web/lib/server/http/request.ts";
import {
  answers,
  rootDirectory,
  type Service,
  startService,
  waitUntilReady,
} from "../../scripts/stack/processes.ts";
import { hasProgram } from "./hasProgram.ts";

/** Runs nginx with the file of deploy/, in front of a server that answers with the number of its block. */
(hasProgram("nginx", "-v") ? describe : describe.skip)("deploy/nginx-cache.conf", () => {
  let directory: string;
  let service: Service;
  let server: Server;
  let url: string;
  let block = 1;
  let reached: (string | undefined)[] = [];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "cache-"));
    server = createServer((request, response) => {
      reached.push(request.headers["x-forwarded-for"] as string | undefined);
      const isShared = request.url?.startsWith("/shared");
      response.writeHead(200, {
        "cache-control": isShared ? sharedForBlock : "no-store",
        etag: `W/"${block}"`,
        vary: "Accept",
      });
      response.end(`block ${block} as ${request.headers.accept}`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const port = await getPort();
    url = `http://127.0.0.1:${port}`;
    const given = await readFile(join(rootDirectory, "deploy/nginx-cache.conf"), "utf8");
    const settings = given
      .replaceAll("/var/cache/nginx/registry", join(directory, "cache"))
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${(server.address() as AddressInfo).port}`)
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${join(directory, name)};`)
      .join(" ");
    // As root, nginx would serve as another user, who can't read this folder.
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const head = `${user} daemon off; pid ${join(directory, "pid")}; error_log stderr; events {}`;
    const file = join(directory, "nginx.conf");
    await writeFile(file, `${head}\nhttp { access_log off; ${paths}\n${settings} }`);
    service = await startService({
      name: "nginx",
      command: ["nginx", "-e", "stderr", "-c", file],
      settings: {},
      logDirectory: directory,
    });
    await waitUntilReady(service, () => answers(url));
  });
  beforeEach(() => {
    reached = [];
  });
  after(async () => {
    await service?.stop();
    server?.closeAllConnections();
    server?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const get = async (path: string, client = "203.0.113.1", accept = "a/a") => {
    const headers = { "x-forwarded-for": client, accept };
    return (await fetch(`${url}${path}`, { headers })).text();
  };

  it("answers many clients with one request to the app, and names the client to it", async () => {
    const texts = await Promise.all(
      Array.from({ length: 20 }, (_, client) => get("/shared/many", `203.0.113.${client}`)),
    );
    expect(new Set(texts)).to.deep.equal(new Set(["block 1 as a/a"]));
    expect(reached).to.have.length(1);
    expect(reached[0]).to.match(/^203\.0\.113\.\d+, 127\.0\.0\.1$/);
    expect(await get("/shared/many", "203.0.113.1", "b/b")).to.equal("block 1 as b/b");
  });

  it("keeps no answer that is for one client", async () => {
    for (let count = 1; count <= 3; count++) {
      await get("/own");
      expect(reached).to.have.length(count);
    }
  });

  it("asks the app once for the next block, and then answers with it", async () => {
    expect(await get("/shared/next")).to.equal(`block ${block} as a/a`);
    block++;
    for (;;) {
      const before = reached.length;
      const text = await get("/shared/next");
      if (text === `block ${block} as a/a`) break;
      // Until the answer is too old, it comes from the cache.
      expect(reached.length - before).to.be.at.most(1);
      await sleep(100);
    }
    expect(reached).to.have.length(2);
  });
});
