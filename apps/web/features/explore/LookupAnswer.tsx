import { AppRegistryError, type LookupMatch, parseSubject, type Subject } from "@app-registry/sdk";
import Link from "next/link";
import type { ReactNode } from "react";
import { Problem } from "../../components/record/Problem.tsx";
import { lookUpSubject } from "../../lib/server/records/lookup.ts";
import { registry } from "../../lib/server/registry.ts";
import { ServiceList } from "./ServiceList.tsx";
import { inSearchTurn, toEntries, toSearchFailure } from "./searchServices.ts";

/** Most other services of a host. They answer another question. */
const MAX_NEAR = 5;

type AnswerProps = {
  subject: Subject;
  /** Shows nothing if no service has the subject. */
  isBrief?: boolean;
};

/**
 * Says which services have an address, domain, account or token: those that prove it, then those that only claim it, then
 * others of its host.
 */
export async function LookupAnswer({ subject, isBrief = false }: AnswerProps) {
  const found = await lookUp(subject);
  if ("failure" in found) {
    const { title, why, detail } = found.failure;
    return isBrief ? null : <Problem tone="unknown" title={title} why={why} detail={detail} />;
  }
  const { exact, claimed, near } = found;
  if (isBrief && exact.length + claimed.length === 0) return null;
  const text = (
    <bdi dir="ltr" translate="no">
      {subject.text}
    </bdi>
  );
  return (
    <div className="stack3">
      {exact.length === 0 ? (
        <section className="stack" role="status">
          <h2 className="subtitle anywhere">No registered service has {text}</h2>
          <p>
            {claimed.length === 0 ? "Nobody has registered it" : "Nobody has proved it"}. Whoever controls it
            can{" "}
            <Link href={`/register?${new URLSearchParams({ service: subject.text })}`} prefetch={false}>
              register it
            </Link>
            .
          </p>
        </section>
      ) : (
        <ServiceList
          rows={await toEntries(services(exact), "index")}
          caption={
            <p className="subtitle strong anywhere" role="status">
              {exact.every(({ uses }) => uses.includes("did") || uses.includes("token"))
                ? "Yes, registered as "
                : "Yes, registered. Proven address: "}
              {text}
            </p>
          }
        />
      )}
      <Group
        matches={claimed}
        title="Claimed, not proven"
        note="These records list it. Anyone can list any address, so don't take one of them for the service."
      />
      <Group
        matches={near.slice(0, MAX_NEAR)}
        title="Other services of this host or site"
        note="None of them has this address. They may belong to others."
      />
    </div>
  );
}

type GroupProps = { matches: LookupMatch[]; title: string; note: ReactNode };

/** Services that don't prove the subject, without the outcomes of their facts, which would be about another one. */
async function Group({ matches, title, note }: GroupProps) {
  if (matches.length === 0) return null;
  return (
    <section className="stack">
      <h2 className="subtitle">{title}</h2>
      <p>{note}</p>
      <ServiceList rows={await toEntries(services(matches), "index")} facts="none" />
    </section>
  );
}

const services = (matches: LookupMatch[]) => matches.map(({ service }) => service);

async function lookUp(subject: Subject) {
  try {
    return await inSearchTurn(() => lookUpSubject(registry(), subject));
  } catch (thrown) {
    return { failure: toSearchFailure(thrown) };
  }
}

/** Parses a text as a subject of a lookup. Returns `undefined` for words. */
export function readSubject(text: string): Subject | undefined {
  try {
    return parseSubject(text);
  } catch (error) {
    if (error instanceof AppRegistryError) return undefined;
    throw error;
  }
}
