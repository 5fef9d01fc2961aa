import { toJsonPointer } from "@app-registry/sdk";
import { getDidContract } from "@app-registry/sdk/internal";
import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { contractEndpointIndex, type StepId } from "../draft/draft.ts";
import { screens } from "../draft/screens.ts";
import { Field, Fields } from "../fields/Fields.tsx";
import { useWizard } from "../WizardContext.tsx";
import { StartStep } from "./StartStep.tsx";

const later = {
  identity: () => import("./IdentityStep.tsx"),
  api: () => import("./ApiStep.tsx"),
  advanced: () => import("./AdvancedStep.tsx"),
  review: () => import("../review/Review.tsx"),
};

const preload = () => {
  for (const load of Object.values(later)) void load();
};

/** Components that screens render after the fields of their table. */
const parts: Partial<Record<StepId, ComponentType>> = {
  start: StartStep,
  identity: lazy(later.identity),
  api: lazy(later.api),
  contract: ContractStep,
  advanced: lazy(later.advanced),
  review: lazy(later.review),
};

/** Renders the draft's current screen: its title, introduction and fields. */
export function Screen() {
  const { draft } = useWizard();
  // Preload the later screens at the first interaction, so that they open without delay.
  useEffect(() => {
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, preload, { once: true });
  }, []);
  const { title, intro, content = [] } = screens[draft.step];
  const Part = parts[draft.step];
  return (
    <section className="stack3" style={{ containerType: "inline-size" }} aria-labelledby="step-title">
      <header className="stack">
        <h2 id="step-title" tabIndex={-1} style={{ outline: "none" }}>
          {title}
        </h2>
        <p className="prose soft">{intro}</p>
      </header>
      <div className="stack3">
        <Fields fields={content} />
        {Part ? (
          <Suspense fallback={<p className="soft">Loading…</p>}>
            <Part />
          </Suspense>
        ) : null}
      </div>
    </section>
  );
}

const contractFields = [
  {
    key: "endpoint",
    label: "RPC endpoint URL",
    placeholder: "https://rpc.example.com",
    help: "An RPC endpoint that you recommend for calling the contract. Optional.",
  },
  {
    key: "schemaUrl",
    label: "ABI URL",
    placeholder: "https://example.com/abi.json",
    help: "URL of the ABI as JSON. Optional.",
  },
] as const;

function ContractStep() {
  const { draft, dispatch, did } = useWizard();
  const index = contractEndpointIndex(draft);
  const contract = did === undefined ? undefined : getDidContract(did);
  return (
    <>
      <p className="soft small">
        {contract
          ? `This DID refers to contract ${contract.address} on chain ${contract.chainId}.`
          : "A contract needs a did:pkh DID that ends with its address, for example did:pkh:eip155:1:0x…."}
      </p>
      {contractFields.map(({ key, ...field }) => (
        <Field
          key={key}
          at={toJsonPointer(["endpoints", index, key])}
          {...field}
          mono
          onText={(value) => dispatch({ type: "contractEndpoint", key, value })}
        />
      ))}
    </>
  );
}
