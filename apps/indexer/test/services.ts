import { canonicalizeValue } from "@app-registry/sdk";
import type { TestService } from "./harness/registry.ts";

/** Varied services in the order of their mints. */
export const services: TestService[] = [
  {
    did: "did:web:rest.test",
    interfaces: 2,
    metadata: {
      name: "Weather Atlas",
      description: "Forecasts for every city",
      publisher: "Meteo Société",
      image: "https://rest.test/icon.png",
      endpoints: [{ name: "REST", endpoint: "https://rest.test/v1" }],
      traits: ["api:rest", "weather", "pay:x402", "pay:x402:eip155:8453"],
    },
  },
  {
    did: "did:web:human.test",
    interfaces: 1,
    algorithm: 1,
    metadata: { name: "Café Diary", description: "A page about coffee and weather", traits: ["food"] },
  },
  {
    did: "did:web:both.test",
    interfaces: 3,
    metadata: { name: "Portal", publisher: "Meteo Société", traits: ["api:rest", "food"] },
  },
  {
    did: "did:pkh:eip155:31337:0x00000000000000000000000000000000000000aa",
    interfaces: 4,
    metadata: { name: "Vault", description: "Keeps tokens", traits: ["defi"] },
  },
  {
    did: "did:web:all.test",
    interfaces: 7,
    metadata: { name: "天気予報", description: "日本の天気", traits: ["weather", "defi"] },
  },
  {
    did: "did:web:offchain.test",
    interfaces: 2,
    onChain: false,
    metadata: { name: "Never read", traits: ["api:rest", "hosted"] },
  },
  {
    did: "did:web:nasty.test",
    interfaces: 2,
    traits: ["nasty"],
    text: canonicalizeValue({
      name: 'a\0b\'); drop table app; --\t\\N \\ \n {"x"}',
      description: "NULL \\. \r\n,{}",
      traits: ["nasty", "\0", '{a,"b"}'],
    }),
    metadata: {},
  },
  { did: "did:web:notjson.test", interfaces: 2, traits: ["broken"], text: "{not json \0", metadata: {} },
  { did: "did:web:list.test", interfaces: 2, traits: ["broken"], text: "[1,2]", metadata: {} },
  {
    did: "did:web:huge.test",
    interfaces: 2,
    // Folding turns U+FDFA into eighteen characters.
    metadata: { name: "\ufdfa".repeat(300), description: "wind ".repeat(3_000), traits: ["huge"] },
  },
  { did: "did:web:bare.test", interfaces: 1, metadata: {} },
];
