"use client";

import type { FindingKind } from "@app-registry/outbound/fill";
import { apiTypes, Interfaces } from "@app-registry/sdk";
import { NativeSelect, TextInput, UnstyledButton } from "@mantine/core";
import { apiTraits, type Draft } from "../draft/draft.ts";
import type { DraftAction } from "../draft/reducer.ts";
import { inputLayout, useInput } from "../fields/Field.tsx";
import { SourceBox } from "../source/SourceBox.tsx";
import { fieldId, useFieldError, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";
import { NextStep } from "./NextStep.tsx";
import styles from "./start.module.css";

/** Renders the choice of the service, from an address or by type. */
export function StartStep() {
  const { draft } = useWizard();
  return (
    <>
      <SourceBox kind={kinds.find(({ isChosen }) => isChosen(draft))?.finding} />
      <Kinds />
      <ApiType />
      <NextStep />
    </>
  );
}

type Kind = {
  label: string;
  /** Kind of finding that the registry checks first. */
  finding: FindingKind;
  description: string;
  isChosen: (draft: Draft) => boolean;
  choose: DraftAction;
  leave: DraftAction;
};

const leaveApi: DraftAction = { type: "interface", bit: Interfaces.Api, on: false };
const named = ["api:mcp", "api:a2a"];

function hasApi({ interfaces, metadata }: Draft, is: (trait: string) => boolean): boolean {
  return (interfaces & Interfaces.Api) !== 0 && is(apiTraits(metadata)[0] ?? "");
}

const apiKind = (label: string, finding: FindingKind, description: string): Kind => ({
  label,
  finding,
  description,
  isChosen: (draft) => hasApi(draft, (trait) => trait === `api:${finding}`),
  choose: { type: "apiType", trait: `api:${finding}` },
  leave: leaveApi,
});

const bitKind = (label: string, finding: FindingKind, bit: 1 | 4, description: string): Kind => ({
  label,
  finding,
  description,
  isChosen: ({ interfaces }) => (interfaces & bit) !== 0,
  choose: { type: "interface", bit, on: true },
  leave: { type: "interface", bit, on: false },
});

const kinds: Kind[] = [
  bitKind("Website or app", "website", Interfaces.Human, "Used by people."),
  apiKind("MCP server", "mcp", "Offers tools to agents."),
  apiKind("A2A agent", "a2a", "Talks to other agents."),
  {
    label: "API",
    finding: "openapi",
    description: "Called by programs (REST, GraphQL, other).",
    isChosen: (draft) => hasApi(draft, (trait) => !named.includes(trait)),
    choose: { type: "apiType", trait: "api:rest" },
    leave: leaveApi,
  },
  bitKind("Contract", "contract", Interfaces.Contract, "Runs on a chain."),
];

/** Renders the types of service. A website can also be an API; an API has one type. */
function Kinds() {
  const { draft, dispatch, readOnly } = useWizard();
  const error = useFieldError("interfaces");
  return (
    <Group title="Type of service" help="Choose all that apply. Each adds a step.">
      <div id={fieldId("interfaces")} tabIndex={-1} className={styles.tiles}>
        {kinds.map(({ label, description, isChosen, choose, leave }) => {
          const chosen = isChosen(draft);
          return (
            <UnstyledButton
              key={label}
              className={styles.tile}
              aria-pressed={chosen}
              disabled={readOnly}
              onClick={() => dispatch(chosen ? leave : choose)}
            >
              <strong>
                <span aria-hidden="true">{chosen ? "✓ " : ""}</span>
                {label}
              </strong>
              <span className="small soft">{description}</span>
            </UnstyledButton>
          );
        })}
      </div>
      {error === undefined ? null : (
        <p role="alert" className={inputLayout.classNames.error}>
          {error}
        </p>
      )}
    </Group>
  );
}

const OTHER = "other";

/** Renders the type of an API that is neither an MCP server nor an A2A agent. */
function ApiType() {
  const { draft, dispatch } = useWizard();
  const trait = apiTraits(draft.metadata)[0];
  const input = useInput({
    at: "apiType",
    label: "API type",
    help: trait ? `Adds the trait ${trait} to the record.` : "Adds the matching trait to the record.",
    required: true,
  });
  if ((draft.interfaces & Interfaces.Api) === 0 || (trait !== undefined && named.includes(trait)))
    return null;
  const listed = trait === undefined || apiTypes.some((type) => type.trait === trait);
  const set = (next: string) => dispatch({ type: "apiType", trait: next });
  return (
    <>
      <NativeSelect
        {...input}
        value={listed ? (trait ?? "") : OTHER}
        onChange={({ currentTarget: { value } }) => set(value === OTHER ? "api:" : value)}
        data={[
          { value: "", label: "Choose a type", disabled: true },
          ...apiTypes
            .filter((type) => !named.includes(type.trait))
            .map((type) => ({ value: type.trait, label: type.label })),
          { value: OTHER, label: "Other" },
        ]}
      />
      {listed ? null : (
        <TextInput
          {...inputLayout}
          label="API type trait"
          description="Starts with api:, for example api:soap."
          value={trait}
          onChange={({ currentTarget: { value } }) => set(value.startsWith("api:") ? value : `api:${value}`)}
        />
      )}
    </>
  );
}
