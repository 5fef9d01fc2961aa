import type { Attestation, IssuerState } from "@app-registry/sdk";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { AccountControl } from "../../lib/control/accountControl.ts";
import { AttestationList, ControlTerms } from "./statements.tsx";

const issuer = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";
const attestation: Attestation = {
  issuer,
  startedAt: 1_700_000_000,
  statedAt: 1_700_000_000,
  maturesAt: 1_700_000_000,
  expiresAt: 1_800_000_000,
  endedAt: undefined,
  revokedAt: undefined,
  live: true,
  matured: true,
  overdue: false,
  blocked: false,
};
const issuers: IssuerState[] = [
  { issuer, status: "active", addedAt: 10, distrustedSince: undefined, seatFreeAt: undefined },
];

describe("AttestationList", () => {
  const render = (names: Record<string, string>) =>
    renderToStaticMarkup(<AttestationList attestations={[attestation]} {...{ issuers, names }} />);

  it("shows the operator's name for an issuer, if any, as plain text beside its address", () => {
    const named = render({ [issuer]: "Harbour <b>Issuers</b>" });
    expect(named).toContain("Harbour &lt;b&gt;Issuers&lt;/b&gt;</bdi>");
    expect(render({})).not.toContain("<bdi");
    for (const html of [named, render({})]) expect(html.replaceAll(/<[^>]*>/g, "")).toContain(issuer);
  });
});

describe("ControlTerms", () => {
  const controller = {
    ...{ controls: true, inCharge: true, attested: true, score: 1, resistance: 1 },
    ...{ controlsFrom: 0, blockedUntil: undefined },
  };
  const four = Array.from({ length: 4 }, () => issuers).flat();
  const terms = (changes: Partial<AccountControl["controller"]>, known = four) => {
    const control: AccountControl = {
      account: issuer,
      now: 1_750_000_000,
      controller: { ...controller, ...changes },
      attestations: [attestation],
      block: undefined,
      issuers: known,
      policy: { maxTtl: 1, maturation: 1, challengePeriod: 1 },
    };
    return renderToStaticMarkup(<ControlTerms control={control} names={{}} />).replaceAll(/<[^>]*>/g, "");
  };

  it("says since when, until when, and how many issuers remove a controller", () => {
    expect(terms({})).toBe(
      "Since 14 Nov 2023, 22:13 UTC, until 15 Jan 2027, 08:00 UTC, attested by 0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199." +
        "1 issuer backs this account. To remove it, at least 2 must back another account.",
    );
    expect(terms({ score: 2, resistance: 3 })).toContain(
      "2 issuers back this account. To remove it, at least 4 must back another account.",
    );
  });

  it("says only how many issuers remove an account whose renewal is overdue", () => {
    expect(terms({ controls: false, score: 0 })).toBe(
      "No issuer backs this account now. To replace it, at least 2 must back another account.",
    );
  });

  it("says that no account can be removed while the registry has too few issuers", () => {
    expect(terms({}, issuers)).toContain(
      "No other account can remove it now: that takes 2 issuers, and this registry has 1.",
    );
    const distrusted: IssuerState[] = issuers.map((one) => ({ ...one, status: "distrusted" }));
    expect(terms({}, [...issuers, ...distrusted])).toContain("this registry has 1.");
    const retired: IssuerState[] = issuers.map((one) => ({ ...one, status: "retired" }));
    expect(terms({}, [...issuers, ...retired])).toContain("at least 2 must back another account.");
  });

  it("says nothing about an account that waits", () => {
    expect(terms({ controls: false, inCharge: false })).toBe("");
  });
});
