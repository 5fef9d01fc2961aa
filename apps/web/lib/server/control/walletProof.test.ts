import { controlStatement, didDocumentUrl } from "@app-registry/sdk";
import {
  creationCode,
  deployContract,
  testAccount,
  testClients,
} from "@app-registry/test-kit/deployContracts";
import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { offchainLookupCode } from "@app-registry/test-kit/offchainLookup";
import {
  concat,
  getContractAddress,
  type Hex,
  parseAbi,
  serializeErc6492Signature,
  serializeErc8010Signature,
  toHex,
  zeroHash,
} from "viem";
import { signAuthorization } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { beforeAll, describe, expect, it } from "vitest";
import { attestingServer } from "../test/attestingServer.ts";
import { provideRegistry, UNUSED_URL, wallet } from "../test/registryFixture.ts";

const publicUrl = "http://localhost:18819";
const connectedAddress = wallet.address;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
const statement = (did: string) =>
  `I ask this registry to attest that this wallet controls ${did.includes("%") ? "the DID listed under Resources" : did}. Signing costs nothing.`;

const fixture = provideRegistry();
/** Server whose RPC is unavailable: a request that needs the chain gets another answer. */
let away: Server;
beforeAll(async () => {
  away = demanding({ RPC_URL: UNUSED_URL });
});

const demanding = (variables: Record<string, string> = {}) => {
  const server = attestingServer(
    fixture.registryWith({ ISSUER_REQUIRE_SIWE: "true", PUBLIC_URL: publicUrl, ...variables }),
  );
  if (!server.proofs) throw new Error("it wants no proofs");
  return { ...server, proofs: server.proofs };
};
type Server = ReturnType<typeof demanding>;
type Message = Parameters<typeof createSiweMessage>[0];

type Changes = {
  fields?: Partial<Message>;
  /** Edits the text before it is signed. */
  edit?: (message: string) => string;
  signer?: typeof wallet;
  nonce?: string;
};

/** Creates a proof for a DID as the SDK does, with optional changes. */
async function sign(server: Server, did: string, { fields, edit, signer = wallet, nonce }: Changes = {}) {
  const issued = await server.proofs.issueNonce();
  const message = createSiweMessage({
    address: signer.address,
    chainId: issued.chainId,
    domain: "localhost:18819",
    uri: publicUrl,
    nonce: nonce ?? issued.nonce,
    issuedAt: new Date(issued.issuedAt),
    expirationTime: new Date(issued.expiresAt),
    statement: statement(did),
    resources: [did],
    version: "1",
    ...fields,
  });
  const text = edit?.(message) ?? message;
  return { message: text, signature: await signer.signMessage({ message: text }) };
}

const attested = { ok: true, status: "attested" };
const again = { ok: true, status: "already-attested" };
const refused = { ok: false, status: "failed", code: "wallet-proof-invalid", txHashes: [] };

