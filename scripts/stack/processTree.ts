import { readFile } from "node:fs/promises";
import type { Service } from "./processes.ts";

/** What the processes of a service take, as /proc says (Linux). */
export interface Usage {
  /** Bytes of memory that they hold now. */
  resident: number;
  /** The most that they held since they started. */
  peak: number;
  /** Seconds of CPU time that they have had. */
  cpu: number;
}

/** Clock ticks of a second in /proc/<id>/stat, on every Linux that Node supports. */
const TICKS = 100;

/** Ids of a process and of all below it, parents first; empty when it is gone. */
async function processTree(id: number): Promise<number[]> {
  const children = await readFile(`/proc/${id}/task/${id}/children`, "utf8").catch(() => undefined);
  if (children === undefined) return [];
  const below = await Promise.all(children.split(" ").filter(Boolean).map(Number).map(processTree));
  return [id, ...below.flat()];
}

/** The processes of a service without the guard, which only waits. */
export const processesOf = async (service: Service): Promise<number[]> =>
  (await processTree(service.processId)).slice(1);

/** What some processes take together; undefined where none of them runs. */
export async function usageOf(ids: readonly number[]): Promise<Usage | undefined> {
  const usages = await Promise.all(ids.map((id) => usageOfProcess(id).catch(() => undefined)));
  const running = usages.filter((usage) => usage !== undefined);
  if (running.length === 0) return undefined;
  const sum = (key: keyof Usage) => running.reduce((total, usage) => total + usage[key], 0);
  return { resident: sum("resident"), peak: sum("peak"), cpu: sum("cpu") };
}

async function usageOfProcess(id: number): Promise<Usage> {
  const [status, stat] = await Promise.all(
    ["status", "stat"].map((name) => readFile(`/proc/${id}/${name}`, "utf8")),
  );
  const kilobytes = (line: RegExp) => Number(line.exec(status ?? "")?.[1] ?? 0) * 1_024;
  // Behind the name, which may hold spaces: the state is the third field, user and system time 14 and 15.
  const fields = (stat ?? "").slice((stat ?? "").lastIndexOf(")") + 2).split(" ");
  return {
    resident: kilobytes(/VmRSS:\s+(\d+) kB/),
    peak: kilobytes(/VmHWM:\s+(\d+) kB/),
    cpu: (Number(fields[11]) + Number(fields[12])) / TICKS,
  };
}
