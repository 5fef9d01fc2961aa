import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { readHiddenServices } from "./hiddenServices.ts";

const folder = mkdtempSync(join(tmpdir(), "hidden-"));
const file = join(folder, "hidden.json");
afterAll(() => rmSync(folder, { recursive: true }));

const write = (content: unknown) =>
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));

let time = 0;
const open = () => readHiddenServices(file, () => time);
beforeEach(() => {
  time = 0;
  write({ "did:web:Scam.example": "It passes for another service." });
});

describe("hidden services", () => {
  it("are empty without a file", () => expect(readHiddenServices(undefined).dids()).toEqual([]));

  it("are found by canonical DID, with the public reason", () => {
    expect(open().reasonOf("did:web:scam.example")).toBe("It passes for another service.");
    expect(open().reasonOf("did:web:scam.example:team")).toBeUndefined();
  });

  it("change with the file", () => {
    const hidden = open();
    write({ "did:web:other.example": "A court order." });
    time += 1_000;
    expect(hidden.dids()).toEqual(["did:web:other.example"]);
  });

  it("stay hidden while the file is invalid or missing", () => {
    const hidden = open();
    for (const content of [
      "{",
      { "did:web:other.example": "" },
      { nonsense: "x" },
      { "did:web:a.example": "a\u202eb" },
    ]) {
      write(content);
      time += 1_000;
      expect(hidden.dids()).toEqual(["did:web:scam.example"]);
    }
    rmSync(file);
    time += 1_000;
    expect(hidden.dids()).toEqual(["did:web:scam.example"]);
    write({});
    time += 1_000;
    expect(hidden.dids()).toEqual([]);
  });

  it("throw at startup if the file is invalid", () => {
    write({ "did:web:127.0.0.1": "x" });
    expect(open).toThrow(/HIDDEN_FILE .*did:web:127\.0\.0\.1 is not a DID/);
  });
});
