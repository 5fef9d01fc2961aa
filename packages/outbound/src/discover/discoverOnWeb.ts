import { isJsonObject, type JsonObject, parseJsonStrict } from "@app-registry/sdk";
import { mediaTypeIn } from "../fetch/mediaType.ts";
import { ImportError } from "../import/importError.ts";
import { importMcp } from "../import/importMcp.ts";
import { getSite } from "../site.ts";
import { detectDocument } from "./detectDocument.ts";
import { DiscoverySession } from "./discoverySession.ts";
import { type Discovery, type Finding, type FindingKind, findingKinds } from "./finding.ts";
import { isSameSite } from "./isSameSite.ts";
import { ADDRESS_LOOK } from "./labels.ts";
import { createGatedMcpFinding } from "./read/createGatedMcpFinding.ts";
import { createMcpFinding } from "./read/createMcpFinding.ts";
import { MAX_OPENAPI_SIZE } from "./read/openApiFinding.ts";
import type { Page } from "./read/readPage.ts";
import { type Remote, serverCardFinding } from "./read/serverCard.ts";
import { listIcons, websiteFinding } from "./read/websiteFinding.ts";
import { suggestDids } from "./suggestDids.ts";
import type { DiscoverOptions } from "./target.ts";

/** Maximum number of links followed from one catalog or registration file. */
const MAX_LINKS = 3;

/** Paths of documents, at which no MCP server responds. */
const isDocument = /\/\.well-known\/|\.(?:json|ya?ml|html?|txt|xml)$/i;

/** Conventional paths for each kind of service. The paths of one list are requested in order until one responds. */
const wellKnownLocations: { kind: FindingKind; lookedFor: string; paths: string[] }[] = [
  {
    kind: "mcp",
    lookedFor: "an MCP server card",
    paths: ["/.well-known/mcp/server-card.json", "/.well-known/mcp.json"],
  },
  {
    kind: "a2a",
    lookedFor: "an agent card",
    paths: ["/.well-known/agent-card.json", "/.well-known/agent.json"],
  },
  {
    kind: "openapi",
    lookedFor: "an OpenAPI document",
    paths: ["/openapi.json", "/openapi.yaml", "/api/openapi.json", "/v3/api-docs"],
  },
  {
    kind: "erc8004",
    lookedFor: "an agent's registration file",
    paths: ["/.well-known/agent-registration.json"],
  },
  { kind: "metadata", lookedFor: "an AI catalog", paths: ["/.well-known/ai-catalog.json"] },
  { kind: "openapi", lookedFor: "an API catalog", paths: ["/.well-known/api-catalog"] },
];

/** Conventional paths of MCP servers. */
const mcpPaths = ["/mcp", "/sse"];

/** Finds a service at a URL and at the conventional paths of its host. */
export async function discoverOnWeb(
  url: URL,
  did: string | undefined,
  { guardedFetch, kind, timeout = 20_000 }: DiscoverOptions,
): Promise<Discovery> {
  const search = new WebDiscovery(url, new DiscoverySession(guardedFetch, timeout), kind);
  await search.run();
  const { findings, inquiry } = search;
  return { input: url.href, dids: suggestDids(url, did), findings, looked: inquiry.looked };
}

class WebDiscovery {
  readonly inquiry: DiscoverySession;
  readonly #address: URL;
  readonly #kind: FindingKind | undefined;
  readonly #found: Finding[] = [];
  /** Findings read from the requested URL itself. */
  readonly #direct = new Set<Finding>();
  #website: Finding | undefined;
  readonly #asked = new Set<string>();

  constructor(address: URL, inquiry: DiscoverySession, kind: FindingKind | undefined) {
    this.#address = address;
    this.inquiry = inquiry;
    this.#kind = kind;
  }

