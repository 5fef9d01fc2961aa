import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { programs } from "./programs.ts";

/** Keys to type when the terminal shows a text. */
type Reply = readonly [shown: string, keys: string];

/**
 * Runs `app-registry` in a pseudoterminal (by `script`, which is part of Linux and macOS) and answers its prompts.
 */
export async function runCliInTerminal(
  args: readonly string[],
  { environment, replies }: { environment: Record<string, string>; replies: readonly Reply[] },
): Promise<{ code: number | null; screen: string }> {
  // Set the size, because the terminal that `script` opens has none.
  const command = `stty cols 200 rows 50 && exec ${[process.execPath, programs.cli, ...args].map(quoted).join(" ")}`;
  const inTerminal =
    process.platform === "darwin"
      ? ["-q", "/dev/null", "/bin/sh", "-c", command]
      : ["-qec", command, "/dev/null"];
  const child = spawn("script", inTerminal, {
    env: { PATH: process.env.PATH, TERM: "xterm", SHELL: "/bin/sh", ...environment },
  });
  let screen = "";
  let read = 0;
  const open = [...replies];
  child.stdout.setEncoding("utf8").on("data", (shown: string) => {
    screen += stripVTControlCharacters(shown);
    const [text, keys] = open[0] ?? [];
    if (text === undefined || keys === undefined || !screen.includes(text, read)) return;
    open.shift();
    read = screen.length;
    child.stdin.write(keys);
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, screen };
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
