"use client";

import type { ServedDocument } from "@app-registry/outbound";
import { toAppRegistryError } from "@app-registry/sdk";
import { requestJson } from "@app-registry/sdk/internal";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod/mini";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import type { DataUrlAnswer, DataUrlQuestion } from "./draft/dataUrlCheck.ts";
import { dataUrlQuestion } from "./draft/dataUrlCheck.ts";
import type { Draft } from "./draft/draft.ts";
import { type PublicationOptions, toPublication } from "./draft/publication.ts";
import { saveFile } from "./saveFile.ts";
import { Group } from "./steps/Group.tsx";
import { useWizard } from "./WizardContext.tsx";

/** Time limit in milliseconds, long because the registry itself waits for the host. */
const TIMEOUT = 30_000;

/** Age in milliseconds after which the review checks a URL again. */
const FRESH = 60_000;

async function ask(question: DataUrlQuestion): Promise<DataUrlAnswer> {
  const registry = { baseUrl: location.origin, timeoutMs: TIMEOUT };
  try {
    const served = await requestJson(registry, "/api/check-data-url", z.custom<ServedDocument>(), question);
    return { question, ...served };
  } catch (error) {
    return { question, ok: false, reason: toAppRegistryError(error).shortMessage };
  }
}

/** Checks if the draft's data URL serves its document, on the review screen and on request. */
export function useDataUrlCheck(draft: Draft, options: PublicationOptions) {
  const question = dataUrlQuestion(draft, toPublication(draft, options), options.publicUrl);
  const isReadable = question !== undefined && /^https?:/i.test(question.url);
  return useQuery({
    queryKey: ["data-url", question],
    queryFn: () => (question ? ask(question) : Promise.reject(new Error("There is no URL to check."))),
    enabled: isReadable && draft.step === "review",
    staleTime: ({ state }) => (state.data?.ok ? FRESH : 0),
    refetchOnWindowFocus: false,
    retry: false,
  });
}

/** Offers the JSON to upload and a check of the data URL, where the draft needs them. */
export function ServedJson() {
  const { draft, publicUrl, registered } = useWizard();
  const publication = toPublication(draft, { publicUrl, registered });
  const check = useDataUrlCheck(draft, { publicUrl, registered });
  const question = dataUrlQuestion(draft, publication, publicUrl);
  const { canonical } = publication;
  if (draft.storage === "chain" && question === undefined) return null;
  return (
    <Group
      title="JSON at your URL"
      help="Upload this exact file, then check that your URL serves it. If you change the form later, upload the file again."
    >
      <div className="bar">
        <Button
          variant="default"
          disabled={canonical === undefined}
          onClick={() => canonical && saveFile("metadata.json", canonical)}
        >
          Download JSON
        </Button>
        <Button
          variant="default"
          disabled={question === undefined}
          loading={check.isFetching}
          onClick={() => void check.refetch()}
        >
          Check URL
        </Button>
      </div>
      <p role="status" className="small">
        {check.isFetching ? (
          `Checking ${question?.url}…`
        ) : check.data?.ok ? (
          <>
            <StatusMark outcome="pass" /> Your URL serves this JSON.
          </>
        ) : check.data ? (
          <>
            <StatusMark outcome="fail" /> {check.data.reason}
          </>
        ) : (
          "Not checked yet."
        )}
      </p>
    </Group>
  );
}
