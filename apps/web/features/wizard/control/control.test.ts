import type { AttestationWay } from "@app-registry/sdk";
import { zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import type { AccountControl } from "../../../lib/control/accountControl.ts";
import {
  createOwnershipTransfer,
  getPollingDelay,
  toControlFact,
  toControlState,
  WATCH_TIME,
} from "./controlState.ts";

const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const OWNER = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const CONTRACT = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const did = `did:pkh:eip155:10:${CONTRACT.toLowerCase()}`;

function control(controls: boolean, attestations: object[], attested = attestations.length > 0) {
  const controller = { controls, attested };
  return { controller, attestations, issuers: [], now: 0 } as unknown as AccountControl;
}
const attestation = (expiresAt: number, more: object = {}) => ({
  live: true,
  matured: true,
  blocked: false,
  expiresAt,
  ...more,
});
const problem = { message: "No method names the wallet.", details: [] };

describe("toControlState", () => {
  it("holds until the last matured attestation expires", () => {
    const attestations = [attestation(10), attestation(20), attestation(30, { matured: false })];
    expect(toControlState(control(true, attestations), problem)).toEqual({ kind: "holds", until: 20 });
    expect(toControlState(control(true, []), undefined)).toEqual({ kind: "holds", until: undefined });
  });

  it("is unchecked before the first check, and contains the problem of a failed one", () => {
    expect(toControlState(undefined, undefined).kind).toBe("unread");
    expect(toControlState(control(false, []), undefined).kind).toBe("unchecked");
    expect(toControlState(control(false, []), problem)).toEqual({ kind: "failed", problem });
    expect(toControlState(control(false, [attestation(10)]), undefined).kind).toBe("waits");
  });
});

describe("toControlFact", () => {
  it("passes only while the wallet controls the DID", () => {
    expect(toControlFact({ kind: "holds", until: 7 }, WALLET)).toMatchObject({
      outcome: "pass",
      evidence: { expiresAt: 7, accounts: [{ address: WALLET, controls: true }] },
    });
    expect(toControlFact({ kind: "unchecked" }, WALLET).outcome).toBe("unknown");
    expect(toControlFact({ kind: "holds", until: 7 }, undefined).outcome).toBe("unknown");
    expect(toControlFact({ kind: "failed", problem }, WALLET).outcome).toBe("fail");
  });
});

describe("getPollingDelay", () => {
  it("uses at most half of the issuer's limit of 30 requests per wallet in ten minutes", () => {
    const times: number[] = [];
    for (let at = getPollingDelay(0); at <= WATCH_TIME; at += getPollingDelay(times.length)) times.push(at);
    expect(getPollingDelay(0)).toBe(12_000);
    expect(times.filter((at) => at <= 600_000).length).toBeLessThanOrEqual(15);
    expect(times.length).toBeLessThanOrEqual(40);
  });
});

describe("createOwnershipTransfer", () => {
  const decided = (way: string, fields: Omit<AttestationWay, "way" | "reason">) => [
    { way: "owner()", reason: "Not read." },
    { way, reason: "Its words don't matter.", ...fields },
  ];

  it("transfers the ownership from the current owner", () => {
    const handOver = createOwnershipTransfer(did, WALLET, decided("owner()", { owner: OWNER }));
    expect(handOver).toEqual({
      owner: OWNER,
      chainId: 10,
      contract: CONTRACT,
      call: `transferOwnership(${WALLET})`,
      data: `0xf2fde38b000000000000000000000000${WALLET.slice(2).toLowerCase()}`,
    });
  });

  it("grants the missing role", () => {
    const handOver = createOwnershipTransfer(
      did,
      WALLET,
      decided("DEFAULT_ADMIN_ROLE", { missingRole: zeroHash }),
    );
    expect(handOver?.data.startsWith("0x2f2ff15d")).toBe(true);
    expect(handOver?.owner).toBeUndefined();
  });

  it.each([
    ["EIP-1967 admin", { owner: OWNER }],
    ["EIP-7702 key", { owner: OWNER }],
    ["owner()", {}],
    ["DEFAULT_ADMIN_ROLE", {}],
  ] as const)("returns undefined if %s decides with %j", (way, fields) => {
    expect(createOwnershipTransfer(did, WALLET, decided(way, fields))).toBeUndefined();
    expect(createOwnershipTransfer("did:web:example.com", WALLET, decided(way, fields))).toBeUndefined();
  });
});
