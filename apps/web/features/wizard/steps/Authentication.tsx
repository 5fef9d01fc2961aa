"use client";

import { isJsonObject } from "@app-registry/sdk";
import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { type AuthenticationWay, authenticationWays } from "../draft/endpointFields.ts";
import { useJsonEditor } from "../fields/AsJson.tsx";
import { FieldsBelow } from "../fields/Field.tsx";
import styles from "../fields/fields.module.css";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

/** Renders the authentication methods of an endpoint. Several may be selected. */
export function Authentication({ pointer, of }: { pointer: string; of: string | undefined }) {
  const value = useMetadata(pointer);
  const error = useFieldError(pointer, { exact: true });
  const fits = value === undefined || isJsonObject(value);
  const { editor, toggle } = useJsonEditor({ at: pointer, label: "Authentication", fits });
  return (
    <Group
      title="Authentication"
      of={of}
      help="How callers authenticate. Choose all that apply, or none. This is a public description: never enter secrets."
      action={toggle}
    >
      <div id={fieldId(pointer)} tabIndex={-1} className="stack2">
        {error === undefined ? null : <p className={styles.error}>{error}</p>}
        {editor ?? authenticationWays.map((way) => <Way key={way.label} {...{ pointer, way }} />)}
      </div>
    </Group>
  );
}

function Way({ pointer, way: { label, keys, fields } }: { pointer: string; way: AuthenticationWay }) {
  const { dispatch, readOnly } = useWizard();
  const value = useMetadata(pointer);
  // Keep a selected method open although it has no values yet.
  const [ticked, setTicked] = useState(false);
  const on = ticked || (isJsonObject(value) && keys.some((key) => key in value));
  return (
    <div className="stack2">
      <Checkbox
        {...{ label }}
        checked={on}
        disabled={readOnly}
        onChange={({ currentTarget: { checked } }) => {
          setTicked(checked);
          dispatch({ type: "switch", pointer, keys, on: checked });
        }}
      />
      {on ? (
        <div className={`stack2 ${styles.inset}`}>
          <FieldsBelow pointer={pointer} fields={fields} />
        </div>
      ) : null}
    </div>
  );
}
