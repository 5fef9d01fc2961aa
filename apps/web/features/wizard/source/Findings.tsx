"use client";

import {
  type Discovery,
  type Finding,
  type FindingKind,
  fillMetadata,
  proposalOf,
} from "@app-registry/outbound/fill";
import { Anchor } from "@mantine/core";
import { StatusMark } from "../../../components/record/facts.tsx";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { canonicalDid } from "../draft/problems.ts";
import { fieldLabel } from "../draft/screens.ts";
import { useWizard } from "../WizardContext.tsx";
import styles from "./source.module.css";

const kindNames: Record<FindingKind, string> = {
  metadata: "Metadata of a service",
  mcp: "MCP server",
  a2a: "A2A agent",
  openapi: "API with an OpenAPI document",
  erc8004: "ERC-8004 registration file",
  contract: "Contract",
  website: "Website",
};

/** What was found, where, what is used of it, and what is still missing. */
export function Findings({ discovery }: { discovery: Discovery }) {
  return (
    <section className="stack2" aria-label="What was found">
      <FoundList discovery={discovery} />
      <Looks discovery={discovery} />
      <DidChoices discovery={discovery} />
      <Differences discovery={discovery} />
    </section>
  );
}

function FoundList({ discovery }: { discovery: Discovery }) {
  const { draft, dispatch, readOnly } = useWizard();
  if (discovery.findings.length === 0) {
    return (
      <p role="status">
        <StatusMark outcome="unknown" /> Nothing there describes the service. Choose below what it is, and
        fill in the form.
      </p>
    );
  }
  return (
    <ul className="stack" role="status">
      {discovery.findings.map((finding) => (
        <li key={finding.kind + finding.url} className={styles.finding}>
          <span className="anywhere">
            <strong>{kindNames[finding.kind]}</strong> <span className="mono small">{finding.url}</span>
            <Offers finding={finding} />
          </span>
          {draft.chosen.includes(finding.kind) ? (
            <span className="quiet">Filled in</span>
          ) : (
            <QuietButton
              disabled={readOnly}
              onClick={() =>
                dispatch({ type: "discovered", discovery, chosen: [...draft.chosen, finding.kind] })
              }
            >
              Add it
            </QuietButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function Offers({ finding: { offers, version } }: { finding: Finding }) {
  const said = [...offers, ...(version === undefined ? [] : [`version ${version}`])];
  return said.length === 0 ? null : <span className={`small soft ${styles.offers}`}>{said.join(", ")}</span>;
}

/** Every place that was asked, for a publisher whose document was not found. */
function Looks({ discovery: { looked } }: { discovery: Discovery }) {
  return (
    <details className="small">
      <summary>Where it looked ({looked.length})</summary>
      <ul className="anywhere">
        {looked.map(({ place, lookedFor, outcome, reason }) => (
          <li key={place + lookedFor}>
            {lookedFor}: <span className="mono">{place}</span>{" "}
            <span className="soft">
              {outcome === "found" ? "found" : outcome === "absent" ? "none there" : "could not be read"}
              {reason === undefined || outcome === "found" ? "" : `. ${reason}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The DIDs that the service could have, each taken by one click. */
function DidChoices({ discovery: { dids } }: { discovery: Discovery }) {
  const { draft, dispatch, readOnly, follows } = useWizard();
  const present = canonicalDid(draft.did);
  if (follows || dids.length === 0) return null;
  return (
    <div>
      <p className="small soft">
        Its name in the registry is a DID. Only who controls the host or contract can take it.
      </p>
      <ul>
        {dids.map(({ did, why }) => (
          <li key={did} className={styles.finding}>
            <span className="anywhere small soft">{why}</span>
            {did === present ? (
              <span className="quiet anywhere">{did} is used</span>
            ) : (
              <QuietButton
                disabled={readOnly}
                onClick={() => dispatch({ type: "field", field: "did", value: did })}
              >
                Use {did}
              </QuietButton>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Where the form says something else than what was found: a person's words stay unless they take what was found. */
function Differences({ discovery }: { discovery: Discovery }) {
  const { draft, dispatch, readOnly, showField } = useWizard();
  const { metadata, proposed } = proposalOf(discovery, draft.chosen);
  const { kept } = fillMetadata(draft.metadata, metadata);
  const made = proposed.filter((pointer) => !kept.some((each) => each.pointer === pointer));
  return (
    <>
      {made.length === 0 ? null : (
        <p className="small">
          {made.map((pointer, index) => (
            <span key={pointer}>
              {index === 0 ? "" : index === made.length - 1 ? " and " : ", "}
              <Anchor component="button" type="button" onClick={() => showField(pointer)}>
                {fieldLabel(pointer)}
              </Anchor>
            </span>
          ))}
          {made.length === 1 ? " is a proposal" : " are proposals"}: nothing there gives{" "}
          {made.length === 1 ? "it" : "them"}.
        </p>
      )}
      {kept.length === 0 ? null : (
        <details className="small">
          <summary>
            {kept.length === 1 ? "One field says" : `${kept.length} fields say`} something else than what was
            found
          </summary>
          <ul>
            {kept.map(({ pointer, found }) => (
              <li key={pointer} className={styles.finding}>
                <span className="anywhere">
                  {fieldLabel(pointer)}: found <q className={styles.found}>{shown(found)}</q>
                </span>
                <QuietButton
                  disabled={readOnly}
                  onClick={() => dispatch({ type: "set", pointer, value: found })}
                >
                  Use what was found
                </QuietButton>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
