/** How a block of commands is followed; its first line may say so. */
type Mark =
  | { kind: "run" }
  /** Needs what this machine alone can't give: root, a domain, a wallet. */
  | { kind: "outside" }
  /** Values that each operator chooses. */
  | { kind: "own values" }
  /** Runs on, in a terminal of its own. */
  | { kind: "terminal"; terminal: string }
  /** Ends what runs in these terminals. */
  | { kind: "interrupt"; terminals: string[] };

/** A block of commands of a page. */
export type Block = { heading: string; commands: string; mark: Mark };

/**
 * Returns the blocks of shell commands of a page, in order.
 * @throws If a first line is a comment but not a mark.
 */
export function blocksOf(page: string): Block[] {
  let heading = "";
  return [...page.matchAll(/^#{1,6} (.+)$|^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, title, commands]) => {
    heading = title ?? heading;
    return commands === undefined ? [] : [{ heading, commands, mark: markOf(commands) }];
  });
}

function markOf(commands: string): Mark {
  const [first = ""] = commands.split("\n");
  if (first === "# needs outside access") return { kind: "outside" };
  if (first === "# your own values") return { kind: "own values" };
  const terminal = /^# in a (\w+) terminal$/.exec(first)?.[1];
  if (terminal) return { kind: "terminal", terminal };
  const terminals = [...commands.matchAll(/^# in the (\w+) terminal: Ctrl-C$/gm)].map(
    ([, name = ""]) => name,
  );
  if (terminals.length > 0) return { kind: "interrupt", terminals };
  if (first.startsWith("#")) throw new Error(`"${first}" is not a known mark`);
  return { kind: "run" };
}
