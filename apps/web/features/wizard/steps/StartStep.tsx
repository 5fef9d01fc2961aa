import type { FindingKind } from "@app-registry/outbound/fill";
import { apiTypes, Interfaces } from "@app-registry/sdk";
import { NativeSelect, TextInput, UnstyledButton } from "@mantine/core";
import { type Draft, getApiTrait, type InterfaceBit } from "../draft/draft.ts";
import { fieldId } from "../draft/screens.ts";
import { Group } from "../fields/Fields.tsx";
import { inputLayout, useInput } from "../fields/inputs.tsx";
import { SourceBox } from "../source/SourceBox.tsx";
import { useFieldError, useWizard } from "../WizardContext.tsx";
import styles from "../wizard.module.css";
import { NextStep } from "./NextStep.tsx";

/** Renders the choice of the service, from an address or by type. */
export function StartStep() {
  const { draft } = useWizard();
  return (
    <>
      <SourceBox kind={kinds.find((kind) => isChosen(kind, draft))?.finding} />
      <Kinds />
      <ApiType />
      <NextStep />
    </>
  );
}

type Kind = {
  label: string;
  description: string;
  /** Kind of finding that the registry checks first. */
  finding: FindingKind;
  bit: InterfaceBit;
  /** API type that is set with the kind. */
  trait?: string;
};

const { Human, Api, Contract } = Interfaces;
const api = "Called by programs (REST, GraphQL, other).";
const kinds: Kind[] = [
  { label: "Website or app", description: "Used by people.", finding: "website", bit: Human },
  { label: "MCP server", description: "Offers tools to agents.", finding: "mcp", bit: Api, trait: "api:mcp" },
  { label: "A2A agent", description: "Talks to other agents.", finding: "a2a", bit: Api, trait: "api:a2a" },
  { label: "API", description: api, finding: "openapi", bit: Api, trait: "api:rest" },
  { label: "Contract", description: "Runs on a chain.", finding: "contract", bit: Contract },
];

/** API types that have a kind of their own. Every other type is that of the kind "API". */
const named = ["api:mcp", "api:a2a"];

function isChosen({ bit, trait }: Kind, { interfaces, metadata }: Draft): boolean {
  const present = getApiTrait(metadata) ?? "";
  const isOfType = trait === undefined || trait === (named.includes(present) ? present : "api:rest");
  return (interfaces & bit) !== 0 && isOfType;
}

/** Renders the types of service. A website can also be an API; an API has one type. */
function Kinds() {
  const { draft, dispatch, readOnly } = useWizard();
  const error = useFieldError("interfaces");
  return (
    <Group title="Type of service" help="Choose all that apply. Each adds a step.">
      <div id={fieldId("interfaces")} tabIndex={-1} className="tiles">
        {kinds.map((kind) => {
          const { label, description, bit, trait } = kind;
          const chosen = isChosen(kind, draft);
          return (
            <UnstyledButton
              key={label}
              className={`box ${styles.tile}`}
              aria-pressed={chosen}
              disabled={readOnly}
              onClick={() =>
                dispatch(
                  chosen || trait === undefined
                    ? { type: "interface", bit, on: !chosen }
                    : { type: "apiType", trait },
                )
              }
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
        <p role="alert" className="error">
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
  const trait = getApiTrait(draft.metadata);
  const input = useInput({
    at: "apiType",
    label: "API type",
    help: trait ? `Adds the trait ${trait} to the record.` : "Adds the matching trait to the record.",
    required: true,
  });
  if ((draft.interfaces & Api) === 0 || (trait !== undefined && named.includes(trait))) return null;
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
          ...apiTypes.flatMap(({ trait: value, label }) => (named.includes(value) ? [] : [{ value, label }])),
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
