import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory, stopServices } from "../stack/processes.ts";
import { failRehearsal } from "./machine.ts";
import { type Scenario, scenariosOf } from "./scenarios.ts";
import { startWatchedRegistry } from "./watchedRegistry.ts";

/**
 * `pnpm rehearse:alerts`: runs this machine's Prometheus over a registry of its own, causes what each rule of deploy/
 * watches for, and waits until the alert fires and ends. The rules' times pass 60 times as fast. It needs Debian's packages
 * prometheus and postgresql. `pnpm rehearse:alerts ChainUnavailable …` causes these alone.
 */
const WAIT_SECONDS = 240;
const startedAt = Date.now();
const secondsSince = (time: number) => ((Date.now() - time) / 1_000).toFixed(1);
const say = (text: string) => console.log(`${secondsSince(startedAt).padStart(6)} s  ${text}`);

type Row = { alert: string; cause: string; fired: string; ended: string };

async function rehearse(wanted: string[]): Promise<void> {
  const directory = join(rootDirectory, ".local/rehearsals/alerts");
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const registry = await startWatchedRegistry(directory, say);
  const rows: Row[] = [];
  try {
    const scenarios = scenariosOf(registry);
    await coversEveryRule(scenarios);
    for (const scenario of scenarios) {
      const alerts = scenario.alerts.filter((alert) => wanted.length === 0 || wanted.includes(alert));
      if (alerts.length === 0) continue;
      try {
        rows.push(...(await causeAlerts(registry, { ...scenario, alerts })));
      } catch (error) {
        failRehearsal(error);
        await scenario.undo?.();
      }
    }
    say(`Firing at the end: ${(await registry.prometheus.firing()).join(", ") || "nothing"}`);
  } finally {
    console.log(tableOf(rows));
    await registry.close();
    await stopServices();
  }
}

async function causeAlerts(
  { prometheus }: Awaited<ReturnType<typeof startWatchedRegistry>>,
  { alerts, cause, act, undo }: Scenario,
): Promise<Row[]> {
  for (const alert of alerts) await prometheus.waitFor(alert, false, WAIT_SECONDS);
  say(`${cause} …`);
  const began = Date.now();
  await act();
  const fired = new Map<string, string>();
  for (const alert of alerts) {
    await prometheus.waitFor(alert, true, WAIT_SECONDS);
    fired.set(alert, secondsSince(began));
    say(`  ${alert} fires`);
  }
  const mended = Date.now();
  await undo?.();
  const rows: Row[] = [];
  for (const alert of alerts) {
    if (undo) await prometheus.waitFor(alert, false, WAIT_SECONDS);
    rows.push({ alert, cause, fired: fired.get(alert) ?? "", ended: undo ? secondsSince(mended) : "stays" });
  }
  say("  all quiet again");
  return rows;
}

/** @throws When a rule has no scenario, or a scenario no rule. */
async function coversEveryRule(scenarios: Scenario[]): Promise<void> {
  const rules = await readFile(join(rootDirectory, "deploy/prometheus/alerts.yml"), "utf8");
  const named = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name).sort();
  const caused = scenarios.flatMap(({ alerts }) => alerts).sort();
  if (named.join() !== caused.join()) throw new Error(`Rules: ${named.join()}\nScenarios: ${caused.join()}`);
}

function tableOf(rows: Row[]): string {
  const lines = rows.map(({ alert, cause, fired, ended }) => `| ${alert} | ${cause} | ${fired} | ${ended} |`);
  return ["", "| Alert | Cause | Fired after s | Ended after s |", "|---|---|---:|---:|", ...lines, ""].join(
    "\n",
  );
}

await rehearse(process.argv.slice(2).filter((argument) => argument !== "--")).catch(failRehearsal);
