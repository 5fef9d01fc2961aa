/** What a block of commands asks for; its first line may say it. */
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

const interrupt = /^# in the (\w+) terminal: Ctrl-C$/;

/**
 * The blocks of shell commands of a page, in order.
 * @throws On a first line that looks like a mark and is none.
 */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  for (const [text, title, commands] of page.matchAll(/^#{1,6} (.+)$|^```sh\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined && !text.startsWith("```")) heading = title;
    else if (commands !== undefined) blocks.push({ heading, commands, mark: markOf(commands) });
  }
  return blocks;
}

function markOf(commands: string): Mark {
  const lines = commands.trimEnd().split("\n");
  const first = lines[0] ?? "";
  if (first === "# needs outside access") return { kind: "outside" };
  if (first === "# your own values") return { kind: "own values" };
  const started = /^# in a (\w+) terminal$/.exec(first)?.[1];
  if (started) return { kind: "terminal", terminal: started };
  if (lines.every((line) => interrupt.test(line)))
    return { kind: "interrupt", terminals: lines.map((line) => interrupt.exec(line)?.[1] ?? "") };
  if (first.startsWith("#")) throw new Error(`"${first}" is no mark that a rehearsal knows`);
  return { kind: "run" };
}
