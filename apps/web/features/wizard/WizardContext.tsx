"use client";

import {
  getAtPointer,
  type JsonObject,
  type JsonValue,
  parseVersion,
  type RegisteredDid,
  readRegisteredDid,
  type Version,
} from "@app-registry/sdk";
import { useQuery } from "@tanstack/react-query";
import { createContext, type Dispatch, useContext } from "react";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import type { Draft } from "./draft/draft.ts";

import { canonicalDid, type DraftProblem } from "./draft/problems.ts";
import type { DraftAction } from "./draft/reducer.ts";

/** Published version of a record that a draft follows. */
export interface FollowedVersion {
  did: string;
  version: Version;
  interfaces: number;
  /** Metadata of that version, or undefined if it couldn't be read. */
  metadata: JsonObject | undefined;
}

/** State that all screens of the wizard share. */
export interface WizardState {
  draft: Draft;
  dispatch: Dispatch<DraftAction>;
  problems: DraftProblem[];
  /** True once the user entered something or left a screen, so that problems may be shown. */
  isBegun: boolean;
  /** Chain's record of the DID, or undefined until it is read. */
  registered: RegisteredDid | undefined;
  /** Version that this draft follows, or undefined for a new service. */
  follows: FollowedVersion | undefined;
  /** Origin of this registry's web app, without a path. */
  publicUrl: string;
  /** Fields that the user has left at least once. */
  touched: ReadonlySet<string>;
  touch: (field: string) => void;
  /** Shows a field's screen and focuses the field. */
  showField: (field: string) => void;
  /** True once the transaction is sent, after which the record can't be changed. */
  readOnly: boolean;
}

const WizardContext = createContext<WizardState | undefined>(undefined);

export const WizardProvider = WizardContext.Provider;

export function useWizard(): WizardState {
  const state = useContext(WizardContext);
  if (!state) throw new Error("useWizard needs a WizardProvider above it.");
  return state;
}

/** Returns the DOM id of a field, which problems link to. */
export const fieldId = (field: string): string => `field:${field}`;

/**
 * Returns the problem to show at a field once the user has left the field or its screen. Includes problems of nested
 * parts without a field of their own (below `field`), unless `exact`.
 */
export function useFieldError(field: string, options: { exact?: boolean } = {}): string | undefined {
  const { draft, problems, touched } = useWizard();
  const found = problems.filter(
    (problem) =>
      problem.field === field ||
      (!options.exact && field.startsWith("/") && problem.field.startsWith(`${field}/`)),
  );
  const shown = found.filter(({ step }) => touched.has(field) || draft.visited.includes(step));
  return shown.length === 0 ? undefined : [...new Set(shown.map(({ message }) => message))].join(" ");
}

/** Returns a value of the metadata by its JSON pointer. */
export function useMetadata(pointer: string): JsonValue | undefined {
  return getAtPointer(useWizard().draft.metadata, pointer);
}

function parseMajor(text: string): number | undefined {
  try {
    return parseVersion(text).major;
  } catch {
    return undefined;
  }
}

/** Queries the chain's record of a draft's DID and major version. */
export function useRegistered(draft: Draft) {
  const client = useRegistryClient();
  const did = canonicalDid(draft.did);
  const major = parseMajor(draft.version);
  return useQuery({
    queryKey: ["registered", client.deployment.chainId, did, major],
    queryFn: () => readRegisteredDid(client, { did: did ?? "", major: major ?? 0 }),
    enabled: did !== undefined && major !== undefined,
    staleTime: 15_000,
  });
}
