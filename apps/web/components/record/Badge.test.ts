import { describe, expect, it } from "vitest";
import { badgeHtml, badgeMarkdown } from "./Badge.tsx";

const publicUrl = "https://r.example";

describe("badgeMarkdown", () => {
  it("links the badge to the page, as a single link for any DID", () => {
    expect(badgeMarkdown({ did: "did:web:localhost%3A3000:a", publicUrl })).toBe(
      "[![App Registry: localhost:3000/a](https://r.example/api/badge/did:web:localhost%253A3000:a)](https://r.example/apps/did:web:localhost%253A3000:a)",
    );
    expect(badgeMarkdown({ did: "did:web:a.example:x_y", version: "1.2.3", publicUrl })).toContain(
      "x\\_y](https://r.example/api/badge/did:web:a.example:x_y/v/1.2.3)",
    );
  });
});

describe("badgeHtml", () => {
  it("shows the badge as a link to the page", () => {
    expect(badgeHtml({ did: "did:web:a.example", publicUrl })).toBe(
      '<a href="https://r.example/apps/did:web:a.example"><img src="https://r.example/api/badge/did:web:a.example" alt="App Registry: a.example" height="24"></a>',
    );
  });
});
