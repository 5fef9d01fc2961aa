import type { Attestation, IssuerState } from "@app-registry/sdk";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AttestationList } from "./statements.tsx";

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
  it("shows the operator's name for an issuer as plain text beside its address", () => {
    const html = renderToStaticMarkup(
      <AttestationList
        attestations={[attestation]}
        issuers={issuers}
        names={{ [issuer]: "Harbour <b>Issuers</b>" }}
      />,
    );
    expect(html).toContain("Harbour &lt;b&gt;Issuers&lt;/b&gt;</bdi>");
    expect(html.replaceAll(/<[^>]*>/g, "")).toContain(issuer);
  });

  it("shows only the address of an issuer without a name", () => {
    const html = renderToStaticMarkup(
      <AttestationList attestations={[attestation]} issuers={issuers} names={{}} />,
    );
    expect(html).not.toContain("<bdi");
    expect(html.replaceAll(/<[^>]*>/g, "")).toContain(issuer);
  });
});
