import type { ServedDocument } from "@app-registry/outbound";
import {
  type CanonicalDid,
  getAtPointer,
  type JsonObject,
  type JsonValue,
  type RegisteredDid,
  readRegisteredDid,
  toAppRegistryError,
  type Version,
} from "@app-registry/sdk";
import { requestJson } from "@app-registry/sdk/internal";
import { useMediaQuery } from "@mantine/hooks";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, type Dispatch, useContext } from "react";
import { z } from "zod/mini";
import { useRegistryClient, useWallet } from "../wallet/useRegistryClient.ts";
import { controlTexts } from "./control/controlState.ts";
import type { CheckedControl } from "./control/useControl.ts";
import type { Draft, StepId } from "./draft/draft.ts";
import { canonicalDid, type DraftProblem, readVersion } from "./draft/problems.ts";
import { type DataUrlQuestion, isReadableUrl, type Publication } from "./draft/publication.ts";
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
  /** Canonical form of the draft's DID, or undefined while the DID is invalid. */
  did: CanonicalDid | undefined;
  publication: Publication;
  dataUrlCheck: UseQueryResult<ServedDocument>;
  /** Connected wallet's control of the DID. */
  control: CheckedControl;
  problems: DraftProblem[];
  /** True once the user entered something or left a screen, so that problems may be shown. */
  isBegun: boolean;
  /** Chain's record of the DID, or undefined until it is read. */
  registered: RegisteredDid | undefined;
  /** Version that this draft follows, or undefined for a new service. */
  follows: FollowedVersion | undefined;
  /** Fields that the user has left at least once. */
  touched: ReadonlySet<string>;
  touch: (field: string) => void;
  /** Shows a screen. */
  goTo: (step: StepId) => void;
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

/** Returns the reason that the connected wallet's control of the DID is not proven. */
export function useUnproven(): string | undefined {
  const { state } = useWizard().control;
  const { isConnected } = useWallet();
  return isConnected && state.kind !== "holds" ? controlTexts[state.kind].short : undefined;
}

/** Returns true if the form's columns are shown side by side. */
export const useIsWide = () => useMediaQuery("(min-width: 960px)", true, { getInitialValueInEffect: false });

/** Queries the chain's record of a draft's DID and major version. */
export function useRegistered(draft: Draft) {
  const client = useRegistryClient();
  const did = canonicalDid(draft.did);
  const major = readVersion(draft.version).version?.major;
  return useQuery({
    queryKey: ["registered", client.deployment.chainId, did, major],
    queryFn: () => readRegisteredDid(client, { did: did ?? "", major: major ?? 0 }),
    enabled: did !== undefined && major !== undefined,
    staleTime: 15_000,
  });
}

/** Checks if the draft's data URL serves its document. The registry itself waits for the host. */
async function checkDataUrl(question: DataUrlQuestion): Promise<ServedDocument> {
  const registry = { baseUrl: location.origin, timeoutMs: 30_000 };
  try {
    return await requestJson(registry, "/api/check-data-url", z.custom<ServedDocument>(), question);
  } catch (error) {
    return { ok: false, reason: toAppRegistryError(error).shortMessage };
  }
}

/** Age in milliseconds after which the review checks a URL again. */
const FRESH = 60_000;

/** Queries if the draft's data URL serves its document: while `isOn`, and on request. */
export function useDataUrlCheck({ question }: Publication, isOn: boolean): UseQueryResult<ServedDocument> {
  return useQuery({
    queryKey: ["data-url", question],
    queryFn: () =>
      question ? checkDataUrl(question) : Promise.reject(new Error("There is no URL to check.")),
    enabled: isOn && question !== undefined && isReadableUrl(question.url),
    staleTime: ({ state }) => (state.data?.ok ? FRESH : 0),
    refetchOnWindowFocus: false,
    retry: false,
  });
}
