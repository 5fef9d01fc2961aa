import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { readServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { PackagePanel, packageCommand } from "./PackagePanel.tsx";

/** Renders a package as a service's page reads it from a document. */
function render(entry: object): string {
  const { packages } = readServiceMetadata({ packages: [entry] });
  return renderToStaticMarkup(
    packages.map((read) => <PackagePanel key="" entry={read} placeOf={() => undefined} />),
  );
}

describe("PackagePanel", () => {
  const entry = { registryType: "npm", identifier: "@example/weather", version: "1.0.0" };

  it("shows the version, the hash and the command", () => {
    const html = render({ ...entry, fileSha256: "0f".repeat(32) });
    expect(html).toContain("1.0.0");
    expect(html).toContain("0f".repeat(32));
    expect(html).toContain("npx -y @example/weather@1.0.0");
  });

  it("shows no command for a package of another registry", () => {
    const html = render({ ...entry, registryBaseUrl: "https://npm.example.com" });
    expect(html).toContain("npm.example.com");
    expect(html).not.toContain("npx");
  });

  // @threat services: Text to copy that runs another command
  it("shows an identifier with markup and shell characters as text without a command", () => {
    const html = render({ ...entry, identifier: "<script>x</script>; rm -rf ~" });
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("npx");
  });

  it("omits an entry without an identifier", () => {
    expect(render({ registryType: "npm" })).toBe("");
  });
});

const [DIGEST, TAG] = [`@sha256:${"a".repeat(64)}`, ":v1.2.3"];

/** Returns the command of a package as a service's page reads it from a document. */
function createCommand(registryType: string, identifier: string, more: object = {}) {
  const [entry] = readServiceMetadata({ packages: [{ registryType, identifier, ...more }] }).packages;
  return entry && packageCommand(entry);
}

describe("packageCommand", () => {
  const version = "1.2.3";
  it.each([
    ["npm", "@example/weather", { version }, "npx -y @example/weather@1.2.3"],
    ["npm", "weather", {}, "npx -y weather"],
    ["npm", "weather", { registryBaseUrl: "https://registry.npmjs.org/" }, "npx -y weather"],
    ["pypi", "weather-mcp", { version }, "uvx weather-mcp==1.2.3"],
    ["nuget", "Example.Weather", { version: "0.4.0-beta" }, "dnx Example.Weather@0.4.0-beta"],
    ["oci", `ghcr.io/example/weather${TAG}`, {}, `docker run -i --rm ghcr.io/example/weather${TAG}`],
    ["oci", `example/weather${DIGEST}`, { version }, `docker run -i --rm example/weather${DIGEST}`],
    ["oci", "host.example:5000/weather", { version }, "docker run -i --rm host.example:5000/weather:1.2.3"],
  ])("runs the %s package %s with %j", (type, identifier, more, command) => {
    expect(createCommand(type, identifier, more)).toBe(command);
  });

  // @threat services: Text to copy that runs another command
  it.each([
    ["npm", "weather; rm -rf ~"],
    ["npm", "weather && evil"],
    ["npm", "$(evil)"],
    ["npm", "`evil`"],
    ["npm", "weather\nevil"],
    ["npm", "--registry=https://evil.example"],
    ["npm", "-e"],
    ["npm", "../weather"],
    ["npm", "https://evil.example/weather.tgz"],
    ["npm", "git+ssh://evil.example"],
    ["npm", "weath\u0435r"],
    ["npm", "weather\u202e"],
    ["npm", "w".repeat(400)],
    ["pypi", "weather @ https://evil.example"],
    ["pypi", "weather[extra]"],
    ["oci", "--privileged"],
    ["oci", "-v /:/host evil"],
    ["nuget", "Weather --source x"],
    ["mcpb", "https://example.com/weather.mcpb"],
    ["constructor", "weather"],
  ])("shows none for the %s package %s", (type, identifier) => {
    expect(createCommand(type, identifier)).toBeUndefined();
  });

  // @threat services: Text to copy that runs another command
  it.each([
    { version: "latest" },
    { version: "^1.0.0" },
    { version: "1.0.0 --privileged" },
    { version: "1.0.0;evil" },
    { registryBaseUrl: "https://npm.evil.example" },
    { registryBaseUrl: "https://registry.npmjs.org.evil.example/" },
    { registryBaseUrl: "nonsense" },
  ])("shows none with %j", (more) => {
    expect(createCommand("npm", "weather", more)).toBeUndefined();
  });
});
