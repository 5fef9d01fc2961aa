"use client";

import { MAX_TRAITS, normalizeTrait, parseDid, toJsonPointer } from "@app-registry/sdk";
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from "react";
import { apiTraits, contractEndpointIndex, type StepId } from "../draft/draft.ts";
import { type FieldSpec, type GroupSpec, getMetadataField } from "../draft/metadataFields.ts";
import { canonicalDid } from "../draft/problems.ts";
import { screens } from "../draft/screens.ts";
import { Field, Tags } from "../fields/Field.tsx";
import styles from "../fields/fields.module.css";
import { useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";
import { StartStep } from "./StartStep.tsx";

const loadIdentity = () => import("./IdentityStep.tsx").then((module) => ({ default: module.IdentityStep }));
const loadApi = () => import("./ApiStep.tsx");
const loadAdvanced = () => import("./AdvancedStep.tsx");
const loadReview = () => import("../review/Review.tsx").then((module) => ({ default: module.Review }));
const IdentityStep = lazy(loadIdentity);
const ApiStep = lazy(loadApi);
const AdvancedStep = lazy(loadAdvanced);
const Review = lazy(loadReview);

/** Preloads the later screens at the first interaction, so that they open without delay. */
function useLaterScreens() {
  useEffect(() => {
    const begun = new AbortController();
    const load = () => {
      begun.abort();
      void Promise.all([loadIdentity(), loadApi(), loadAdvanced(), loadReview()]);
    };
    for (const event of ["pointerdown", "keydown"]) {
      addEventListener(event, load, { signal: begun.signal });
    }
    return () => begun.abort();
  }, []);
}

/** Components that a screen renders before and after the fields of its table. */
const parts: Partial<Record<StepId, { before?: ComponentType; after?: ComponentType }>> = {
  start: { after: StartStep },
  identity: { after: IdentityStep },
  api: { after: ApiStep },
  contract: { after: ContractStep },
  discovery: { before: TraitsField },
  advanced: { after: AdvancedStep },
  review: { after: Review },
};

/** Renders the draft's current screen: its title, introduction and fields. */
export function Screen() {
  const { draft } = useWizard();
  useLaterScreens();
  const { title, intro, content = [] } = screens[draft.step];
  const { before: Before, after: After } = parts[draft.step] ?? {};
  return (
    <section className={`stack3 ${styles.step}`} aria-labelledby="step-title">
      <header className="stack">
        <h2 id="step-title" tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        <p className="prose soft">{intro}</p>
      </header>
      <div className="stack3">
        {Before ? <Before /> : null}
        {content.map((part) => (
          <Part key={"at" in part ? part.at : part.title} part={part} />
        ))}
        {After ? (
          <Suspense fallback={<p className="soft">Loading…</p>}>
            <After />
          </Suspense>
        ) : null}
      </div>
    </section>
  );
}

function Part({ part }: { part: FieldSpec | GroupSpec }): ReactNode {
  if ("fields" in part) {
    return (
      <Group title={part.title} help={part.help}>
        {part.fields.map((field) => (
          <Field key={field.at} {...field} />
        ))}
      </Group>
    );
  }
  return <Field {...part} />;
}

/** Renders the contract's location and the fields for calling it. */
function ContractStep() {
  const { draft, dispatch } = useWizard();
  const index = contractEndpointIndex(draft);
  const did = canonicalDid(draft.did);
  const parsed = did === undefined ? undefined : parseDid(did);
  const endpointField = (key: "endpoint" | "schemaUrl", label: string, placeholder: string, help: string) => (
    <Field
      at={toJsonPointer(["endpoints", index, key])}
      {...{ label, placeholder, help }}
      mono
      onText={(value) => dispatch({ type: "contractEndpoint", key, value })}
    />
  );
  return (
    <>
      <p className="soft small">
        {parsed?.method === "pkh"
          ? `This DID refers to contract ${parsed.address} on chain ${parsed.chainId}.`
          : "A contract needs a did:pkh DID that ends with its address, for example did:pkh:eip155:1:0x…."}
      </p>
      {endpointField(
        "endpoint",
        "RPC endpoint URL",
        "https://rpc.example.com",
        "An RPC endpoint that you recommend for calling the contract. Optional.",
      )}
      {endpointField(
        "schemaUrl",
        "ABI URL",
        "https://example.com/abi.json",
        "URL of the ABI as JSON. Optional.",
      )}
    </>
  );
}

/** Splits an entry into traits, because a pasted list arrives as one entry. */
const traitsIn = (entry: string): string[] =>
  entry
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((trait) => {
      try {
        return normalizeTrait(trait);
      } catch {
        return trait;
      }
    });

function TraitsField() {
  const { draft, dispatch } = useWizard();
  const value = useMetadata("/traits");
  const apiTrait = apiTraits(draft.metadata)[0];
  const traits = (Array.isArray(value) ? value : []).filter((trait) => typeof trait === "string");
  const own = traits.filter((trait) => trait !== apiTrait);
  const set = (next: string[]) => {
    const all = [...(apiTrait === undefined ? [] : [apiTrait]), ...next.flatMap(traitsIn)];
    dispatch({ type: "set", pointer: "/traits", value: all.length === 0 ? undefined : all });
  };
  const automatic = apiTrait === undefined ? "" : ` The API type adds ${apiTrait}.`;
  const help = `Up to ${MAX_TRAITS}. Separate them with commas or Enter. Use lower-case letters, digits and : . _ - (for example pay:x402 or travel).${automatic}`;
  return <Tags {...getMetadataField("traits")} help={help} tags={own} onTags={set} />;
}
