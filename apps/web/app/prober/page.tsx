import { PROBER, proberUserAgent } from "@app-registry/outbound";
import type { Metadata } from "next";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { reportHref } from "../../features/service/sharing.tsx";
import { environment } from "../../lib/server/registry.ts";

export const metadata: Metadata = { title: "Live checks" };

/** Render per request, because the configuration is not available at build time. */
export const dynamic = "force-dynamic";

const days = (seconds: number) => seconds / 86_400;

/**
 * Explains live checks to the owner of a host who finds them in the logs: the requests, their frequency and how to opt
 * out.
 */
export default function ProberPage() {
  const { publicUrl, reportUrl } = environment();
  const { perHost, perUnprovenHost, perSite, perHolder, longestInterval, token } = PROBER;
  return (
    <div className="stack2">
      <h1>Live checks</h1>
      <p className="prose">
        Once a day, this registry checks whether each service responds and matches its registered version. Did
        you find <code className="anywhere">{proberUserAgent(publicUrl)}</code> in your server logs? Someone
        registered a service at your host.
      </p>
      <LedgerSection title="What is requested" note="Read-only. Live checks never pay and never sign in.">
        <ul className="stack prose">
          <li>The host's /robots.txt, before anything else.</li>
          <li>
            <strong>MCP servers:</strong> server/discover or initialize, then the lists of tools, resources
            and prompts. No tool is called.
          </li>
          <li>
            <strong>A2A agents:</strong> the agent card, then a task id that doesn't exist. No message is
            sent.
          </li>
          <li>
            <strong>GraphQL endpoints:</strong> the name of the query type.
          </li>
          <li>
            <strong>Other endpoints:</strong> one HEAD or GET request, plus the OpenAPI document if one is
            registered.
          </li>
          <li>At most five endpoints per service, only over https and at public addresses.</li>
        </ul>
      </LedgerSection>
      <LedgerSection title="How often" note="One request at a time for each host.">
        <ul className="stack prose">
          <li>
            Each service is checked once a day, and when someone selects “Check now” on its page (at most once
            every ten minutes).
          </li>
          <li>
            A service that doesn't respond is checked less and less often, down to once every{" "}
            {days(longestInterval)} days.
          </li>
          <li>
            At most {perHost} checks a day per host, {perSite} per site and {perHolder} per record holder. Of
            those per host, {perUnprovenHost} are for services whose DIDs don't prove the host, so nobody can
            use other records to flood you.
          </li>
        </ul>
      </LedgerSection>
      <LedgerSection title="How to opt out">
        <ul className="stack prose">
          <li>
            Use robots.txt (RFC 9309). Your rules also apply to checks that someone requested. The user agent
            is <code>{token}</code>:<pre className="box">{`User-agent: ${token}\nDisallow: /`}</pre>
          </li>
          <li>
            <code>Retry-After</code> in any response is respected, even if it is days long.
          </li>
          <li>
            If the service is yours, publish a version whose metadata contains <code>"probe": false</code>.
          </li>
          {reportUrl === undefined ? null : (
            <li>
              <a href={reportHref(reportUrl, "the prober")} rel="noopener noreferrer">
                Contact this registry's operator
              </a>
              .
            </li>
          )}
        </ul>
      </LedgerSection>
      <LedgerSection title="What happens to the results">
        <p className="prose">
          Each service's page shows whether it responded, what differed from the registered version, and when.
          Results show what your host returned to this registry, which may differ from what others see. Daily
          results are kept for 90 days.
        </p>
      </LedgerSection>
    </div>
  );
}
