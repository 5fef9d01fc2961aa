import { mock } from "node:test";
import { expect } from "chai";
import { printStep } from "../../scripts/stack/processes.ts";

describe("printStep", () => {
  let lines: string[];
  beforeEach(() => {
    lines = [];
    mock.method(console, "log", (line: string) => lines.push(line));
    mock.timers.enable({ apis: ["setInterval", "Date"] });
  });
  afterEach(() => mock.reset());

  it("prints a step that takes long every 20 seconds, and stops when it is done", async () => {
    let finish = (_: number) => {};
    const work = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const step = printStep("web app", () => work);
    for (const time of [20_000, 20_000, 1_000]) mock.timers.tick(time);
    finish(5);
    const result = await step;
    mock.timers.tick(60_000);
    mock.restoreAll();
    expect(result).to.equal(5);
    expect(lines).to.deep.equal([
      "…       web app",
      "…       web app            20 s",
      "…       web app            40 s",
      "ok      web app            41 s",
    ]);
  });
});
