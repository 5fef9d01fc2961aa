import { AppRegistryError, InvalidArgumentError } from "../errors/appRegistryError.ts";
import { WrongChainError } from "../errors/walletErrors.ts";
import type { Fact } from "./report.ts";

type Evidence = Record<string, unknown>;

export const pass = (reason: string, evidence: Evidence = {}): Fact => ({
  outcome: "pass",
  reason,
  evidence,
});

export const fail = (reason: string, evidence: Evidence = {}): Fact => ({
  outcome: "fail",
  reason,
  evidence,
});

export const unknown = (reason: string, evidence: Evidence = {}): Fact => ({
  outcome: "unknown",
  reason,
  evidence,
});

/**
 * Returns the fact for a host or an RPC that failed. Rethrows errors that the caller caused, such as a wrong chain or
 * an invalid argument.
 */
export function createUnansweredFact(error: unknown): Fact {
  if (isOfCaller(error)) throw error;
  return unknown(getMessage(error), { error: errorName(error) });
}

export const isOfCaller = (error: unknown): boolean =>
  error instanceof WrongChainError || error instanceof InvalidArgumentError;

export const getMessage = (error: unknown): string =>
  error instanceof AppRegistryError
    ? error.shortMessage
    : error instanceof Error
      ? error.message
      : String(error);

const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
