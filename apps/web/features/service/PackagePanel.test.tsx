import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { readServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { PackagePanel } from "./PackagePanel.tsx";

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
