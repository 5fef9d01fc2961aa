import { createGuardedFetch, type GuardedFetch } from "@app-registry/outbound";

/**
 * The fetcher for what other people name: public https addresses, and those of this machine, since it is its user
 * who asks.
 */
export const guardedFetch = (timeoutMs: number): GuardedFetch =>
  createGuardedFetch({ allowLoopback: true, timeout: timeoutMs });