describe("POST /api/verify-and-attest with ISSUER_REQUIRE_SIWE", () => {
  // @threat services: A stranger who becomes the first controller, or replays a wallet message
  it("attests the signer of a message with a nonce of this server", async () => {
    const server = demanding();
    const did = fixture.host.did(connectedAddress);
    const without = await server.post({ did, connectedAddress });
    expect(without.status).toBe(403);
    expect(await without.json()).toMatchObject({
      ok: false,
      status: "failed",
      code: "wallet-proof-required",
    });
    const siwe = await sign(server, did);
    const proven = await server.post({ did, connectedAddress: connectedAddress.toLowerCase(), siwe });
    expect(await proven.json()).toMatchObject(attested);
  });

  it.each<[string, Changes]>([
    ["another site's domain", { fields: { domain: "evil.example" } }],
    ["another site's URI", { fields: { uri: "https://evil.example" } }],
    ["another scheme than this site's", { fields: { scheme: "https" } }],
    ["another chain", { fields: { chainId: 1 } }],
    ["another wallet", { fields: { address: testAccount(2).address } }],
    [
      "its wallet in lower case",
      { edit: (text) => text.replace(wallet.address, wallet.address.toLowerCase()) },
    ],
    ["a nonce that was never issued", { nonce: "0123456789abcdef0" }],
    ["another DID", { fields: { resources: ["did:web:example.com"] } }],
    ["another DID besides its own", { edit: (text) => `${text}\n- did:web:example.com` }],
    ["its DID twice", { edit: (text) => `${text}\n- ${text.split("\n- ").at(-1)}` }],
    [
      "its DID in another spelling",
      { edit: (text) => text.replace("- did:web:localhost", "- did:web:LOCALHOST") },
    ],
    ["no DID", { fields: { resources: [] } }],
    ["no resources", { edit: (text) => text.replace(/\nResources:[\s\S]*/, "") }],
    ["a statement of another DID", { fields: { statement: statement("did:web:example.com") } }],
    ["a statement of something else", { fields: { statement: "Sign in to continue." } }],
    ["no statement", { edit: (text) => text.replace(/\n\nI ask.*\n/, "\n\n") }],
    ["a passed expiration time", { fields: { expirationTime: inSeconds(-1) } }],
    ["a distant expiration time", { fields: { expirationTime: inSeconds(86_400) } }],
    ["an invalid expiration time", { edit: (text) => text.replace(/(Expiration Time: ).*/, "$1never") }],
    ["no expiration time", { fields: { expirationTime: undefined as unknown as Date } }],
    ["a future start time", { fields: { notBefore: inSeconds(3_600) } }],
    ["a future issue time", { fields: { issuedAt: inSeconds(3_600) } }],
    ["an invalid issue time", { edit: (text) => text.replace(/(Issued At: ).*/, "$1today") }],
    ["no issue time", { edit: (text) => text.replace(/\nIssued At: .*/, "") }],
    ["another version", { edit: (text) => text.replace("Version: 1", "Version: 2") }],
    ["an additional invalid issue time", { edit: (text) => `${text}\n\nIssued At: today` }],
    ["additional text", { edit: (text) => `${text}\nSent from my phone` }],
    // @threat services: A stranger who becomes the first controller, or replays a wallet message
  ])("rejects a message with %s before the chain or any host is contacted", async (_, changes) => {
    const did = fixture.host.did(connectedAddress);
    const asked = fixture.host.requests().length;
    const response = await away.post({ did, connectedAddress, siwe: await sign(away, did, changes) });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject(refused);
    expect(fixture.host.requests()).toHaveLength(asked);
  });

  it("returns 503 for a valid message while the chain is unavailable", async () => {
    const did = fixture.host.did(connectedAddress);
    const response = await away.post({ did, connectedAddress, siwe: await sign(away, did) });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "chain-unavailable", retryable: true });
  });

  it("does not count a stranger's failed proofs against the limits of the wallet and the host", async () => {
    const server = demanding({ RATE_LIMIT_ATTEST_ADDRESS: "1", RATE_LIMIT_ATTEST_HOST: "1" });
    const did = fixture.host.did(connectedAddress);
    const siwe = await sign(server, did, { signer: testAccount(2), fields: { address: connectedAddress } });
    for (const proof of [undefined, siwe]) {
      expect((await server.post({ did, connectedAddress, siwe: proof })).status).toBe(403);
    }
    const proven = await server.post({ did, connectedAddress, siwe: await sign(server, did) });
    expect(await proven.json()).toMatchObject(attested);
  });

  it("accepts the format of another library: times without fractions of a second, a URI with a path", async () => {
    const server = demanding();
    const did = fixture.host.did(connectedAddress);
    const siwe = await sign(server, did, {
      fields: { uri: `${publicUrl}/register`, requestId: "1", scheme: "http" },
      edit: (text) => text.replace(/(Issued At: .*)\.\d+Z/, "$1Z").replace(/(Time: .*)\.\d+Z/, "$1+00:00"),
    });
    expect(await (await server.post({ did, connectedAddress, siwe })).json()).toMatchObject(attested);
  });

  it("rejects another wallet's signature, and text that is not a message", async () => {
    const server = demanding();
    const did = fixture.host.did(connectedAddress);
    const { message } = await sign(server, did);
    const forged = { message, signature: await testAccount(2).signMessage({ message }) };
    for (const siwe of [forged, { message: "hello", signature: "0x" }]) {
      const response = await server.post({ did, connectedAddress, siwe });
      expect(await response.json()).toMatchObject(refused);
    }
  });

  // @threat services: A contract that is mistaken for a key, owns itself, or has a former signer or no owner
  it("attests a contract account whose contract accepts the signature (ERC-1271)", async () => {
    const [signer, next] = [testAccount(3), testAccount(4)];
    const account = await deployContract(fixture.rpcUrl, "mocks/SignatureWallet", [signer.address]);
    const server = demanding();
    const asked = { did: fixture.host.did(account), connectedAddress: account };
    const signedBy = async (holder: typeof signer) => ({
      ...asked,
      siwe: await sign(server, asked.did, { fields: { address: account }, signer: holder }),
    });
    const forged = await server.post(await signedBy(next));
    expect(forged.status).toBe(403);
    expect(await forged.json()).toMatchObject(refused);
    const proven = await server.post(await signedBy(signer));
    expect(await proven.json()).toMatchObject({ ok: true, status: "attested" });

    const { walletClient, publicClient } = testClients(fixture.rpcUrl, signer);
    const hash = await walletClient.writeContract({
      address: account,
      abi: parseAbi(["function setSigner(address)"]),
      functionName: "setSigner",
      args: [next.address],
    });
    await publicClient.waitForTransactionReceipt({ hash });
    expect((await server.post(await signedBy(signer))).status).toBe(403);
    expect((await server.post(await signedBy(next))).status).toBe(200);
  });

  // @threat services: A contract that is mistaken for a key, owns itself, or has a former signer or no owner
  it("rejects a signature that deploys its wallet first (ERC-6492), because its contract is not visible yet", async () => {
    const signer = testAccount(3);
    // Common CREATE2 deployer at the same address on every chain.
    const factory = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
    await fixture.chain.setCode({
      address: factory,
      bytecode:
        "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3",
    });
    const bytecode = creationCode("mocks/SignatureWallet", [signer.address]);
    const salt = zeroHash;
    const account = getContractAddress({ opcode: "CREATE2", from: factory, salt, bytecode });
    const server = demanding();
    const did = fixture.host.did();
    fixture.host.put(
      new URL(didDocumentUrl(did, { allowLoopback: true })).pathname,
      JSON.stringify({
        id: did,
        verificationMethod: [{ id: "#1", blockchainAccountId: `eip155:1:${account}` }],
      }),
    );
    const { message, signature } = await sign(server, did, { fields: { address: account }, signer });
    const data = concat([salt, bytecode]);
    const wrapped = serializeErc6492Signature({ address: factory, data, signature });
    const siwe = { message, signature: wrapped };
    const response = await server.post({ did, connectedAddress: account, siwe });
    expect(await response.json()).toMatchObject(refused);
  });

  // @threat services: A contract or ENS name that redirects its reader (EIP-3668)
  it.each(["its signature alone", "an authorization to its code (ERC-8010)"])(
    "requests no URL that a contract account names (EIP-3668), with %s",
    async (wrapping) => {
      let requests = 0;
      const url = await serveHttp((_, response) => {
        requests += 1;
        response.end("{}");
      });
      const account = testAccount(5);
      const code = testAccount(6).address;
      await fixture.chain.setCode({ address: code, bytecode: offchainLookupCode(account.address, [url]) });
      await fixture.chain.setCode({ address: account.address, bytecode: concat(["0xef0100", code]) });
      const server = demanding();
      const did = fixture.host.did(account.address);
      const { message, signature } = await sign(server, did, {
        fields: { address: account.address },
        signer: testAccount(2),
      });
      const authorization = await signAuthorization({
        privateKey: toHex(account.getHdKey().privateKey ?? new Uint8Array()),
        address: code,
        chainId: 31_337,
        nonce: 0,
      });
      const wrapped = wrapping.startsWith("an")
        ? serializeErc8010Signature({ authorization, signature })
        : signature;
      const response = await server.post({
        did,
        connectedAddress: account.address,
        siwe: { message, signature: wrapped },
      });
      expect(requests).toBe(0);
      expect(await response.json()).toMatchObject(refused);
    },
  );

  // @threat services: A contract that is mistaken for a key, owns itself, or has a former signer or no owner
  it("accepts the key's signature for a delegating account (EIP-7702), whatever its code returns", async () => {
    const [account, code] = [testAccount(7), testAccount(8).address];
    // Bytecode that always returns the magic value: PUSH4 0x1626ba7e PUSH1 e0 SHL PUSH0 MSTORE PUSH1 20 PUSH0 RETURN
    await fixture.chain.setCode({ address: code, bytecode: "0x631626ba7e60e01b5f5260205ff3" });
    await fixture.chain.setCode({ address: account.address, bytecode: concat(["0xef0100", code]) });
    const server = demanding();
    const asked = { did: fixture.host.did(account.address), connectedAddress: account.address };
    const signedBy = (signer: typeof account) =>
      sign(server, asked.did, { fields: { address: account.address }, signer });
    const forged = await server.post({ ...asked, siwe: await signedBy(testAccount(2)) });
    expect(await forged.json()).toMatchObject(refused);
    const proven = await server.post({ ...asked, siwe: await signedBy(account) });
    expect(await proven.json()).toMatchObject(attested);
  });

  it.each<[string, Hex]>([
    ["half a byte", "0x1"],
    ["ERC-6492 around nothing", `0x${"6492".repeat(16)}`],
    ["ERC-8010 around nothing", `0x${"8010".repeat(16)}`],
    ["ERC-8010 around too little", `0x${"ff".repeat(64)}${"8010".repeat(16)}`],
  ])("rejects a signature that is %s", async (_, signature) => {
    const server = demanding();
    const did = fixture.host.did(connectedAddress);
    const { message } = await sign(server, did);
    const response = await server.post({ did, connectedAddress, siwe: { message, signature } });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject(refused);
  });

  it("returns 503 instead of an invalid signature while the chain of a contract account is unavailable", async () => {
    const signer = testAccount(3);
    const account = await deployContract(fixture.rpcUrl, "mocks/SignatureWallet", [signer.address]);
    const rpc = await startFaultyRpc(fixture.rpcUrl);
    const server = demanding({ RPC_URL: rpc.url });
    const did = fixture.host.did(account);
    const siwe = await sign(server, did, { fields: { address: account }, signer });
    for (const away of ["eth_call", "eth_getCode"]) {
      rpc.break(({ method }) => (method === away ? "error" : "pass"));
      const response = await server.post({ did, connectedAddress: account, siwe });
      expect(await response.json()).toMatchObject({ code: "chain-unavailable", retryable: true });
      expect(response.status).toBe(503);
    }
    rpc.heal();
    expect((await server.post({ did, connectedAddress: account, siwe })).status).toBe(200);
    await rpc.close();
  });
});

