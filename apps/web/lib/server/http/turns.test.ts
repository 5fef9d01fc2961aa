import { describe, expect, it } from "vitest";
import { createTurns } from "./turns.ts";

const busy = new Error("busy");

/** Creates work that ends when the test ends it. */
function held(log: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = () => {
    log.push(name);
    return ended;
  };
  return { work, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("createTurns", () => {
  it("runs a limited number of tasks at once, and fewer of one client", async () => {
    const turns = createTurns({ slots: 3, slotsPerClient: 2, waitingPerClient: 9, waiting: 99, busy });
    const log: string[] = [];
    const works = ["a1", "a2", "a3", "b1", "b2"].map((name) => held(log, name));
    const done = works.map(({ work }, index) => turns(index < 3 ? "a" : "b", work));
    await settled();
    expect(log).toEqual(["a1", "a2", "b1"]);
    for (const { end } of works) end();
    await Promise.all(done);
    expect(log).toHaveLength(5);
  });

  it("runs a later client's task before the rest of another client's queue", async () => {
    const turns = createTurns({ slots: 1, slotsPerClient: 1, waitingPerClient: 9, waiting: 99, busy });
    const log: string[] = [];
    const works = ["a1", "a2", "a3", "b1"].map((name) => held(log, name));
    const done = works.map(({ work }, index) => turns(index < 3 ? "a" : "b", work));
    works[0]?.end();
    await settled();
    works[1]?.end();
    await settled();
    expect(log.indexOf("b1")).toBeLessThan(
      log.indexOf("a3") < 0 ? Number.POSITIVE_INFINITY : log.indexOf("a3"),
    );
    for (const { end } of works) end();
    await Promise.all(done);
  });

  it("rejects a client whose queue is full, and all clients when the total is reached", async () => {
    const turns = createTurns({ slots: 1, slotsPerClient: 1, waitingPerClient: 1, waiting: 2, busy });
    const first = held([], "first");
    const done = [turns("a", first.work), turns("a", async () => 1)];
    await expect(turns("a", async () => 2)).rejects.toBe(busy);
    done.push(turns("b", async () => 3));
    await expect(turns("c", async () => 4)).rejects.toBe(busy);
    first.end();
    expect(await Promise.all(done)).toEqual([undefined, 1, 3]);
    expect(await turns("c", async () => 5)).toBe(5);
  });

  // @threat services: A picture or a rush that stops the web app
  it("drops a waiting task when its client disconnects", async () => {
    const turns = createTurns({ slots: 1, slotsPerClient: 1, waitingPerClient: 1, waiting: 1, busy });
    const first = held([], "first");
    const done: Promise<unknown>[] = [turns("a", first.work)];
    const log: string[] = [];
    const gone = new AbortController();
    const waiting = expect(turns("b", held(log, "b").work, gone.signal)).rejects.toThrow("gone");
    gone.abort(new Error("gone"));
    await waiting;
    await expect(turns("b", async () => 1, gone.signal)).rejects.toThrow("gone");
    done.push(turns("c", async () => 2));
    first.end();
    expect(await Promise.all(done)).toEqual([undefined, 2]);
    expect(log).toEqual([]);
  });

  it("continues after a task fails", async () => {
    const turns = createTurns({ slots: 1, slotsPerClient: 1, waitingPerClient: 1, waiting: 2, busy });
    await expect(turns("a", async () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await turns("a", async () => 1)).toBe(1);
  });
});
