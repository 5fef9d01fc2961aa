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

/** The version of a record that a draft follows. */
export interface FollowedVersion {
  did: string;
  version: Version;
  interfaces: number;
  /** Undefined when it could not be read. */
  metadata: JsonObject | undefined;
}

/** What every screen of the wizard works with. */
export interface WizardState {
  draft: Draft;
  dispatch: Dispatch<DraftAction>;
  problems: DraftProblem[];
  /** What the chain says of the DID; undefined while it is not known. */
  registered: RegisteredDid | undefined;
  /** The version that this draft follows; undefined for a new service. */
  follows: FollowedVersion | undefined;
  /** Origin of this registry's web app, without a path. */
  publicUrl: string;
  /** Fields that the person has left once. */
  touched: ReadonlySet<string>;
  touch: (field: string) => void;
  /** Shows the screen of a field and puts the cursor into it. */
  showField: (field: string) => void;
  /** The transaction is sent, so the record can't be changed any more. */
  readOnly: boolean;
}

const WizardContext = createContext<WizardState | undefined>(undefined);

export const WizardProvider = WizardContext.Provider;

export function useWizard(): WizardState {
  const state = useContext(WizardContext);
  if (!state) throw new Error("useWizard needs a WizardProvider above it.");
  return state;
}

/** The DOM id of a field, by which problems lead to it. */
export const fieldId = (field: string): string => `field:${field}`;

/**
 * What is wrong with a field, to be shown at it: once the person has left the field or its screen. Problems of
 * parts that have no field of their own (below `field`) are shown at it too, unless `exact`.
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

/** A value of the metadata by its JSON pointer. */
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

/** What the chain says of a draft's DID and major version. */
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
