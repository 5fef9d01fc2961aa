import { deceptions } from "../../apps/web/e2e/support/deceptions.ts";

const introduction = `# Deceptions, and what a visitor sees of them

For readers who want to see how the registry looks when a service passes for another. Four pictures show its row in a list and the
beginning of its page, each on a desktop and on a phone. [What a service's page says](trust.md#what-a-services-page-says) explains how
to read them.
`;

const picture = (file: string, size: "desktop" | "phone", view: "list" | "page") =>
  `![${view}](gallery/${file}-${view}-${size}.png)`;

/** Returns the text of docs/gallery.md. */
export function renderGalleryPage(): string {
  const sections = deceptions.map(
    ({ file, what, claims, shows }) => `
## ${what.charAt(0).toUpperCase()}${what.slice(1)}

Claimed: ${claims}. Proven: ${shows}

${(["list", "page"] as const)
  .flatMap((view) => (["desktop", "phone"] as const).map((size) => picture(file, size, view)))
  .join("\n")}
`,
  );
  return introduction + sections.join("");
}
