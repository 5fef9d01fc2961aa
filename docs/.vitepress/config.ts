import { createHash } from "node:crypto";
import { defineConfig, type MarkdownRenderer } from "vitepress";

const page = (text: string, name: string) => ({ text, link: `/${name}` });

/** Hashes of the scripts that a page contains, for its policy (CSP 3, 8.3). */
const hashScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );

/** Keeps only the text of links to files outside docs/, which the site doesn't have. */
function unlinkSource(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("unlink-source", ({ tokens, env }) => {
    const folder = new URL(String(env.relativePath), "file:///docs/");
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const href = String(token.attrGet("href"));
          isOutside = href.startsWith(".") && !new URL(href, folder).pathname.startsWith("/docs/");
        }
        if (isOutside && token.type.startsWith("link_")) token.type = "text";
      }
    }
  });
}

const isDecision = ({ relativePath }: { relativePath: string }) => relativePath.startsWith("decisions/");

export default defineConfig({
  title: "App Registry",
  description: "How to publish, find and verify services, and how to run a registry.",
  base: "/docs/",
  outDir: "../apps/web/public/docs",
  cacheDir: "../.local/vitepress",
  cleanUrls: true,
  markdown: { config: unlinkSource },
  // The policy allows fonts from files alone.
  vite: { build: { assetsInlineLimit: 0 } },
  transformHtml: (html) =>
    html.replace(
      "<head>",
      `<head><meta http-equiv="Content-Security-Policy" content="script-src 'self' ${hashScripts(html).join(" ")}">`,
    ),
  themeConfig: {
    search: {
      provider: "local",
      // Decisions are for maintainers. They would hide the guides.
      options: { _render: (text, env, markdown) => (isDecision(env) ? "" : markdown.render(text, env)) },
    },
    siteTitle: "← App Registry",
    outline: [2, 3],
    // The registry's home page. Without a target, the site's router would look for a page of its own.
    logoLink: { link: "/", target: "_self" },
    sidebar: [
      {
        text: "Start",
        items: [
          page("Where to begin", ""),
          page("Concepts", "concepts"),
          page("Trust model", "trust"),
          page("Deceptions in pictures", "gallery"),
        ],
      },
      {
        text: "Guides",
        items: [
          page("Register", "register"),
          page("Verify", "verify"),
          page("Connect to an MCP server", "connect"),
          page("Allowlists", "allowlists"),
          page("Search", "search"),
          page("Keep control", "keep-control"),
        ],
      },
      {
        text: "Reference",
        items: [
          page("Control rules", "control"),
          page("Identifiers", "identifiers"),
          page("Metadata", "metadata"),
          page("SDK", "sdk"),
          page("Command line", "cli"),
          page("HTTP API", "http-api"),
          page("Contracts", "contracts"),
          page("Errors", "errors"),
          page("Live checks", "live"),
          page("Versioning", "versioning"),
        ],
      },
      {
        text: "Operate",
        items: [
          page("Run a registry", "operate"),
          page("Deploy contracts", "deployment"),
          page("Issuer", "issuer"),
          page("Keys", "keys"),
          page("Indexer", "indexer"),
          page("Configuration", "configuration"),
          page("Alerts", "alerts"),
          page("Performance", "performance"),
        ],
      },
      { text: "Understand", items: [page("Architecture", "architecture"), page("Attacks", "threats")] },
    ],
  },
});
