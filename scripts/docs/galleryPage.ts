import { deceptions } from "../../apps/web/e2e/support/deceptions.ts";

const introduction = `# Deceptions, and what a visitor sees of them

Each service below passes for another. Its pictures show its row in a list and the beginning of its page, on a desktop
(1,280 pixels) and on a phone (360 pixels). [What a service's page says](trust.md#what-a-services-page-says) explains
how to read them. \`npx -y pnpm@10 screenshots\` takes them again, and
[apps/web/e2e/deceptions.spec.ts](../apps/web/e2e/deceptions.spec.ts) measures that the proven name comes first, largest and
in full.
`;

const picture = (file: string, size: "desktop" | "phone", view: "list" | "page") =>
  `<img alt="${view}, ${size}" src="gallery/${file}-${view}-${size}.png" width="${size === "phone" ? 180 : 560}">`;

/** Returns the text of docs/gallery.md. */
export function renderGalleryPage(): string {
  const sections = deceptions.map(
    ({ file, what, claims, shows }) => `
## ${what.charAt(0).toUpperCase()}${what.slice(1)}

- It claims: ${claims}.
- The page proves: ${shows}

${(["list", "page"] as const)
  .flatMap((view) => (["desktop", "phone"] as const).map((size) => picture(file, size, view)))
  .join("\n")}
`,
  );
  return introduction + sections.join("");
}
