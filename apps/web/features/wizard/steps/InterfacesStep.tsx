"use client";

import { apiTypes, Interfaces } from "@app-registry/sdk";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { apiTraits, type InterfaceBit } from "../draft/draft.ts";

import styles from "../fields/fields.module.css";
import { fieldOrder, frame } from "../fields/MetadataText.tsx";
import { fieldId, useFieldError, useFieldProps, useWizard } from "../WizardContext.tsx";
import { StepFrame } from "./StepFrame.tsx";

const choices: { bit: InterfaceBit; label: string; description: string }[] = [
  { bit: Interfaces.Human, label: "Human", description: "People use it: a website or an app." },
  {
    bit: Interfaces.Api,
    label: "API",
    description: "Programs and agents call it: REST, an MCP server, an A2A agent and others.",
  },
  { bit: Interfaces.Contract, label: "Contract", description: "It runs on a chain. Its DID is a did:pkh." },
];

/** Which of the three interfaces the service has, and the type of its API. */
export function InterfacesStep() {
  const { draft, dispatch, readOnly } = useWizard();
  const error = useFieldError("interfaces");
  return (
    <StepFrame
      title="Interfaces"
      intro="Choose how the service can be used. More than one is fine; each adds a step of its own."
    >
      <Checkbox.Group
        id={fieldId("interfaces")}
        label="Interfaces"
        error={error}
        value={choices.filter(({ bit }) => (draft.interfaces & bit) !== 0).map(({ bit }) => String(bit))}
        classNames={{ root: styles.choices ?? "", error: frame.error, label: frame.label }}
      >
        <div className={styles.choices}>
          {choices.map(({ bit, label, description }) => (
            <Checkbox
              key={bit}
              value={String(bit)}
              label={label}
              description={description}
              disabled={readOnly}
              onChange={(event) => dispatch({ type: "interface", bit, on: event.currentTarget.checked })}
            />
          ))}
        </div>
      </Checkbox.Group>
      {(draft.interfaces & Interfaces.Api) === 0 ? null : <ApiType />}
    </StepFrame>
  );
}

const OTHER = "other";

function ApiType() {
  const { draft, dispatch } = useWizard();
  const props = useFieldProps("apiType");
  const trait = apiTraits(draft.metadata)[0];
  const listed = trait === undefined || apiTypes.some((type) => type.trait === trait);
  const help = trait
    ? `The trait ${trait} is added to the record by itself.`
    : "The matching trait is added to the record by itself.";
  return (
    <>
      <NativeSelect
        {...props}
        label="API type"
        description={help}
        withAsterisk
        value={listed ? (trait ?? "") : OTHER}
        onChange={({ currentTarget: { value } }) =>
          dispatch({ type: "apiType", trait: value === OTHER ? "api:" : value })
        }
        data={[
          { value: "", label: "Choose the API type", disabled: true },
          ...apiTypes.map((type) => ({ value: type.trait, label: type.label })),
          { value: OTHER, label: "Another type" },
        ]}
        inputWrapperOrder={[...fieldOrder]}
        classNames={frame}
      />
      {listed ? null : (
        <TextInput
          label="Trait of the API type"
          description="Starts with api: and names the type, such as api:soap."
          value={trait}
          onChange={({ currentTarget: { value } }) =>
            dispatch({ type: "apiType", trait: value.startsWith("api:") ? value : `api:${value}` })
          }
          inputWrapperOrder={[...fieldOrder]}
          classNames={{ ...frame, input: `${frame.input} ${styles.mono}` }}
        />
      )}
    </>
  );
}
