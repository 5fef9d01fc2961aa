import { readFile } from "node:fs/promises";
import { createPublicClient, getContract, http, keccak256, parseAbi, sha256, toBytes } from "viem";

// node main.ts <evidence.json> <deployment.json> <RPC URL>
const [evidenceFile = "", deploymentFile = "", rpcUrl] = process.argv.slice(2);
const { did, version, block, ...evidence } = JSON.parse(await readFile(evidenceFile, "utf8"));
const { chainId, contracts } = JSON.parse(await readFile(deploymentFile, "utf8"));
const client = createPublicClient({ transport: http(rpcUrl) });
const at = { blockNumber: BigInt(block.number) };

function requireEqual(line: string, theirs: unknown, own: unknown) {
  if (theirs === own) return;
  console.error(`${line} differs: the file has ${theirs}, your chain has ${own}.`);
  process.exit(1);
}

for (const id of [chainId, await client.getChainId()]) requireEqual("chainId", evidence.chainId, id);
for (const [name, address] of Object.entries(evidence.contracts))
  requireEqual(`contracts.${name}`, address, contracts[name].address);
requireEqual("block.hash", block.hash, (await client.getBlock(at)).hash);
for (const [index, { call, to, data, answer }] of evidence.calls.entries()) {
  const own = data
    ? (await client.call({ to, data, ...at })).data
    : await client.getCode({ address: to, ...at });
  requireEqual(`calls[${index}].answer (${call})`, answer, own);
}
for (const [index, { event, address, blockHash, ...log }] of evidence.logs.entries()) {
  const logs = await client.request({ method: "eth_getLogs", params: [{ address, blockHash }] });
  const own = logs.find((one) => Number(one.logIndex) === log.logIndex);
  for (const field of ["topics", "data", "transactionHash"] as const)
    requireEqual(`logs[${index}].${field} (${event})`, String(log[field]), String(own?.[field]));
}

// The facts of the latest version, by questions of our own.
const abi = parseAbi([
  "struct Version { uint8 major; uint8 minor; uint8 patch; uint64 registeredAt; }",
  "struct App { uint256 tokenId; address owner; string did; uint8 major; Version latest; uint16 interfaces; string dataUrl; bytes32 dataHash; uint8 algorithm; string contractId; string fungibleTokenId; address minter; uint8 status; bytes32[] traitHashes; }",
  "function getAppSummary(string did, uint8 major) view returns (App)",
  "function getMetadataJson(string did) view returns (string)",
  "function checkDID(bytes32 didHash, address account) view returns (bool)",
  "function checkDataHashAttestation(bytes32 didHash, bytes32 dataHash) view returns (bool)",
]);
const contract = (name: string) => getContract({ address: contracts[name].address, abi, client }).read;
const resolver = contract("ResolverWithStore");
const app = await contract("AppRegistry").getAppSummary([did, Number.parseInt(version, 10)], at);
requireEqual("version", version, `${app.major}.${app.latest.minor}.${app.latest.patch}`);
const didHash = keccak256(toBytes(did));
const json = toBytes(await contract("AppMetadata").getMetadataJson([did], at));
const own: Record<string, boolean> = {
  record: app.status === 0,
  control:
    (await resolver.checkDID([didHash, app.owner], at)) ||
    (await resolver.checkDID([didHash, app.minter], at)),
  content: app.dataHash === (app.algorithm === 0 ? keccak256(json) : sha256(json)),
  attested: await resolver.checkDataHashAttestation([didHash, app.dataHash], at),
};
for (const { fact, outcome, restsOn } of evidence.facts) {
  if (fact in own) requireEqual(`facts.${fact}`, outcome === "pass", own[fact]);
  console.log(`${fact}: ${outcome}, ${fact in own ? "confirmed" : `rests on: ${restsOn}`}`);
}
