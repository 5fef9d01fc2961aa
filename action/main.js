import { execFile } from "node:child_process";
import { appendFile, readFile } from "node:fs/promises";

const readJson = async (file) => JSON.parse(await readFile(file, "utf8"));

const { env } = process;
const { PRIVATE_KEY, GITHUB_TOKEN, ...variables } = env;

/** Runs the command and returns its JSON. */
async function runCommand(args, secrets = {}) {
  // Name the exact version, so that no other one gets the key. npx prefers one that is installed in the repository.
  const { name, version } = await readJson(new URL("../packages/cli/package.json", import.meta.url));
  const words = ["--yes", `${name}@${version}`, ...args, "--json"];
  const options = { env: { ...variables, ...secrets }, maxBuffer: 2 ** 26 };
  return new Promise((resolve, reject) =>
    execFile("npx", words, options, (error, stdout, stderr) => {
      try {
        resolve({ code: Number(error?.code ?? 0), ...JSON.parse(stdout) });
      } catch {
        reject(new Error(stderr || error?.message));
      }
    }),
  );
}

/** Sends a request to GitHub's REST API. */
async function requestGitHub(path, method = "GET", body = undefined) {
  const response = await fetch(`${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}${path}`, {
    method,
    headers: { authorization: `Bearer ${GITHUB_TOKEN}`, accept: "application/vnd.github+json" },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`GitHub answered ${method} ${path} with ${response.status}.`);
  return response.json();
}

/** Writes the comment of this DID on a pull request, or replaces its text. Writes no first one without news. */
async function comment(number, text, isNews) {
  const marker = `<!-- app-registry ${env.DID} -->\n`;
  const body = marker + text;
  for (let page = 1; ; page += 1) {
    const comments = await requestGitHub(`/issues/${number}/comments?per_page=100&page=${page}`);
    // Somebody else's comment with the marker is not ours to replace.
    const own = comments.find((one) => one.user?.type === "Bot" && one.body?.startsWith(marker));
    if (own) return requestGitHub(`/issues/comments/${own.id}`, "PATCH", { body });
    if (comments.length < 100) return isNews && requestGitHub(`/issues/${number}/comments`, "POST", { body });
  }
}

async function reviewPullRequest(number) {
  const result = await runCommand(["diff", env.METADATA, "--did", env.DID, "--markdown"]);
  if (result.markdown === undefined) return { ...result, summary: explain(result) };
  const isNews = result.version !== result.current || result.problems.length > 0;
  await comment(number, result.markdown, isNews).catch((error) =>
    // A pull request from a fork gets a token that can't write.
    console.log(`::warning::The comment can't be written, so see the summary. ${error.message}`),
  );
  return { ...result, summary: result.markdown };
}

async function publish() {
  const args = ["publish", env.METADATA, "--did", env.DID, "--version", env.VERSION, "--yes"];
  const result = await runCommand(args, PRIVATE_KEY ? { PRIVATE_KEY } : {});
  const states = { published: "Published", "already-published": "Already published:" };
  const { status, did, version, attestation } = result;
  const done = [states[status], did, version, attestation && `but not attested: ${attestation.detail}`];
  return { ...result, summary: states[status] ? done.filter(Boolean).join(" ") : explain(result) };
}

const explain = ({ error }) => [error?.message, error?.action].filter(Boolean).join(" ");

const event = await readJson(env.GITHUB_EVENT_PATH);
if (env.GITHUB_EVENT_NAME === "pull_request_target") {
  throw new Error("Use the event pull_request: pull_request_target would give a fork's files your token.");
}
const result = await (event.pull_request ? reviewPullRequest(event.pull_request.number) : publish());
// Text from the registry and its services must not be read as commands of the workflow.
const end = crypto.randomUUID();
console.log(`::stop-commands::${end}\n${result.summary}\n::${end}::`);
await appendFile(env.GITHUB_STEP_SUMMARY, `${result.summary}\n`);
const outputs = ["status", "version", "page"].filter((name) => /^\S+$/.test(result[name] ?? ""));
await appendFile(env.GITHUB_OUTPUT, outputs.map((name) => `${name}=${result[name]}\n`).join(""));
process.exitCode = result.code;
