import { execFile } from "node:child_process";
import { appendFile, readFile, realpath } from "node:fs/promises";
import { resolve } from "node:path";

const readJson = async (file) => JSON.parse(await readFile(file, "utf8"));

const { env } = process;
const { PRIVATE_KEY, GITHUB_TOKEN, ...variables } = env;

/** Runs a command and returns its JSON. */
async function runCommand(args, secrets = {}) {
  const words = [env.PROGRAM, ...args, "--json"];
  const options = { env: { ...variables, ...secrets }, maxBuffer: 2 ** 26 };
  return new Promise((done) =>
    execFile(process.execPath, words, options, (failure, stdout, stderr) => {
      const code = Number(failure?.code ?? 0);
      try {
        done({ code, ...JSON.parse(stdout) });
      } catch {
        done({ code: code || 1, error: { message: stderr || String(failure) } });
      }
    }),
  );
}

/**
 * Returns the URL of the document, or its path in the repository.
 * @throws Error for a link, which could lead to another file of the runner
 */
async function locateDocument() {
  const { METADATA } = env;
  if (/^https?:\/\//i.test(METADATA)) return METADATA;
  const path = resolve(await realpath("."), METADATA);
  if ((await realpath(path)) !== path) throw new Error("metadata is a link. Name the file that it leads to.");
  return path;
}

/** Time limit of a request to GitHub, in milliseconds. */
const TIMEOUT = 30_000;

/** Sends a query to GitHub's GraphQL API. */
async function queryGitHub(query, values) {
  const response = await fetch(env.GITHUB_GRAPHQL_URL, {
    method: "POST",
    headers: { authorization: `Bearer ${GITHUB_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables: values }),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const { data, errors } = response.ok ? await response.json() : {};
  if (!data || errors) throw new Error(`GitHub answered ${errors?.[0]?.message ?? response.status}.`);
  return data;
}

const LIST = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id
      comments(first: 100, after: $after) {
        nodes { id body viewerDidAuthor }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;
const ADD =
  "mutation ($id: ID!, $body: String!) { addComment(input: { subjectId: $id, body: $body }) { clientMutationId } }";
const UPDATE =
  "mutation ($id: ID!, $body: String!) { updateIssueComment(input: { id: $id, body: $body }) { clientMutationId } }";

/** Writes the comment of this DID on a pull request, or replaces its text. Writes no first one without news. */
async function comment(number, did, text, isNews) {
  const marker = `<!-- app-registry ${did} -->\n`;
  const body = marker + text;
  const [owner, name] = env.GITHUB_REPOSITORY.split("/");
  for (let after = null; ; ) {
    const { repository } = await queryGitHub(LIST, { owner, name, number, after });
    const { id, comments } = repository.pullRequest;
    // Somebody else's comment with the marker is not ours to replace.
    const own = comments.nodes.find((one) => one.viewerDidAuthor && one.body.startsWith(marker));
    if (own) return queryGitHub(UPDATE, { id: own.id, body });
    if (!comments.pageInfo.hasNextPage) return isNews && queryGitHub(ADD, { id, body });
    after = comments.pageInfo.endCursor;
  }
}

/** Compares the document with the registered version, and comments the result on a pull request if there is one. */
async function review(number) {
  const document = await locateDocument().catch((error) => ({ error }));
  // Without a document, the command still names the canonical DID, which the marker of the comment has.
  const path = document.error ? "/dev/null" : document;
  const found = await runCommand(["diff", path, "--did", env.DID, "--markdown"]);
  const result = document.error ? { did: found.did, code: 1, error: document.error } : found;
  const summary = result.markdown ?? explain(result);
  if (number === undefined) return { ...result, summary };
  const isNews = result.problems?.length > 0 || result.version !== result.current;
  // An error replaces an earlier comment, which is about another document.
  await comment(number, result.did ?? env.DID, summary, isNews).catch((error) =>
    // A pull request from a fork gets a token that can't write.
    console.log(`::warning::The comment can't be written, so see the summary. ${plain(error.message)}`),
  );
  return { ...result, summary };
}

async function publish() {
  const args = ["--did", env.DID, "--version", env.VERSION, "--yes"];
  if (env.ROLLBACK === "true") args.push("--rollback");
  if (env.NEW_MAJOR === "true") args.push("--new-major");
  const key = PRIVATE_KEY?.trim();
  const document = await locateDocument().catch((error) => ({ error }));
  const result = document.error
    ? { code: 1, error: document.error }
    : await runCommand(["publish", document, ...args], key ? { PRIVATE_KEY: key } : {});
  const states = { published: "Published", "already-published": "Already published:" };
  const { status, did, version, attestation } = result;
  const done = [
    states[status],
    did,
    version,
    attestation && `but not attested: ${quote(attestation.detail)}`,
  ];
  return { ...result, summary: states[status] ? done.filter(Boolean).join(" ") : explain(result) };
}

/** Looks up the servers that the repository's client configurations name. */
async function audit() {
  const result = await runCommand(["audit"]);
  if (!result.servers) return { ...result, summary: explain(result) };
  const rows = result.servers.map(({ verdict, ...server }) =>
    [
      `- **${verdict}**`,
      ...["name", "target", "did", "detail"].map((field) => server[field] && quote(server[field])),
    ]
      .filter(Boolean)
      .join(" "),
  );
  return { ...result, summary: rows.join("\n") || "No MCP server is configured." };
}

/** Returns a text in one line, without control and invisible characters. */
const plain = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();

/** Formats a text of a document or a server as a code span (CommonMark 6.1), so that it is no markup. */
function quote(text) {
  const ticks = "`".repeat(1 + Math.max(0, ...(plain(text).match(/`+/g) ?? []).map((run) => run.length)));
  return `${ticks} ${plain(text)} ${ticks}`;
}

const explain = ({ error }) =>
  quote([error?.message, error?.action].filter(Boolean).join(" ").slice(0, 5_000));

const event = await readJson(env.GITHUB_EVENT_PATH);
if (env.GITHUB_EVENT_NAME === "pull_request_target") {
  throw new Error("Use the event pull_request: pull_request_target would give a fork's files your token.");
}
// Only these run what somebody merged. The others have no key: they compare.
const publishing = ["push", "release", "schedule", "workflow_dispatch", "repository_dispatch"];
const publishes = !event.pull_request && publishing.includes(env.GITHUB_EVENT_NAME);
const result = await (env.AUDIT === "true"
  ? audit()
  : publishes
    ? publish()
    : review(event.pull_request?.number));
// Text from the registry and its services must not be read as commands of the workflow.
const end = crypto.randomUUID();
console.log(`::stop-commands::${end}\n${result.summary}\n::${end}::`);
await appendFile(env.GITHUB_STEP_SUMMARY, `${result.summary}\n`);
const outputs = ["status", "version", "page"].filter((name) => /^\S+$/.test(result[name] ?? ""));
await appendFile(env.GITHUB_OUTPUT, outputs.map((name) => `${name}=${result[name]}\n`).join(""));
process.exitCode = result.code;
