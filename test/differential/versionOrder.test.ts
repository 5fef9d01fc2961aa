import { expect } from "chai";
import { compareVersions, parseVersion, type Version } from "../../packages/sdk/src/version.ts";
import { createRegistrySuite, updateArguments } from "../registry/fixture.ts";
import { readVectors } from "./vectors.ts";

interface VersionVectors {
  ascending: string[];
  pairs: { a: string; b: string }[];
}

const { ascending, pairs } = await readVectors<VersionVectors>("version-order");
const { load } = await createRegistrySuite();
type Suite = Awaited<ReturnType<typeof load>>;

const toTuple = ({ major, minor, patch }: Version): [number, number, number] => [major, minor, patch];

/** Expects that the registry accepts an update from one version to another exactly if the SDK sorts it higher. */
async function isAccepted({ registry, publisher, publish }: Suite, from: Version, to: Version) {
  const did = `did:web:example.com:${toTuple(from).join("-")}`;
  if ((await registry.tokenIdOf(did, from.major)) === 0n) await publish({ did, version: toTuple(from) });
  const update = registry
    .connect(publisher)
    .updateAppControlled.staticCall(...updateArguments({ did, version: toTuple(to) }));
  if (compareVersions(from, to) < 0) {
    await update;
    return;
  }
  const isLast = from.minor === 255 && from.patch === 255;
  await expect(update)
    .to.be.revertedWithCustomError(registry, isLast ? "VersionExhausted" : "VersionNotGreater")
    .withArgs(...(isLast ? [from.major] : [from.minor, from.patch, to.minor, to.patch]));
}

describe("Version order of the SDK and of the registry", () => {
  // @threat contracts: Lower, exhaust or freeze a DID's versions
  it("is equal for each pair of test vectors with the same major version", async () => {
    const suite = await load();
    const listed = ascending.map(parseVersion);
    const ofVectors = [
      ...listed.flatMap((from) => listed.map((to) => [from, to] as const)),
      ...pairs.map(({ a, b }) => [parseVersion(a), parseVersion(b)] as const),
    ].filter(([from, to]) => from.major === to.major);
    expect(ofVectors.length).to.be.greaterThan(100);
    for (const [from, to] of ofVectors) await isAccepted(suite, from, to);
  });
});
