import { parseDid } from "@app-registry/sdk";
import { LOCAL_MNEMONIC } from "@app-registry/sdk/internal";
import { once } from "@app-registry/server/once";
import { type Address, toHex } from "viem";
import { mnemonicToAccount, privateKeyToAddress } from "viem/accounts";
import { ApiProblem } from "./problem.ts";
import type { Registry } from "./registry.ts";

const LOCAL_ACCOUNTS = 20;

const addresses = once((): Address[] => {
  // Derive all accounts from one seed, because stretching the mnemonic is the slow part.
  const parent = mnemonicToAccount(LOCAL_MNEMONIC, { path: "m/44'/60'/0'/0" }).getHdKey();
  return Array.from({ length: LOCAL_ACCOUNTS }, (_, index) => {
    const { privateKey } = parent.deriveChild(index);
    if (!privateKey) throw new Error("A mnemonic account has a private key");
    return privateKeyToAddress(toHex(privateKey));
  });
});

/**
 * Returns the DID document of any `did:web:localhost%3A<port>[:<path>]` of this server. The document lists the chain's
 * test accounts, so a local user can register services without a domain. Only available where loopback DIDs are
 * allowed.
 * @param pathname The document's URL path, undecoded: `/.well-known/did.json`, or `/a/b/did.json` for `…:a:b`.
 */
export function localDidDocument(
  pathname: string,
  host: string | null,
  { environment }: Pick<Registry, "environment">,
): Record<string, unknown> {
  const path = /^\/(.+)\/did\.json$/.exec(pathname)?.[1];
  if (!environment.allowLoopback || path === undefined) {
    throw new ApiProblem(404, "not-found", "DID document not found");
  }
  const id = toDid(path, host ?? new URL(environment.publicUrl).host);
  return {
    "@context": [
      "https://www.w3.org/ns/did/v1",
      "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
    ],
    id,
    verificationMethod: addresses().map((address, index) => ({
      id: `${id}#account-${index}`,
      type: "EcdsaSecp256k1RecoveryMethod2020",
      controller: id,
      blockchainAccountId: `eip155:${environment.chainId}:${address}`,
    })),
  };
}

function toDid(path: string, host: string): string {
  const suffix = path === ".well-known" ? [] : path.split("/");
  return parseDid(["did:web", host.replace(":", "%3A"), ...suffix].join(":")).did;
}
