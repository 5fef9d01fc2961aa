import { PROBER, proberUserAgent } from "@app-registry/outbound";
import type { Metadata } from "next";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { reportHref } from "../../features/service/reportHref.ts";
import { environment } from "../../lib/server/environment.ts";

export const metadata: Metadata = { title: "The prober" };

/** The configuration is read when the page is asked for, not when it is built. */
export const dynamic = "force-dynamic";

const days = (seconds: number) => seconds / 86_400;

/** For the owner of a host who finds the prober in the logs: who asks, what, how often, and how to stop it. */
export default function ProberPage() {
  const { publicUrl, reportUrl } = environment();
  const { perHost, perUnprovenHost, perSite, perHolder, longestInterval, token } = PROBER;
  return (
    <div className="stack2">
      <h1>The prober</h1>
      <p className="prose">
        You may have found this in your server's log:{" "}
        <code className="anywhere">{proberUserAgent(publicUrl)}</code>. Somebody registered a service at your
        host with this registry, and the registry asks whether it answers and offers what was registered.
      </p>
      <LedgerSection title="What it asks" note="It reads, pays nothing and logs in nowhere.">
        <ul className="stack prose">
          <li>/robots.txt of a host, before the services there.</li>
          <li>
            An MCP server: initialize, then its lists of tools, resources and prompts. It calls no tool.
          </li>
          <li>An A2A agent: its agent card, then a task that nobody has. It sends no message.</li>
          <li>A GraphQL endpoint: the name of its query type.</li>
          <li>Any other address: a HEAD or GET, and the OpenAPI document if one is registered.</li>
          <li>Up to five endpoints of a service, over https and at public addresses only.</li>
        </ul>
      </LedgerSection>
      <LedgerSection title="How often" note="One request at a time for each host.">
        <ul className="stack prose">
          <li>
            It asks each service once a day, and again when somebody presses “Check now” on its page: that
            counts at most once in ten minutes for a service.
          </li>
          <li>
            It asks a service that does not answer less and less often, down to once in{" "}
            {days(longestInterval)} days.
          </li>
          <li>
            It asks at most {perHost} services a day at one host, {perUnprovenHost} of them if their DIDs do
            not prove the host: nobody can aim strangers' records at you. At most {perSite} a day at one site,
            and {perHolder} a day of one holder of records.
          </li>
        </ul>
      </LedgerSection>
      <LedgerSection title="How to stop it">
        <ul className="stack prose">
          <li>
            robots.txt (RFC 9309) is obeyed, also for requests that somebody asked for. The name to use is{" "}
            <code>{token}</code>:<pre>{`User-agent: ${token}\nDisallow: /`}</pre>
          </li>
          <li>
            <code>Retry-After</code> of any answer is obeyed, for days too.
          </li>
          <li>
            If the service is yours, publish a version whose metadata says <code>"probe": false</code>.
          </li>
          {reportUrl === undefined ? null : (
            <li>
              <a href={reportHref(reportUrl, "the prober")} rel="noopener noreferrer">
                Write to this registry's operator
              </a>
              .
            </li>
          )}
        </ul>
      </LedgerSection>
      <LedgerSection title="What becomes of it">
        <p className="prose">
          A service's page shows what was found and when: whether it answered, and what differs from what is
          registered. It is what this registry was served; your host may show others something else. Days are
          kept for 90 days, and months after that.
        </p>
      </LedgerSection>
    </div>
  );
}
