"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { TextInput } from "../../components/controls/controls.tsx";
import type { Suggestions } from "../../lib/server/records/lookup.ts";
import styles from "./explore.module.css";

/** Delay after the last key before suggestions are requested, in milliseconds. */
const DEBOUNCE_MS = 150;

type Suggestion = { kind: "name" | "publisher" | "trait"; text: string };

/** Names and publishers are claims, so their labels call them claimed. */
const kindLabels = { name: "claimed name", publisher: "claimed publisher", trait: "trait" } as const;

const listed = ({ names, publishers, traits }: Suggestions): Suggestion[] => [
  ...names.map((text): Suggestion => ({ kind: "name", text })),
  ...publishers.map((text): Suggestion => ({ kind: "publisher", text })),
  ...traits.map((text): Suggestion => ({ kind: "trait", text })),
];

async function readSuggestions(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const response = await fetch(`/api/suggest?${new URLSearchParams({ q })}`, { signal });
  return response.ok ? listed((await response.json()) as Suggestions) : [];
}

type SearchFieldProps = { defaultValue?: string; label?: string; size?: "md" | "lg" };

/**
 * Renders the search field with suggestions: an editable combobox with a list (ARIA APG). Without scripts it is a plain
 * field.
 */
export function SearchField({ defaultValue, label, size }: SearchFieldProps) {
  const list = useId();
  const [typed, setTyped] = useState("");
  const [suggestions, setSuggestions] = useState<Suggestion[]>([]);
  /** Index of the selected suggestion; -1 is the field. */
  const [at, setAt] = useState(-1);
  const holder = useRef<HTMLDivElement>(null);
  const isOpen = suggestions.length > 0;

  useEffect(() => {
    if (typed.trim() === "") return;
    const control = new AbortController();
    const timer = setTimeout(() => {
      // The search works without suggestions, so a failed request is ignored.
      readSuggestions(typed.trim(), control.signal).then(setSuggestions, () => undefined);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [typed]);

  function close() {
    setTyped("");
    setSuggestions([]);
    setAt(-1);
  }

  function choose({ text }: Suggestion) {
    const input = holder.current?.querySelector("input");
    if (!input) return;
    input.value = text;
    close();
    input.form?.requestSubmit();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const places = suggestions.length + 1;
      setAt(((at + 1 + step + places) % places) - 1);
    } else if (event.key === "Escape") close();
    else if (event.key === "Enter" && suggestions[at]) choose(suggestions[at]);
    else return;
    event.preventDefault();
  }

  return (
    <div ref={holder} className="grow" style={{ position: "relative" }}>
      <TextInput
        name="q"
        type="search"
        {...(label === undefined ? { "aria-label": "Search services" } : { label })}
        {...(size && { size })}
        defaultValue={defaultValue}
        maxLength={2_048}
        placeholder="Words, URL, domain, contract or DID"
        autoComplete="off"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={at < 0 ? undefined : `${list}${at}`}
        onChange={(event) => {
          const { value } = event.target;
          setTyped(value);
          setAt(-1);
          if (value.trim() === "") setSuggestions([]);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div
        id={list}
        className={`box anywhere ${styles.suggestions}`}
        hidden={!isOpen}
        role="listbox"
        aria-label="Suggestions"
      >
        {suggestions.map((suggestion, index) => (
          <div
            key={`${suggestion.kind} ${suggestion.text}`}
            id={`${list}${index}`}
            className="row apart"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={(event) => {
              // Prevent the click from moving the focus out of the field.
              event.preventDefault();
              choose(suggestion);
            }}
          >
            <bdi>{suggestion.text}</bdi> <span className="quiet">{kindLabels[suggestion.kind]}</span>
          </div>
        ))}
      </div>
      <span className="visuallyHidden" role="status">
        {isOpen ? `${suggestions.length} suggestions` : ""}
      </span>
    </div>
  );
}
