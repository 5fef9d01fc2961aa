import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "./api.ts";

type Operation = {
  operationId: string;
  parameters?: { name: string }[];
  requestBody?: unknown;
  responses: object;
};
const document = openApiDocument("https://registry.example") as unknown as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
};

describe("openApiDocument", () => {
  it("contains only routes that exist", () => {
    for (const path of Object.keys(document.paths)) {
      const mounts = ["/[[...path]]/route.ts", "/[...path]/route.ts", "/route.ts"];
      const folders = [path, path.split("/", 2).join("/")];
      const files = folders.flatMap((folder) => mounts.map((mount) => `../../app${folder}${mount}`));
      expect(
        files.some((file) => existsSync(new URL(file, import.meta.url))),
        path,
      ).toBe(true);
    }
  });

  it("describes requests with the schemas that validate them", () => {
    const search = document.paths["/api/search"]?.get?.parameters?.map(({ name }) => name);
    expect(search).toEqual(
      expect.arrayContaining(["traits", "match", "interface", "q", "status", "limit", "cursor"]),
    );
    expect(document.paths["/api/verify-and-attest"]?.post?.requestBody).toMatchObject({
      content: {
        "application/json": {
          schema: { required: ["did", "connectedAddress"], additionalProperties: false },
        },
      },
    });
  });

  it("has a unique id for every operation", () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});
