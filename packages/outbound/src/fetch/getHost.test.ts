import { describe, expect, it } from "vitest";
import { getHost } from "./getHost.ts";

describe("getHost", () => {
  it.each([
    ["https://Docs.Example.com/a.json", "docs.example.com"],
    ["https://example.com:8443/a.json", "example.com"],
    ["http://127.0.0.1:3000/a.json", "127.0.0.1:3000"],
    ["http://localhost:3000/a.json", "localhost:3000"],
    ["http://[::1]:3000/a.json", "[::1]:3000"],
    ["http://service.localhost:3000/a.json", "service.localhost:3000"],
    ["http://127.8.9.1:3000/a.json", "127.8.9.1:3000"],
    ["http://2130706433:3000/a.json", "127.0.0.1:3000"],
    ["https://127.example.com:3000/a.json", "127.example.com"],
    ["https://notlocalhost:3000/a.json", "notlocalhost"],
    ["https://[2606:4700::1]:3000/a.json", "[2606:4700::1]"],
    ["https://example.com.:8443/a.json", "example.com"],
    ["ipfs://bafy/a.json", "bafy"],
    ["data:application/json,{}", ""],
    ["no URL", ""],
  ])("returns the host of %s as %j", (url, host) => {
    expect(getHost(url)).toBe(host);
  });
});
