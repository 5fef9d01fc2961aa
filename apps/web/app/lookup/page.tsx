import { AppRegistryError, parseSubject } from "@app-registry/sdk";
import type { Metadata } from "next";
import { Button, Inline, TextInput } from "../../components/controls/controls.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { LookupAnswer } from "../../features/explore/LookupAnswer.tsx";
import { type PageSearchParams, readParam } from "../../features/explore/listQuery.ts";

export const metadata: Metadata = { title: "Is it registered?" };

/** Render per request, because the registry changes with every block. */
export const dynamic = "force-dynamic";

/** Says if a URL, domain, contract or token is registered, and by whom (`?subject=…`). */
export default async function Page({ searchParams }: { searchParams: Promise<PageSearchParams> }) {
  const text = readParam((await searchParams).subject);
  return (
    <div className="stack3">
      <h1>Is it registered?</h1>
      <search>
        <form action="/lookup">
          <Inline>
            <TextInput
              name="subject"
              label="URL, domain, contract, token or DID"
              defaultValue={text}
              placeholder="https://example.com/mcp"
              maxLength={2_048}
              required
            />
            <Button type="submit">Look up</Button>
          </Inline>
        </form>
      </search>
      {text === "" ? (
        <p className="prose">
          Enter an address that you know. You see which service proves that it has this address, and which
          ones only claim it.
        </p>
      ) : (
        <Answer text={text} />
      )}
    </div>
  );
}

function Answer({ text }: { text: string }) {
  try {
    return <LookupAnswer subject={parseSubject(text)} />;
  } catch (error) {
    if (!(error instanceof AppRegistryError)) throw error;
    const { shortMessage, action } = error;
    return (
      <Problem
        tone="neutral"
        title="Nothing to look up"
        why={[shortMessage, action].filter(Boolean).join(" ")}
      />
    );
  }
}
