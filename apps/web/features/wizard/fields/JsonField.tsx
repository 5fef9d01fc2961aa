"use client";

import { Textarea } from "@mantine/core";
import { lazy, Suspense } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import type { FieldSpec } from "../draft/metadataFields.ts";
import { textProblem } from "../draft/problems.ts";
import { useMetadata, useWizard } from "../WizardContext.tsx";
import { useInput } from "./inputLayout.ts";

/** Loaded with the first schema, because the validator and its meta-schemas are large. */
const SchemaReport = lazy(() => import("./SchemaReport.tsx"));

/**
 * Renders a metadata part as JSON text. Invalid text stays in the editor with the line and column of the error, and the
 * record keeps the last valid value.
 */
export function JsonField(spec: FieldSpec) {
  const { at: pointer, lines = 4, maxLines = 24 } = spec;
  const { draft, dispatch } = useWizard();
  const value = useMetadata(pointer);
  const input = useInput({ ...spec, mono: true });
  const text = draft.texts[pointer];
  const broken = text !== undefined && textProblem(pointer, text) !== undefined;
  return (
    <div className="stack">
      <Textarea
        {...input}
        value={text ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
        onChange={(event) => dispatch({ type: "text", pointer, text: event.currentTarget.value })}
        onBlur={() => {
          input.onBlur();
          dispatch({ type: "closeText", pointer });
        }}
        autosize
        minRows={lines}
        maxRows={maxLines}
        spellCheck={false}
      />
      {broken ? (
        <div>
          <QuietButton onClick={() => dispatch({ type: "discardText", pointer })}>
            Restore last valid version
          </QuietButton>
        </div>
      ) : null}
      {spec.control === "schema" && value !== undefined ? (
        <Suspense>
          <SchemaReport schema={value} />
        </Suspense>
      ) : null}
    </div>
  );
}
