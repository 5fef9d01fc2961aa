import { createBenchRegistry, mintArguments, updateArguments, didOf, API } from "./benchRegistry.ts";
import { publishMany } from "./publishMany.ts";
import { id } from "ethers";
const bench = await createBenchRegistry();
await publishMany(bench, Array.from({length: 3}, (_, index) => ({index, interfaces: API})));
const p = bench.connection.provider;
async function prof(name: string, tx: Promise<any>) {
  const r = await (await tx).wait();
  const t: any = await p.request({method:"debug_traceTransaction", params:[r.hash,{disableStorage:true,disableMemory:true,disableStack:true}]});
  const m: Record<string,[number,number]> = {};
  const st: string[] = [];
  for (const l of t.structLogs) { const e = (m[l.op] ??= [0,0]); e[0]++; e[1]+= ["CALL","STATICCALL","CREATE"].includes(l.op) ? 0 : l.gasCost; if (["SLOAD","SSTORE","CREATE","STATICCALL","KECCAK256","LOG3","LOG4"].includes(l.op)) st.push(`${"  ".repeat(l.depth)}${l.op}:${l.gasCost}`); }
  const rows = Object.entries(m).map(([op,[n,g]]) => [op,n,g] as const).sort((x,y)=>y[2]-x[2]);
  console.log(name, r.gasUsed, "steps", t.structLogs.length);
  console.log(rows.slice(0,16).map(r=>r.join(":")).join("  "));
  console.log(st.join(" "));
}
const mine = bench.registry.connect(bench.publisher);
await (await bench.resolver.connect(bench.issuer).attestDID(id(didOf(7)), bench.publisher.address, 0)).wait();
await prof("transfer", mine.transferFrom(bench.publisher, bench.other, 1));
await prof("transfer2", mine.transferFrom(bench.publisher, bench.other, 2));
await prof("status", mine.updateStatus(didOf(2), 1, 1));
await prof("update", mine.updateAppControlled(...updateArguments(2, 0, 1)));
await prof("mint", mine.mint(...mintArguments({index: 7})));
