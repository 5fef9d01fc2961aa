import { Interfaces, type RegisteredDid } from "@app-registry/sdk";
import { expect, it } from "vitest";
import { emptyDraft } from "./draft.ts";
import { toPublicationRequest } from "./publication.ts";

const publicUrl = "https://registry.example";
const draft = { ...emptyDraft(), did: "did:web:a.example", version: "1.2.0", metadata: { name: "A", b: 1 } };
const registered = { record: { status: 1 } } as RegisteredDid;

it("toPublicationRequest returns the canonical document with this registry's URL, and no blank field", () => {
  const typed = { ...draft, interfaces: Interfaces.Api, dataUrl: " ", contractId: "x", fungibleTokenId: "" };
  expect(toPublicationRequest(typed, { publicUrl })).toEqual({
    ...{ did: draft.did, version: "1.2.0", metadata: '{"b":1,"name":"A"}', interfaces: Interfaces.Api },
    ...{ algorithm: 0, baseUrl: publicUrl, onChainJson: true, allowNewMajor: true },
    ...{ dataUrl: undefined, status: undefined, contractId: undefined, fungibleTokenId: undefined },
  });
});

it("toPublicationRequest returns the chosen storage, hash, contract, token and status", () => {
  const contract = { interfaces: Interfaces.Contract, contractId: " eip155:1:0xa ", fungibleTokenId: " t " };
  const stored = {
    storage: "url",
    dataUrl: " https://a.example/a.json ",
    algorithm: 1,
    status: "0",
  } as const;
  expect(toPublicationRequest({ ...draft, ...contract, ...stored }, { publicUrl, registered })).toMatchObject(
    {
      ...{ dataUrl: "https://a.example/a.json", onChainJson: false, algorithm: 1, status: 0 },
      ...{ contractId: "eip155:1:0xa", fungibleTokenId: "t" },
    },
  );
  const unchanged = toPublicationRequest({ ...draft, status: "1" }, { publicUrl, registered });
  expect(unchanged.status).toBeUndefined();
});
