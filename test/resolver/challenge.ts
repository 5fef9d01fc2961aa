import { didHash, MATURATION, type ResolverSuite } from "./fixture.ts";

/** Sets up an incumbent with one issuer and a challenger with two. `open` opens a challenge and returns its time. */
export async function setupChallenge({ time, load }: ResolverSuite) {
  const suite = await load();
  const { resolver, issuer, issuer2, issuer3, first, second, attest } = suite;
  await attest(issuer, first);
  await attest(issuer2, second);
  await attest(issuer3, second);
  await time.increase(2 * MATURATION);
  const [incumbent, challenger] = [first, second];
  const open = async (by = challenger) => {
    await resolver.connect(by).challengeDID(didHash, incumbent);
    return time.latest();
  };
  const resolve = (by = challenger) => resolver.resolveChallenge(didHash, incumbent, by);
  const window = async (by = challenger) => [...(await resolver.getChallenge(didHash, incumbent, by))];
  return { ...suite, incumbent, challenger, open, resolve, window };
}
