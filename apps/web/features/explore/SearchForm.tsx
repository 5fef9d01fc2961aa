"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useTransition } from "react";
import { Button, Inline } from "../../components/controls/controls.tsx";
import { listHref, readListQuery } from "./listQuery.ts";
import { SearchField } from "./SearchField.tsx";

type SearchFormProps = {
  /** Search text. */
  q: string;
  /** Fields of the filters. */
  children: ReactNode;
};

/** Returns the path of the list for the form's current values. */
function formHref(form: HTMLFormElement): string {
  const params: Record<string, string[]> = {};
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") params[name] = [...(params[name] ?? []), value];
  return listHref(readListQuery(params));
}

/** Renders the search form. It is a GET form, so it works without scripts. */
export function SearchForm({ q, children }: SearchFormProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const href = formHref(event.currentTarget);
    startTransition(() => router.push(href));
  }

  return (
    <search>
      <form action="/apps" method="get" className="stack2" onSubmit={submit}>
        <Inline>
          <SearchField key={q} label="Search services" defaultValue={q} />
          <Button type="submit" disabled={pending}>
            {pending ? "Searching…" : "Search"}
          </Button>
        </Inline>
        {children}
      </form>
    </search>
  );
}
