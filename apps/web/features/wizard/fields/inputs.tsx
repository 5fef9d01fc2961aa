import { MAX_TRAITS, normalizeTrait } from "@app-registry/sdk";
import {
  Autocomplete,
  Checkbox,
  type InputWrapperProps,
  NativeSelect,
  Radio,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { lazy, Suspense } from "react";
import { useRegistryConnection } from "../../wallet/useRegistryClient.ts";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { type Draft, getApiTrait } from "../draft/draft.ts";
import { chainNames, type FieldSpec } from "../draft/fields.ts";
import { readText, toList, toText } from "../draft/pointer.ts";
import type { DraftAction } from "../draft/reducer.ts";
import { type DraftTextField, fieldId } from "../draft/screens.ts";
import { useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";

/** Loaded with the first schema, because the validator and its meta-schemas are large. */
const SchemaReport = lazy(() => import("./SchemaReport.tsx"));

/** Layout of a field: the help follows the message, in its own column if there is room. */
export const inputLayout = {
  inputWrapperOrder: ["label", "input", "error", "description"] as NonNullable<
    InputWrapperProps["inputWrapperOrder"]
  >,
  classNames: { root: styles.root ?? "" },
};

/** Classes of an input for machine-readable text. */
export const monoInput = "mono small";

/** Returns the props that every input needs. */
export function useInput({ at, label, help, placeholder, required = false, mono, wide }: FieldSpec) {
  const { touch, readOnly } = useWizard();
  return {
    id: fieldId(at),
    error: useFieldError(at),
    disabled: readOnly,
    onBlur: () => touch(at),
    label,
    description: help,
    placeholder,
    withAsterisk: required,
    "aria-required": required,
    ...inputLayout,
    ...(wide && { className: styles.wide ?? "" }),
    ...(mono && { classNames: { ...inputLayout.classNames, input: monoInput } }),
  };
}

/** Props of a suggestion list that opens at its field and is short enough not to scroll. */
export const dropdown = { limit: 8, withScrollArea: false, comboboxProps: { withinPortal: false } };

/** Returns the suggestions of a field, which show and search values and their names. Other values may be entered. */
function useSuggestions({ suggestions = [] }: FieldSpec) {
  const { deployment } = useRegistryConnection();
  const own = `eip155:${deployment.chainId}`;
  const names: Record<string, string> =
    suggestions === "chains" ? { [own]: "This registry's chain", ...chainNames } : {};
  const data = suggestions === "chains" ? Object.keys(names) : [...suggestions];
  return {
    names,
    /** Returns the value whose name was entered, or the entered text itself. */
    resolve: (text: string) =>
      data.find((value) => names[value]?.toLowerCase() === text.trim().toLowerCase()) ?? text,
    props: {
      ...dropdown,
      data,
      renderOption: ({ option: { value } }: { option: { value: string } }) => (
        <span>
          {names[value]} <code className="small soft">{value}</code>
        </span>
      ),
      filter: ({ search }: { search: string }) =>
        data
          .filter((value) =>
            `${names[value] ?? ""} ${value}`.toLowerCase().includes(search.trim().toLowerCase()),
          )
          .slice(0, dropdown.limit)
          .map((value) => ({ value, label: value })),
    },
  };
}

export type TextFieldProps = FieldSpec & {
  /** True if the record already has the value and an update can't change it. */
  fixed?: boolean;
  /** Handles the text instead of setting it in the draft. */
  onText?: (text: string) => void;
};

/** Renders a text of the metadata or of the record. An empty text is omitted from the document. */
export function TextField({ fixed = false, onText, ...spec }: TextFieldProps) {
  const { at, lines } = spec;
  const { draft, dispatch } = useWizard();
  const inMetadata = at.startsWith("/");
  const value = useMetadata(inMetadata ? at : "");
  const isMachineText = !inMetadata || spec.mono === true;
  const input = useInput({ ...spec, mono: isMachineText });
  const { props, resolve } = useSuggestions(spec);
  const set = (text: string) => {
    if (onText) onText(text);
    else if (inMetadata) dispatch({ type: "set", pointer: at, value: text });
    else dispatch({ type: "field", field: at as DraftTextField, value: text });
  };
  const shared = {
    ...input,
    value: inMetadata ? toText(value) : draft[at as DraftTextField],
    readOnly: fixed,
    ...(isMachineText && { spellCheck: false, autoCapitalize: "off" }),
  };
  if (spec.suggestions)
    return <Autocomplete {...shared} {...props} onChange={(text) => set(resolve(text))} />;
  const onChange = ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value);
  return lines ? (
    <Textarea {...shared} onChange={onChange} autosize minRows={lines} maxRows={12} />
  ) : (
    <TextInput {...shared} onChange={onChange} />
  );
}

type TagsFieldProps = FieldSpec & { tags?: string[]; onTags?: (next: string[]) => void };

/**
 * Renders a list of short texts, each ended by a comma, space or Enter: the metadata's own, or `tags`, whose changes are
 * handled by `onTags`.
 */
export function TagsField({ tags, onTags, ...spec }: TagsFieldProps) {
  const { dispatch } = useWizard();
  const value = useMetadata(spec.at);
  const shown = tags ?? toList(value).map(toText);
  const { names, props, resolve } = useSuggestions(spec);
  const input = useInput(spec);
  const named = shown.flatMap((tag) => names[tag] ?? []);
  const set = (next: string[]) =>
    dispatch({ type: "set", pointer: spec.at, value: next.length === 0 ? undefined : next });
  return (
    <TagsInput
      {...input}
      {...(spec.suggestions && props)}
      description={named.length === 0 ? input.description : `${named.join(", ")}. ${spec.help ?? ""}`}
      placeholder={shown.length === 0 ? spec.placeholder : undefined}
      value={shown}
      onChange={(next) => (onTags ?? set)(next.map(resolve))}
      // Do not split at spaces: names of chains may contain them.
      splitChars={spec.suggestions || spec.phrases ? [",", "\n"] : [",", " ", "\n"]}
      acceptValueOnBlur
    />
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

/** Renders the traits other than the API type, which follows from the type of service. */
export function TraitsField(spec: FieldSpec) {
  const { draft, dispatch } = useWizard();
  const apiTrait = getApiTrait(draft.metadata);
  const own = toList(draft.metadata.traits).filter(
    (trait): trait is string => typeof trait === "string" && trait !== apiTrait,
  );
  const set = (next: string[]) => {
    const value = [...(apiTrait === undefined ? [] : [apiTrait]), ...next.flatMap(traitsIn)];
    dispatch({ type: "set", pointer: spec.at, value: value.length === 0 ? undefined : value });
  };
  const automatic = apiTrait === undefined ? "" : ` The API type adds ${apiTrait}.`;
  const help = `Up to ${MAX_TRAITS}. Separate them with commas or Enter. Use lower-case letters, digits and : . _ - (for example pay:x402 or travel).${automatic}`;
  return <TagsField {...spec} help={help} tags={own} onTags={set} />;
}

/** Renders a checkbox. The default value is omitted from the document. */
export function CheckField({ at, label, help, isDefault = false }: FieldSpec) {
  const { dispatch, readOnly } = useWizard();
  return (
    <Checkbox
      id={fieldId(at)}
      {...{ label, description: help, error: useFieldError(at), disabled: readOnly }}
      checked={(useMetadata(at) ?? isDefault) === true}
      onChange={({ currentTarget: { checked } }) =>
        dispatch({ type: "set", pointer: at, value: checked === isDefault ? undefined : checked })
      }
    />
  );
}

/** Renders a choice of true, false or unset. */
export function AnswerField(spec: FieldSpec) {
  const { dispatch } = useWizard();
  const { placeholder: _, ...input } = useInput(spec);
  const value = useMetadata(spec.at);
  const [whenTrue, whenFalse] = spec.answers ?? ["Yes", "No"];
  const set = (text: string) =>
    dispatch({ type: "set", pointer: spec.at, value: text === "" ? undefined : text === "true" });
  return (
    <NativeSelect
      {...input}
      value={value === undefined ? "" : String(value)}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      data={[
        { value: "", label: "Not specified" },
        { value: "true", label: whenTrue },
        { value: "false", label: whenFalse },
      ]}
    />
  );
}

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
  const isBroken = text !== undefined && readText(pointer, text).problem !== undefined;
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
      {isBroken ? (
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

type ChoiceField = "algorithm" | "storage" | "status";

type ChoiceProps = {
  [F in ChoiceField]: {
    /** Draft field to set. */
    at: F;
    label: string;
    choices: { value: Draft[F]; label: string; description: string }[];
  };
}[ChoiceField];

/** Renders a field with a few values, each with a description. */
export function Choice({ at, label, choices }: ChoiceProps) {
  const { draft, dispatch, readOnly } = useWizard();
  const set = (text: string) => {
    const value = choices.map((choice) => choice.value).find((known) => String(known) === text);
    dispatch({ type: "field", field: at, value } as DraftAction);
  };
  return (
    <Radio.Group
      id={fieldId(at)}
      label={label}
      error={useFieldError(at)}
      value={String(draft[at])}
      onChange={set}
      className="stack"
    >
      <div className="stack">
        {choices.map(({ value, ...choice }) => (
          <Radio key={value} value={String(value)} {...choice} disabled={readOnly} />
        ))}
      </div>
    </Radio.Group>
  );
}
