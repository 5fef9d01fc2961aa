import { HostBusyError } from "@app-registry/outbound";
import { createPoliteFetch } from "@app-registry/outbound/internal";
import { AppRegistryError, type CanonicalDid } from "@app-registry/sdk";
import type { IssuerContext, RevalidationOptions } from "../issuerContext.ts";
import { NotAnIssuerError } from "../notAnIssuerError.ts";
import type { Sender } from "../sending/sender.ts";
import { learnAttestations } from "./learnAttestations.ts";
import type { CheckableAttestation } from "./rememberedAttestation.ts";
import { type RevalidationContext, revalidate } from "./revalidate.ts";
import type { RevalidationEvent } from "./revalidationEvent.ts";
import type { RevalidationCounts, RevalidationStore } from "./revalidationStore.ts";

/** Checks the issuer's attestations again and again. */
export type Revalidation = {
  /** Makes a pass now and then one every `passInterval`. */
  start(): void;
  /**
   * Makes one pass: learns from the chain what was attested, and checks what is due. Attestations beyond the limit of a
   * pass, or of a host that was asked a moment ago, are left to the next ones.
   * @returns false when another process makes a pass now.
   * @throws AppRegistryError when the chain or the store does not answer; nothing is lost.
   */
  runDue(): Promise<boolean>;
  /** Says what is before it now. @throws IssuerStoreError when the store does not answer. */
  count(): Promise<RevalidationCounts>;
  /** Ends the passes; one that runs comes to its end. */
  close(): void;
};

const DAY = 86_400_000;

/** Checks that run at the same time. */
const CONCURRENCY = 4;

/** Revalidates what an issuer attested. `lock` runs one task for a DID at a time, requests included. */
export function createRevalidation(
  issuing: IssuerContext,
  sender: Sender,
  store: RevalidationStore,
  options: RevalidationOptions & {
    lock: <T>(did: CanonicalDid, task: () => Promise<T>) => Promise<T>;
    onEvent: (event: RevalidationEvent) => void;
  },
): Revalidation {
  const { period = 30 * DAY, hostSpacing = 10_000, passInterval = 30_000, passLimit = 40 } = options;
  const { lock } = options;
  const { now } = issuing;
  const onEvent = onceEach(options.onEvent);
  const guardedFetch = createPoliteFetch(issuing.guardedFetch, {
    store,
    spacing: hostSpacing,
    longestPause: 7 * DAY,
    now,
  });
  const resolver = issuing.deployment.contracts.ResolverWithStore.address;

  const pass = async () => {
    await sender.recovered();
    const [{ maxTtl }, state] = await Promise.all([
      issuing.client.getResolverPolicy(),
      issuing.client.getIssuer(issuing.issuer),
    ]);
    if (state.status !== "active") {
      const refusal = new NotAnIssuerError(state, resolver);
      if (state.status !== "retired") throw refusal;
      onEvent({ event: "issuer retired", reason: refusal.shortMessage });
    }
    const context: RevalidationContext = {
      issuing: { ...issuing, guardedFetch },
      sender,
      store,
      renews: state.status === "active" && issuing.attesting.mode === "send",
      onEvent,
    };
    const readClock = () => ({ now: now(), period, lifetime: maxTtl * 1_000 });
    await learnAttestations(issuing, store, readClock());
    const waiting = new Map<string, CheckableAttestation[]>();
    await forEach(await store.listDue(now(), passLimit), async (attestation) => {
      try {
        await lock(attestation.did, () => revalidate(context, attestation, readClock));
      } catch (error) {
        if (!(error instanceof HostBusyError)) throw error;
        waiting.set(error.host, [...(waiting.get(error.host) ?? []), attestation]);
      }
    });
    // In a row behind the host's pause, so that the next passes have room for other hosts.
    for (const [host, attestations] of waiting) {
      const freeAt = await store.hostFreeAt(host);
      for (const [place, attestation] of attestations.entries()) {
        await store.save({ ...attestation, nextCheckAt: Math.round(freeAt + place * hostSpacing) });
      }
    }
  };

  const runDue = async () => {
    const done = await store.unlessTaken(async () => {
      await pass();
      return true;
    });
    return done ?? false;
  };
  const interrupted = createInterruption(onEvent);
  let timer: NodeJS.Timeout | undefined;
  const tick = async () => {
    // A pass that is left to another one says nothing about whether the chain answers.
    await runDue().then((isDone) => isDone && interrupted.end(), interrupted.begin);
  };
  return {
    start() {
      if (timer) return;
      void tick();
      timer = setInterval(() => void tick(), passInterval);
      timer.unref();
    },
    runDue,
    count: () => store.count(now()),
    close: () => clearInterval(timer),
  };
}

/** Runs a task for each item, a few at a time, and all of them whatever fails. */
async function forEach<Item>(items: readonly Item[], task: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items];
  const failures: unknown[] = [];
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      await task(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length > 0) throw failures[0];
}

/** A chain or a database that is away is away at every pass; that is told once. */
function createInterruption(onEvent: (event: RevalidationEvent) => void) {
  let told = false;
  return {
    begin(error: unknown) {
      if (told) return;
      told = true;
      // The message of an unforeseen error may hold an RPC's URL with its key.
      const name = error instanceof Error ? error.name : typeof error;
      const reason = error instanceof AppRegistryError ? error.shortMessage : name;
      onEvent({ event: "revalidation interrupted", reason });
    },
    end() {
      told = false;
    },
  };
}

/** What can't be sent is tried again and again; that is told once of an attestation, until something else is. */
function onceEach(onEvent: (event: RevalidationEvent) => void): (event: RevalidationEvent) => void {
  const told = new Set<string>();
  return (event) => {
    if (event.event === "revalidation interrupted") return onEvent(event);
    if (event.event === "issuer retired") {
      if (!told.has(event.event)) onEvent(event);
      told.add(event.event);
      return;
    }
    const of = `${event.schema} ${event.did} ${event.subject}`;
    if (event.event === "attestation not renewed" || event.event === "attestation not revoked") {
      if (told.has(of)) return;
      told.add(of);
    } else if (event.event !== "attestation checked") {
      told.delete(of);
    }
    onEvent(event);
  };
}
