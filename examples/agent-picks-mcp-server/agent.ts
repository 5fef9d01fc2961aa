import { createGuardedFetch } from "@app-registry/outbound";
import { listTools, pickMcpServers } from "./pick.ts";

// node agent.ts <trait> …
const traits = process.argv.slice(2);
const registry = process.env.APP_URL ?? "http://localhost:3000";

// Allow loopback hosts only with a local registry: otherwise a record could point to the agent's own machine.
const allowLoopback = new URL(registry).hostname === "localhost";
const guardedFetch = createGuardedFetch({ allowLoopback, timeout: 10_000 });

try {
  const { choices, refusals } = await pickMcpServers(registry, traits, guardedFetch);
  for (const { did, reason } of refusals) console.log(`Refused ${did}\n  ${reason}`);

  // Take the first proven server that responds.
  let chosen = false;
  for (const { did, endpoint } of choices) {
    try {
      const tools = await listTools(endpoint, guardedFetch);
      console.log(`Chose ${did} at ${endpoint}`);
      // Print names as JSON: the server chose them, and control characters could affect the terminal.
      for (const tool of tools) console.log(`  ${JSON.stringify(tool)}`);
      chosen = true;
      break;
    } catch {
      console.log(`Refused ${did}\n  Its server at ${endpoint} doesn't respond.`);
    }
  }
  if (!chosen) {
    console.error("No server is proven and responds.");
    process.exitCode = 1;
  }
} finally {
  await guardedFetch.close();
}
