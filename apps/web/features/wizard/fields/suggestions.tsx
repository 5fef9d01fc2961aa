"use client";

import { useRegistryConnection } from "../../wallet/useRegistryClient.ts";
import { chainNames } from "../draft/chains.ts";
import type { FieldSpec } from "../draft/screens.ts";

/** Values that a field offers, some with a name that people know them by. */
interface Suggestions {
  values: string[];
  nameOf: (value: string) => string | undefined;
}

/** What a field offers; any other value may be typed. */
export function useSuggestions({ suggestions = [] }: FieldSpec): Suggestions {
  const { deployment } = useRegistryConnection();
  if (suggestions !== "chains") return { values: [...suggestions], nameOf: () => undefined };
  const own = `eip155:${deployment.chainId}`;
  const names: Record<string, string> = { [own]: "This registry's chain", ...chainNames };
  return { values: Object.keys(names), nameOf: (value) => names[value] };
}

/** A list that opens at its field and needs no scrolling: typing narrows it. */
export const dropdown = {
  limit: 8,
  withScrollArea: false,
  comboboxProps: { withinPortal: false },
};

/** How a list of suggestions is shown and searched: by value and by name. */
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

/** The value that a typed text means: a name means its value. */
export const resolveSuggestion = ({ values, nameOf }: Suggestions, text: string): string =>
  values.find((value) => nameOf(value)?.toLowerCase() === text.trim().toLowerCase()) ?? text;
