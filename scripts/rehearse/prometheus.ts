import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import getPort from "get-port";
import { answers, capture, rootDirectory, startService, waitUntilReady } from "../stack/processes.ts";
import { MissingProgramError } from "./machine.ts";

/** How much faster time passes for the rules of a rehearsal: what takes a minute takes a second. */
const FASTER = 60;
/** Seconds between two scrapes. A process may take four to say how it is. */
const INTERVAL = 5;

/** A process that Prometheus asks. */
export type Target = { job: string; port: number };

type Alert = { labels: { alertname: string }; state: string };

/**
 * Starts this machine's Prometheus with the rules of deploy/, whose times are divided by {@link FASTER}.
 * @throws {MissingProgramError} When the machine has none.
 */
export async function startPrometheus(directory: string, targets: Target[], logDirectory: string) {
  const { code } = await capture("prometheus", ["--version"]).catch(() => ({ code: 1 }));
  if (code !== 0)
    throw new MissingProgramError("This machine has no Prometheus. On Debian: apt-get install prometheus");
  await mkdir(directory, { recursive: true });
  const rules = await readFile(join(rootDirectory, "deploy/prometheus/alerts.yml"), "utf8");
  await writeFile(join(directory, "alerts.yml"), accelerate(rules));
  const settings = await readFile(join(rootDirectory, "deploy/prometheus/prometheus.yml"), "utf8");
  await writeFile(
    join(directory, "prometheus.yml"),
    settings.replaceAll("_interval: 15s", `_interval: ${INTERVAL}s`),
  );
  const lines = targets.map(
    ({ job, port }) => `- { targets: ["127.0.0.1:${port}"], labels: { job: ${job} } }`,
  );
  await writeFile(join(directory, "targets.yml"), `${lines.join("\n")}\n`);
  const port = await getPort();
  const service = await startService({
    name: "prometheus",
    command: "prometheus",
    parameters: [
      ...["--config.file", join(directory, "prometheus.yml"), "--storage.tsdb.path", join(directory, "data")],
      ...["--web.listen-address", `127.0.0.1:${port}`],
    ],
    logDirectory,
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(service, 60, () => answers(`${url}/-/ready`));
  const firing = async (): Promise<string[]> => {
    const response = await fetch(`${url}/api/v1/alerts`);
    const { data } = (await response.json()) as { data: { alerts: Alert[] } };
    return data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
  };
  return {
    firing,
    /** @throws When that does not become so within `seconds`. */
    async waitFor(alert: string, fires: boolean, seconds: number): Promise<void> {
      const deadline = Date.now() + seconds * 1_000;
      while ((await firing()).includes(alert) !== fires) {
        if (Date.now() > deadline)
          throw new Error(`${alert} does not ${fires ? "fire" : "end"} within ${seconds} s`);
        await sleep(500);
      }
    },
  };
}

/** Every duration of a file of rules, in seconds, divided. A range has at least six intervals. */
function accelerate(rules: string): string {
  const units = { m: 60, h: 3_600 };
  const faster = (count: string, unit: string) =>
    Math.ceil((Number(count) * units[unit as keyof typeof units]) / FASTER);
  return rules
    .replace(/for: (\d+)([mh])/g, (_, count, unit) => `for: ${faster(count, unit)}s`)
    .replace(/\[(\d+)([mh])\]/g, (_, count, unit) => `[${Math.max(6 * INTERVAL, faster(count, unit))}s]`);
}
