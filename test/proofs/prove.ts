import { init } from "z3-solver";
import { listLemmas } from "./lemmas.ts";

/**
 * Proves each lemma and refutes its mutant. Prints a line of JSON for each, and exits with 1 if one fails. z3 keeps Node
 * running, so this is a process of its own.
 */
const { Context } = await init();
const z = Context("proofs");
let isFailed = false;
for (const { name, source, claim, mutant } of listLemmas(z)) {
  const isProved = async (truth: typeof claim) => {
    const solver = new z.Solver();
    solver.set("timeout", 120_000);
    solver.add(z.Not(truth));
    return solver.check();
  };
  const [proof, refutation] = [await isProved(claim), await isProved(mutant)];
  isFailed ||= proof !== "unsat" || refutation !== "sat";
  console.log(JSON.stringify({ name, source, proof, refutation }));
}
process.exit(isFailed ? 1 : 0);
