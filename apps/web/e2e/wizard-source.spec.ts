import { expect } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { testAccount } from "./support/accounts.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { test } from "./support/test.ts";

let host: DidServer;

const agent = (name: string) => ({
  name,
  description: `The ${name}.`,
  version: "1.2.0",
  supportedInterfaces: [{ url: `${host.origin}/${name}`, protocolBinding: "JSONRPC" }],
  skills: [{ id: name, name, description: name, tags: [name] }],
});

test.beforeEach(async () => {
  host = await startDidServer(testAccount(1).address);
  const entries = ["tailor", "baker"].map((name) => {
    const url = `/${name}/.well-known/agent-card.json`;
    host.serve(url, agent(name));
    return { identifier: `urn:air:example.com:agent:${name}`, type: "application/a2a-agent-card+json", url };
  });
  host.serve("/.well-known/ai-catalog.json", { specVersion: "1.0", entries });
  host.serve("/", `<title>Town</title><meta property="og:site_name" content="Example Ltd">`);
});
test.afterEach(() => host.close());

test("one of two agents fills in the form, and the site's publisher is only a suggestion", async ({
  page,
}) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.look(new URL(host.origin).host);
  await expect(wizard.results).toContainText("Choose your service. A record describes one service.");
  await expect(wizard.finding("baker")).toContainText("urn:air:example.com:agent:baker");
  await expect(wizard.results).not.toContainText("Added to the form");

  await wizard.chooseFinding("tailor");
  await wizard.chooseFinding("baker");
  await expect(wizard.finding("tailor")).toContainText("Use this one");
  const suggestion = wizard.suggestion(`Publisher: Example Ltd, from ${host.origin}/`);
  await suggestion.getByRole("button", { name: "Use this value" }).click();
  await expect(suggestion).toHaveCount(0);

  await wizard.goTo("About the service");
  await expect(wizard.field("Name")).toHaveValue("baker");
  await expect(wizard.field("Publisher")).toHaveValue("Example Ltd");
  await wizard.goTo("Metadata as JSON");
  const json = await wizard.field("Metadata JSON").inputValue();
  expect(json).toContain("baker/.well-known/agent-card.json");
  expect(json).not.toContain("tailor");
});

test("an address that answers 404 fills in nothing, and a repository is explained", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.look(`${host.origin}/mcp/v2`);
  await expect(wizard.results).toContainText(`${host.origin}/mcp/v2 answers 404.`);
  await expect(wizard.finding("tailor")).toContainText("Use this one");
  await expect(wizard.results).not.toContainText("Added to the form");

  await wizard.look("https://github.com/example/weather");
  await expect(wizard.results).toContainText("is a source repository, not a running service.");
});
