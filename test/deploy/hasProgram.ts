import { execFileSync } from "node:child_process";

/** Returns true if a program is installed. `argument` prints its version. */
export function hasProgram(name: string, argument: string): boolean {
  try {
    execFileSync(name, [argument], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
