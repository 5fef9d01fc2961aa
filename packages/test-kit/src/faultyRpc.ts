import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen.ts";

type RpcRequest = { jsonrpc: "2.0"; id: number; method: string; params: unknown[] };
type RpcAnswer = { jsonrpc: "2.0"; id: number; result?: unknown; error?: { code: number; message: string } };

/**
 * Fault of a request: `pass` forwards it, `drop` ignores it, `lose` forwards it and drops the response, `error` returns
 * an error, `delay` forwards it after some milliseconds, and `replace` changes the result.
 */
export type Fault =
  | "pass"
  | "drop"
  | "lose"
  | "error"
  | { delay: number }
  | { replace(result: unknown): unknown };

/** Proxy of an RPC endpoint that injects faults. */
export type FaultyRpc = {
  url: string;
  /** Injects faults from now on. Before this call, and again after `heal`, the proxy forwards everything. */
  break(fault: (request: { method: string; params: unknown[] }) => Fault | Promise<Fault>): void;
  heal(): void;
  close(): Promise<void>;
};

export async function startFaultyRpc(upstream: string): Promise<FaultyRpc> {
  let faultOf: (request: RpcRequest) => Fault | Promise<Fault> = () => "pass";

  const ask = async (request: RpcRequest): Promise<RpcAnswer> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(upstream, { method: "POST", headers, body: JSON.stringify(request) });
    return (await response.json()) as RpcAnswer;
  };
  /** Returns the response of a request, or `undefined` to close the connection without one. */
  const answer = async (request: RpcRequest): Promise<RpcAnswer | undefined> => {
    const fault = await faultOf(request);
    const { jsonrpc, id } = request;
    if (fault === "drop") return undefined;
    if (fault === "error") return { jsonrpc, id, error: { code: -32_603, message: "internal error" } };
    if (typeof fault === "object" && "delay" in fault) {
      await new Promise((resolve) => setTimeout(resolve, fault.delay));
    }
    const honest = await ask(request);
    if (fault === "lose") return undefined;
    if (typeof fault === "object" && "replace" in fault)
      return { jsonrpc, id, result: fault.replace(honest.result) };
    return honest;
  };

  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as RpcRequest | RpcRequest[];
    const answers = await Promise.all([body].flat().map(answer)).catch(() => [undefined]);
    if (answers.includes(undefined)) {
      response.destroy();
      return;
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  });
  const { origin, close } = await listen(server);
  return {
    url: origin,
    break(fault) {
      faultOf = fault;
    },
    heal() {
      faultOf = () => "pass";
    },
    close,
  };
}
