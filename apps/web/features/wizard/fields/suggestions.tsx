"use client";

import { useRegistryConnection } from "../../wallet/useRegistryClient.ts";
import { chainNames } from "../draft/chains.ts";
import type { FieldSpec } from "../draft/metadataFields.ts";

/** Suggested values of a field, some with a display name. */
interface Suggestions {
  values: string[];
  nameOf: (value: string) => string | undefined;
}

/** Returns the suggestions of a field. Other values may be entered. */
export function useSuggestions({ suggestions = [] }: FieldSpec): Suggestions {
  const { deployment } = useRegistryConnection();
  if (suggestions !== "chains") return { values: [...suggestions], nameOf: () => undefined };
  const own = `eip155:${deployment.chainId}`;
  const names: Record<string, string> = { [own]: "This registry's chain", ...chainNames };
  return { values: Object.keys(names), nameOf: (value) => names[value] };
}

/** Props of a suggestion list that opens at its field and is short enough not to scroll. */
export const dropdown = {
  limit: 8,
  withScrollArea: false,
  comboboxProps: { withinPortal: false },
};

/** Returns combobox props that show and search suggestions by value and by name. */
export const toComboboxProps = ({ values, nameOf }: Suggestions) => ({
  ...dropdown,
  data: values,
  renderOption: ({ option: { value } }: { option: { value: string } }) => (
    <span>
      {nameOf(value)} <code className="small soft">{value}</code>
    </span>
  ),
  filter: ({ search }: { search: string }) =>
    values
      .filter((value) =>
        `${nameOf(value) ?? ""} ${value}`.toLowerCase().includes(search.trim().toLowerCase()),
      )
      .slice(0, dropdown.limit)
      .map((value) => ({ value, label: value })),
});

/** Returns the value of the suggestion whose name was entered, or the entered text itself. */
export const resolveSuggestion = ({ values, nameOf }: Suggestions, text: string): string =>
  values.find((value) => nameOf(value)?.toLowerCase() === text.trim().toLowerCase()) ?? text;