  /** Findings in order: those of the requested kind, then those of the URL itself, then the more specific kinds. */
  get findings(): Finding[] {
    const rank = (finding: Finding) =>
      (finding.kind === this.#kind ? 0 : 100) +
      (this.#direct.has(finding) ? 0 : 10) +
      findingKinds.indexOf(finding.kind);
    const findings = this.#found.toSorted((one, other) => rank(one) - rank(other));
    if (!this.#website) return findings;
    return this.#kind === "website" ? [this.#website, ...findings] : [...findings, this.#website];
  }

  async run(): Promise<void> {
    const mayBeMcp = this.#kind === undefined || this.#kind === "mcp";
    await Promise.all([
      this.#readDocument(this.#address, ADDRESS_LOOK),
      mayBeMcp && !isDocument.test(this.#address.pathname)
        ? this.#readMcp(this.#address, this.#kind === "mcp" || isMcpPath(this.#address))
        : undefined,
    ]);
    // The host can't be reached, so no other path of it can be read.
    if (this.#found.length === 0 && this.inquiry.hasNoHost) return;
    if (this.#found.length === 0 && this.#kind !== "website") await this.#guess();
    await this.#completeTexts();
  }

  async #guess(): Promise<void> {
    const picked = this.#kind;
    if (picked !== undefined) await this.#guessKinds((kind) => kind === picked);
    if (this.#found.length === 0) await this.#guessKinds((kind) => kind !== picked);
  }

  async #guessKinds(isWanted: (kind: FindingKind) => boolean): Promise<void> {
    await Promise.all([
      ...wellKnownLocations.filter(({ kind }) => isWanted(kind)).map((guess) => this.#tryPaths(guess)),
      ...(isWanted("mcp") ? mcpPaths : []).map((path) => this.#readMcp(new URL(path, this.#address), false)),
    ]);
  }

  async #tryPaths({ lookedFor, paths }: (typeof wellKnownLocations)[number]): Promise<void> {
    for (const path of paths) {
      if (await this.#readDocument(new URL(path, this.#address), lookedFor)) return;
    }
  }

  /** Reads a document and records its findings. Returns true if it is recognized and not a web page. */
  async #readDocument(url: URL, lookedFor: string, isFollowed = true): Promise<boolean> {
    if (this.#asked.has(url.href)) return false;
    this.#asked.add(url.href);
    const isAddress = url.href === this.#address.href;
    const recognised = await this.inquiry.ask(url.href, lookedFor, async () => {
      const found = await detectDocument(await this.inquiry.document(url, MAX_OPENAPI_SIZE));
      // Some hosts return their page for every path, so a page says nothing about the path.
      return found?.type === "page" && !isAddress ? undefined : found;
    });
    if (!recognised) return false;
    const { type } = recognised;
    if (type === "page") {
      const descriptions = recognised.page.links.filter(({ rel }) => rel.includes("service-desc"));
      const isWanted = this.#kind === undefined || this.#kind === "openapi";
      await Promise.all([
        this.#readWebsite(recognised.page, recognised.url),
        isWanted
          ? this.#follow(
              descriptions.map(({ href }) => href),
              url,
            )
          : undefined,
      ]);
      return false;
    }
    if (type === "finding") this.#add(recognised.finding, isAddress);
    if (type === "server card") await this.#readRemotes(recognised.card, recognised.remotes, url);
    else if (isFollowed) await this.#follow(recognised.links, url);
    return true;
  }

  /** Reads up to `MAX_LINKS` linked documents that are on the same site. */
  async #follow(links: readonly string[], from: URL): Promise<void> {
    const places = links.flatMap((link) => (URL.canParse(link, from.href) ? [new URL(link, from)] : []));
    await Promise.all(
      places.slice(0, MAX_LINKS).map(async (place) => {
        if (!this.#mayAsk(place)) return;
        const isMcp = !isDocument.test(place.pathname) && isMcpPath(place);
        await (isMcp
          ? this.#readMcp(place, false)
          : this.#readDocument(place, `a document linked from ${from.pathname}`, false));
      }),
    );
  }

  async #readRemotes(card: JsonObject, remotes: readonly Remote[], from: URL): Promise<void> {
    for (const remote of remotes.slice(0, MAX_LINKS)) {
      const place = new URL(remote.url);
      const isRead = this.#mayAsk(place) && (await this.#readMcp(place, true));
      if (!isRead && isSameSite(place, from)) this.#add(serverCardFinding(card, remote), false);
    }
  }

  #mayAsk(place: URL): boolean {
    if (isSameSite(place, this.#address)) return true;
    const reason = "Skipped because it's on another site. If it's yours, enter its address above.";
    this.inquiry.skip(place.href, "a linked document", reason);
    return false;
  }

  /**
   * Reads an MCP server and records its findings. Returns true if there is one.
   *
   * @param isExpected True if the URL is declared to be an MCP server. A request for credentials then counts as one.
   */
  async #readMcp(url: URL, isExpected: boolean): Promise<boolean> {
    const key = `mcp ${url.href}`;
    if (this.#asked.has(key)) return this.#found.some((finding) => finding.url === url.href);
    this.#asked.add(key);
    const { guardedFetch, signal } = this.inquiry;
    const finding = await this.inquiry.ask(url.href, "an MCP server", async () => {
      try {
        return createMcpFinding(await importMcp(url.href, { guardedFetch, signal }));
      } catch (error) {
        if (!(error instanceof ImportError) || !error.needsAccess) throw error;
        return await createGatedMcpFinding(url, error, {
          readJson: (place) => this.#readJson(place),
          isExpected,
        });
      }
    });
    if (finding) this.#add(finding, url === this.#address);
    return finding !== undefined;
  }

  /** Reads a JSON object within the current attempt. Returns `undefined` if the URL does not serve one. */
  async #readJson(url: URL): Promise<JsonObject | undefined> {
    try {
      const document: unknown = parseJsonStrict((await this.inquiry.document(url)).text);
      return isJsonObject(document) ? (document as JsonObject) : undefined;
    } catch {
      return undefined;
    }
  }

  #add(finding: Finding, isDirect: boolean): void {
    if (this.#found.some(({ kind, url }) => kind === finding.kind && url === finding.url)) return;
    this.#found.push(finding);
    if (isDirect) this.#direct.add(finding);
  }

  /** Reads the host's web page, or that of its site, for the publisher and the icon, which an API does not provide. */
  async #completeTexts(): Promise<void> {
    if (this.#website || this.#found.some(({ kind }) => kind === "metadata")) return;
    const site = getSite(this.#address.hostname);
    const places = [
      new URL("/", this.#address),
      ...(site === null || site === this.#address.hostname ? [] : [new URL(`https://${site}/`)]),
    ];
    for (const place of places) {
      const page = await this.inquiry.ask(place.href, "the site's page", async () => {
        const found = await detectDocument(await this.inquiry.document(place));
        return found?.type === "page" ? found : undefined;
      });
      if (page) return this.#readWebsite(page.page, page.url);
    }
  }

  async #readWebsite(page: Page, url: string): Promise<void> {
    this.#website = websiteFinding(page, url);
    if (listIcons(page).length > 0) return;
    const favicon = new URL("/favicon.ico", url);
    const isImage = await this.inquiry.ask(favicon.href, "the site's icon", async () => {
      const { guardedFetch, signal } = this.inquiry;
      const response = await guardedFetch.fetch(favicon, { signal });
      await response.body?.cancel();
      return response.ok && mediaTypeIn(response.headers).startsWith("image/") ? true : undefined;
    });
    if (isImage) this.#website = websiteFinding(page, url, favicon.href);
  }
}

const isMcpPath = ({ pathname }: URL): boolean => /\/(?:mcp|sse)\/?$/i.test(pathname);
