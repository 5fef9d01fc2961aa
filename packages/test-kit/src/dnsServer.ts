import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { type Answer, decode, encode, type Packet } from "dns-packet";

/** DNS server on loopback with TXT records, and with addresses that change with every response. */
export type DnsServer = {
  /** Address of the server as resolvers expect it, `<ip>:<port>`. */
  address: string;
  /** Sets the TXT records of a name. Each record is a list of strings. */
  put(name: string, ...records: string[][]): void;
  /**
   * Sets the IPv4 or IPv6 addresses of a name. Each query gets the next address, and every query after the last one
   * gets the last.
   */
  putAddresses(name: string, ...addresses: string[]): void;
  /** Stops responding from now on. */
  fallSilent(): void;
  /** Returns the names of the queries so far. */
  questions(): string[];
  close(): void;
};

const NXDOMAIN = 3;

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, string[][]>();
  const addresses = new Map<string, string[]>();
  const questions: string[] = [];
  const state = { silent: false };
  const socket = createSocket("udp4");
  socket.on("message", (message, sender) => {
    const query = decode(message);
    const question = query.questions?.[0];
    if (!question || state.silent) return;
    questions.push(question.name);
    const answers = answersTo(question.name, records, addresses);
    const flags = answers.length > 0 ? 0 : NXDOMAIN;
    const response: Packet = { type: "response", id: query.id ?? 0, questions: [question], answers, flags };
    socket.send(encode(response), sender.port, sender.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    put: (name, ...given) => void records.set(name, given),
    putAddresses: (name, ...given) => void addresses.set(name, given),
    fallSilent: () => {
      state.silent = true;
    },
    questions: () => questions,
    close: () => socket.close(),
  };
}

function answersTo(
  name: string,
  records: ReadonlyMap<string, string[][]>,
  addresses: ReadonlyMap<string, string[]>,
): Answer[] {
  const next = addresses.get(name);
  const data = next && next.length > 1 ? next.shift() : next?.[0];
  if (data !== undefined) return [{ type: isIPv6(data) ? "AAAA" : "A", name, ttl: 0, data }];
  return (records.get(name) ?? []).map((strings) => ({ type: "TXT", name, ttl: 0, data: strings }));
}
