import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { start } from "./start.ts";

it("ends with one line of JSON that says what to do, when the deployment file is not one", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "start-")), "31337.json");
  writeFileSync(file, "{}");
  vi.stubEnv("DEPLOYMENT_FILE", file);
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never);
  await start();
  expect(exit).toHaveBeenCalledWith(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("\n");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "error",
    event: "server not started",
    reason: expect.stringContaining("deployment file is not valid"),
    action: expect.stringContaining("DEPLOYMENT_FILE"),
  });
});
