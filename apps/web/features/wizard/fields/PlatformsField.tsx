"use client";

import { isJsonObject, type JsonValue, toJsonPointer } from "@app-registry/sdk";
import { Autocomplete, Button } from "@mantine/core";
import { type ComponentType, useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import type { FieldSpec } from "../draft/metadataFields.ts";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import { useJsonEditor } from "./AsJson.tsx";
import styles from "./fields.module.css";
import { inputLayout } from "./inputLayout.ts";
import { dropdown } from "./suggestions.tsx";

const platformNames: Record<string, string> = {
  web: "Web",
  ios: "iOS",
  android: "Android",
  macos: "macOS",
  windows: "Windows",
  linux: "Linux",
};

const downloads: Record<string, string> = {
  ios: "https://apps.apple.com/app/…",
  android: "https://play.google.com/store/apps/…",
};

/** Returns the fields of a platform. A website has a URL and no download. */
function platformFields(key: string, columns: readonly FieldSpec[]): FieldSpec[] {
  const fields = key === "web" ? columns.filter(({ at }) => at === "/launchUrl") : columns;
  return fields.map((field) => ({
    ...field,
    label: `${platformNames[key] ?? key}: ${field.label}`,
    ...(field.at === "/downloadUrl" && downloads[key] && { placeholder: downloads[key] }),
  }));
}

/** Returns the key of an entered platform name, or `undefined` if the text can't be a key. */
function toKey(typed: string): string | undefined {
  const text = typed.trim();
  const known = Object.keys(platformNames).find(
    (key) => platformNames[key]?.toLowerCase() === text.toLowerCase(),
  );
  return known ?? (/^[a-z][\w .-]{0,60}$/i.test(text) ? text : undefined);
}

/** Renders the platforms of a service, each with its URLs. `Each` renders one field. */
export function PlatformsField({
  at,
  label,
  columns = [],
  Each,
}: FieldSpec & { Each: ComponentType<FieldSpec> }) {
  const value = useMetadata(at);
  const { dispatch } = useWizard();
  const error = useFieldError(at, { exact: true });
  const { editor, toggle } = useJsonEditor({ at, label, fits: value === undefined || isJsonObject(value) });
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  // Keep platforms without a URL visible, although the document omits them.
  const [opened, setOpened] = useState(keys.length === 0 ? ["web"] : keys);
  const shown = [...opened, ...keys.filter((key) => !opened.includes(key))];
  const remove = (key: string) => {
    setOpened(shown.filter((other) => other !== key));
    dispatch({ type: "set", pointer: at + toJsonPointer([key]), value: undefined });
  };
  return (
    <div id={fieldId(at)} tabIndex={-1} className="stack2">
      {error === undefined ? null : <p className={styles.error}>{error}</p>}
      {editor ?? (
        <>
          {shown.map((key) => (
            <section key={key} className={`stack2 ${styles.entry}`} aria-label={platformNames[key] ?? key}>
              <header className={styles.groupHead}>
                <h4>{platformNames[key] ?? key}</h4>
                <QuietButton onClick={() => remove(key)}>Remove {platformNames[key] ?? key}</QuietButton>
              </header>
              <PlatformFields
                {...{ at, platform: key, columns, Each }}
                value={isJsonObject(value) ? value[key] : undefined}
              />
            </section>
          ))}
          <AddPlatform shown={shown} onAdd={(key) => setOpened([...shown, key])} />
        </>
      )}
      <div>{toggle}</div>
    </div>
  );
}

type PlatformProps = {
  at: string;
  platform: string;
  columns: readonly FieldSpec[];
  value: JsonValue | undefined;
  Each: ComponentType<FieldSpec>;
};

function PlatformFields({ at, platform, columns, value, Each }: PlatformProps) {
  const pointer = at + toJsonPointer([platform]);
  if (value !== undefined && !isJsonObject(value)) {
    return <Each at={pointer} label={`${platform} as JSON`} control="json" />;
  }
  return platformFields(platform, columns).map((spec) => (
    <Each key={spec.at} {...spec} at={pointer + spec.at} />
  ));
}

function AddPlatform({ shown, onAdd }: { shown: string[]; onAdd: (key: string) => void }) {
  const { readOnly } = useWizard();
  const [text, setText] = useState("");
  const key = toKey(text);
  const others = Object.keys(platformNames).filter((name) => !shown.includes(name));
  return (
    <form
      className={styles.pair}
      onSubmit={(event) => {
        event.preventDefault();
        if (key === undefined || shown.includes(key)) return;
        onAdd(key);
        setText("");
      }}
    >
      <Autocomplete
        label="Another platform"
        placeholder="For example iOS"
        value={text}
        onChange={setText}
        data={others.map((name) => platformNames[name] ?? name)}
        disabled={readOnly}
        {...dropdown}
        classNames={{ label: inputLayout.classNames.label, input: inputLayout.classNames.input }}
      />
      <Button type="submit" variant="default" disabled={readOnly || key === undefined || shown.includes(key)}>
        Add platform
      </Button>
    </form>
  );
}
