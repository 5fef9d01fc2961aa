import { AppRegistryError } from "@app-registry/sdk";
import type { WorkerEvent } from "./createWorker.ts";

const write = (level: "info" | "warn" | "error", msg: string, fields: Record<string, unknown> = {}) =>
  console.log(JSON.stringify({ level, time: new Date().toISOString(), msg, ...fields }));

/** Writes a line of JSON for each check or probe whose result differs from the previous one. */
export function logEvent(event: WorkerEvent): void {
  if (event.type === "failed") {
    logFailure(event.error);
    return;
  }
  if (event.type === "probed") {
    const { did, tokenId } = event.record;
    for (const { kind, detail } of event.events)
      write("info", "Probe changed", { did, tokenId, kind, detail });
    return;
  }
  const { record, host, checked } = event;
  if (checked.state === record.state) return;
  const { did, tokenId, dataUrl } = record;
  const level = checked.state === "served" ? "info" : "warn";
  write(level, "Document checked", {
    did,
    tokenId,
    host,
    dataUrl,
    state: checked.state,
    reason: checked.reason,
  });
}

/** Logs that the worker failed and will retry, with the error's kind and message only. */
export function logFailure(error: unknown): void {
  const reason = error instanceof AppRegistryError ? error.shortMessage : String(error);
  write("error", "Document worker failed, will retry", { reason: reason.slice(0, 500) });
}

/** Logs that this process started or stopped sending requests to hosts. */
export function logWorking(working: boolean): void {
  write("info", working ? "Document worker started" : "Document worker stopped");
}