describe("a proof", () => {
  it("is accepted again for its DID and wallet after a failed check or a lost response", async () => {
    const server = demanding();
    const did = fixture.host.did();
    const siwe = await sign(server, did);
    const ask = async (others: object = {}) =>
      (await server.post({ did, connectedAddress, siwe, ...others })).json();
    expect(await ask()).toMatchObject({ status: "failed", code: "wallet-not-in-did-document" });
    fixture.host.name(did, connectedAddress);
    expect(await ask()).toMatchObject(attested);
    expect(await ask()).toMatchObject(again);
    expect(await ask({ did: did.replace("localhost", "LOCALHOST") })).toMatchObject(again);
  });

  // @threat services: A stranger who becomes the first controller, or replays a wallet message
  it("is rejected for another DID or wallet, before and after its own was attested", async () => {
    const server = demanding();
    const [did, other] = [fixture.host.did(connectedAddress), fixture.host.did(connectedAddress)];
    const siwe = await sign(server, did);
    const stranger = testAccount(2).address;
    const replays = async () => {
      for (const replay of [{ did: other }, { connectedAddress: stranger }]) {
        const response = await server.post({ did, connectedAddress, siwe, ...replay });
        expect(response.status).toBe(403);
        expect(await response.json()).toMatchObject(refused);
      }
    };
    await replays();
    expect(await (await server.post({ did, connectedAddress, siwe })).json()).toMatchObject(attested);
    await replays();
  });

  // @threat services: A stranger who becomes the first controller, or replays a wallet message
  it("needs no stored nonce before its use, so that nobody can evict it by requesting many", async () => {
    const server = demanding();
    const count = async () =>
      (await fixture.registry.database.query("SELECT nonce FROM app_registry_limits.nonces")).rowCount;
    await server.proofs.issueNonce();
    const before = await count();
    for (let others = 0; others < 20; others++) await server.proofs.issueNonce();
    expect(await count()).toBe(before);
  });

  // @threat services: A stranger who becomes the first controller, or replays a wallet message
  it("requires an unmodified nonce of the same server", async () => {
    const server = demanding();
    const did = fixture.host.did(connectedAddress);
    const { nonce } = await server.proofs.issueNonce();
    const next = (character: string) => (character === "0" ? "1" : "0");
    const forged = [0, 12, nonce.length - 1].map(
      (at) => nonce.slice(0, at) + next(nonce.charAt(at)) + nonce.slice(at + 1),
    );
    for (const other of [...forged, nonce.slice(0, -1), `${nonce}0`, nonce.toUpperCase()]) {
      const siwe = await sign(server, did, { nonce: other });
      expect((await server.post({ did, connectedAddress, siwe })).status).toBe(403);
    }
  });

  // @threat services: A stranger who becomes the first controller, or replays a wallet message
  it("prevents any other message from using its nonce, including a simultaneous one", async () => {
    const server = demanding();
    const { nonce } = await server.proofs.issueNonce();
    const dids = [fixture.host.did(connectedAddress), fixture.host.did(connectedAddress)];
    const answers = await Promise.all(
      dids.map(async (did) =>
        server.post({ did, connectedAddress, siwe: await sign(server, did, { nonce }) }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  // @threat services: A stranger who becomes the first controller, or replays a wallet message
  it("leads to one transaction for ten requests at once to two processes", async () => {
    const [first, second] = [demanding(), demanding()];
    const did = fixture.host.did(connectedAddress);
    const siwe = await sign(first, did);
    const { address } = await first.issuer();
    const { publicClient } = fixture.registry;
    const before = await publicClient.getTransactionCount({ address });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? first : second).post({ did, connectedAddress, siwe }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await publicClient.getTransactionCount({ address })).toBe(before + 1);
  });
});

describe("POST /api/verify-and-attest/batch with ISSUER_REQUIRE_SIWE", () => {
  it("attests only the DIDs that the signed message lists", async () => {
    const server = demanding();
    const [one, two, three] = [1, 2, 3].map(() => fixture.host.did(connectedAddress)) as [
      string,
      string,
      string,
    ];
    const proveAll = (...dids: string[]) =>
      sign(server, "", { fields: { resources: dids, statement: controlStatement(...dids) } });
    const siwe = await proveAll(one, two);
    const refusals: [dids: string[], proof: object | undefined, code: string][] = [
      [[one, two], undefined, "wallet-proof-required"],
      [[one, two, three], siwe, "wallet-proof-invalid"],
      [[one, three], siwe, "wallet-proof-invalid"],
      [[one], siwe, "wallet-proof-invalid"],
      [[two, one], siwe, "wallet-proof-invalid"],
      [[one, two], await proveAll(one), "wallet-proof-invalid"],
    ];
    const post = (dids: string[], proof: object | undefined) =>
      server.post({ dids, connectedAddress, siwe: proof }, undefined, "/batch");
    const asked = fixture.host.requests().length;
    for (const [dids, proof, code] of refusals) {
      const response = await post(dids, proof);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code });
    }
    expect(fixture.host.requests()).toHaveLength(asked);
    for (const status of ["attested", "already-attested"]) {
      const { results } = await (await post([one, two], siwe)).json();
      expect(results).toMatchObject([{ response: { status } }, { response: { status } }]);
    }
  });
});
