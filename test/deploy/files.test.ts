import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { rootDirectory } from "../../scripts/stack/processes.ts";

const read = (path: string) => readFileSync(join(rootDirectory, path), "utf8");
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
const unique = (names: string[]) => [...new Set(names)].sort();

const containerfiles = globSync("deploy/Containerfile.*", { cwd: rootDirectory }).sort();
const compose = read("deploy/compose.yaml");
const rules = read("deploy/prometheus/alerts.yml");

/** The variables that docs/configuration.md lists. */
const settings = new Set(found(read("docs/configuration.md"), /`([A-Z][A-Z0-9_]+)`/g));
/** Variables of other programs. */
const foreign = /^(SITE|WEB_UPSTREAMS|POSTGRES_\w+|NODE_ENV|HOSTNAME|PORT|PONDER_TELEMETRY_DISABLED)$/;

describe("deploy/", () => {
  it("sets only variables that docs/configuration.md lists", () => {
    const named = unique([
      ...found(read("deploy/registry.env.example"), /^([A-Z][A-Z0-9_]*)=/gm),
      ...found(compose, /^ +([A-Z][A-Z0-9_]*):/gm),
      ...containerfiles.flatMap((path) => found(read(path), /\b([A-Z][A-Z0-9_]*)=[^ ]/g)),
      ...globSync("deploy/systemd/**/*.{service,conf}", { cwd: rootDirectory }).flatMap((path) =>
        found(read(path), /^Environment=([A-Z][A-Z0-9_]*)=/gm),
      ),
    ]).filter((name) => !foreign.test(name) && name !== "CI");
    expect(named).to.include("DATABASE_URL");
    expect(named.filter((name) => !settings.has(name))).to.deep.equal([]);
  });

  it("copies only existing files into images", () => {
    for (const path of containerfiles) {
      const copied = read(path)
        .split("\n")
        .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
        .flatMap((line) => line.split(/\s+/).slice(1, -1));
      expect(copied).not.to.deep.equal([]);
      expect(
        copied.filter((source) => !existsSync(join(rootDirectory, source))),
        path,
      ).to.deep.equal([]);
    }
  });

  it("uses the repository's Node version as the base image, and pins all images", () => {
    const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: { node: string } };
    for (const path of containerfiles) {
      for (const image of found(read(path), /^FROM (\S+)/gm)) {
        expect(image).to.equal(`docker.io/library/node:${devDependencies.node}-bookworm-slim`);
      }
      expect(read(path)).to.match(/^USER node$/m);
    }
    for (const image of found(compose, /^ +image: (\S+)/gm)) {
      expect(image).to.match(/^(app-registry-\w+|\S+:[\d.v]+(-\w+)?)$/);
    }
  });

  it("builds the indexer and the worker from the same stages", () => {
    const listStages = (process: string) => {
      const stages = read(`deploy/Containerfile.${process}`).split(/^(?=FROM )/m);
      return stages.slice(1, -1).join("");
    };
    expect(listStages("worker")).to.equal(listStages("indexer"));
    expect(listStages("indexer")).to.include("COPY");
  });

  it("lists the processes' ports for Prometheus and the proxy", () => {
    const listPorts = (process: string) =>
      found(read(`deploy/Containerfile.${process}`), /METRICS_PORT=(\d+)/g);
    const targets = read("deploy/prometheus/targets.compose.yml");
    const targeted = (name: string) => unique(found(targets, new RegExp(`"${name}(?:-\\d)?:(9\\d+)"`, "g")));
    expect(targeted("web")).to.deep.equal(listPorts("web"));
    expect(targeted("worker")).to.deep.equal(listPorts("worker"));
    expect(targeted("indexer")).to.deep.equal(listPorts("indexer"));
    const [webPort] = found(read("deploy/Containerfile.web"), /\bPORT=(\d+)/g);
    expect(unique(found(compose, /\bweb-\d:(\d+)/g))).to.deep.equal([webPort]);
    const services = unique(found(compose, /^ {2}([a-z]+-?\d?): ?/gm));
    for (const name of found(targets, /"([a-z]+(?:-\d)?):\d+"/g)) expect(services).to.include(name);
  });

  it("keeps keys and environment files out of images", () => {
    const ignored = read(".dockerignore").split("\n");
    // The first rule excludes all files. Rules that include files precede those that exclude some of them again.
    expect(ignored.filter((line) => !line.startsWith("#"))[0]).to.equal("**");
    const lastAllowed = ignored.findLastIndex((line) => line.startsWith("!"));
    for (const pattern of ["**/*.env", "**/.env*", "**/*.key", "**/node_modules"]) {
      expect(ignored.indexOf(pattern), pattern).to.be.greaterThan(lastAllowed);
    }
  });
});

describe("alert rules", () => {
  const alerts = found(rules, /^ +- alert: (\w+)$/gm);

  it("each have a section of docs/alerts.md, a severity, a summary and a description", () => {
    const sections = found(read("docs/alerts.md"), /^### (\w+)$/gm);
    expect(alerts).to.have.length.greaterThan(15);
    for (const rule of rules.split(/^ +- alert: /m).slice(1)) {
      const name = rule.slice(0, rule.indexOf("\n"));
      expect(sections).to.include(name);
      expect(rule).to.include(`runbook: docs/alerts.md#${name.toLowerCase()}\n`);
      expect(rule).to.match(/severity: (critical|warning) /);
      expect(rule).to.match(/summary: \S/);
      expect(rule).to.match(/description: >-\n/);
    }
  });

  it("use only metrics that docs/deployment.md lists", () => {
    const table = read("docs/deployment.md").split("## Probes and metrics")[1] ?? "";
    const listed = new Set(
      found(table, /`([a-z_]+)(?:\{[a-z,]+\})?`/g).map((name) => `app_registry_${name}`),
    );
    const asked = unique(found(rules, /\b(app_registry_\w+)/g)).map((name) => name.replace(/_bucket$/, ""));
    expect(asked).to.have.length.greaterThan(8);
    expect(asked.filter((name) => !listed.has(name))).to.deep.equal([]);
  });

  it("each fire in a test", () => {
    expect(unique(found(read("deploy/prometheus/alerts.test.yml"), /alertname="(\w+)"/g))).to.deep.equal(
      unique(alerts),
    );
  });

  const promtool = spawnSync("promtool", ["test", "rules", "alerts.test.yml"], {
    cwd: join(rootDirectory, "deploy/prometheus"),
    encoding: "utf8",
  });
  (promtool.error ? it.skip : it)("fire when they should, and are quiet otherwise, as promtool says", () => {
    expect(promtool.status, promtool.stdout + promtool.stderr).to.equal(0);
  });

  it("use only existing health problem codes", () => {
    const known = found(read("docs/http-api.md"), /\| `([a-z-]+)` \| `(?:down|degraded)` \|/g);
    const asked = found(rules, /code=~?"([^"]+)"/g).flatMap((codes) => codes.split("|"));
    expect(known).to.have.length.greaterThan(10);
    expect(asked.filter((code) => !known.includes(code))).to.deep.equal([]);
  });
});
