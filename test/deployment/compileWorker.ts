import { parentPort, workerData } from "node:worker_threads";
import solc from "solc";

/** Compiles standard JSON input like an explorer, with only the needed outputs of one contract. */
const { input, source, contract } = workerData as { input: string; source: string; contract: string };
const parsed = JSON.parse(input) as { settings: Record<string, unknown> };
parsed.settings.outputSelection = {
  [source]: { [contract]: ["evm.bytecode.object", "evm.deployedBytecode"] },
};
const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(parsed)));
parentPort?.postMessage({ version: solc.version(), output: contracts?.[source]?.[contract], errors });
