/** Kind of a block, from its first line. Blocks without such a line run to their end. */
type Mark =
  | { kind: "run" }
  /** Needs root, a domain or a wallet, which a test machine lacks. */
  | { kind: "outside" }
  | { kind: "own values" }
  /** Keeps running in its own terminal. */
  | { kind: "terminal"; terminal: string }
  /** Ends the blocks that run in these terminals. */
  | { kind: "interrupt"; terminals: string[] };

/** Block of commands of a page. */
export type Block = { heading: string; commands: string; mark: Mark };

/**
 * Reads the blocks of shell commands of a page, in order.
 * @throws If a first line is a comment and not a mark.
 */
export function listBlocks(page: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  for (const [, title, commands] of page.matchAll(/^#{1,6} (.+)$|^```sh\n([\s\S]*?)^```$/gm)) {
    if (commands === undefined) heading = title ?? "";
    else blocks.push({ heading, commands, mark: parseMark(commands) });
  }
  return blocks;
}

function parseMark(commands: string): Mark {
  const [first = ""] = commands.split("\n");
  if (first === "# needs outside access") return { kind: "outside" };
  if (first === "# your own values") return { kind: "own values" };
  const terminal = /^# in a (\w+) terminal$/.exec(first)?.[1];
  if (terminal) return { kind: "terminal", terminal };
  const interrupted = [...commands.matchAll(/^# in the (\w+) terminal: Ctrl-C\n/gm)];
  if (interrupted.map(([line]) => line).join("") === commands)
    return { kind: "interrupt", terminals: interrupted.map(([, name = ""]) => name) };
  if (first.startsWith("#")) throw new Error(`"${first}" is not a mark`);
  return { kind: "run" };
}
