import { CopyBlock } from "../../components/record/CopyBlock.tsx";
import { environment } from "../../lib/server/environment.ts";
import styles from "./ProgramAccess.module.css";

/** The first request of a program that looks for services. */
export function ProgramAccess() {
  return (
    <div className={styles.access}>
      <CopyBlock
        caption="Find MCP servers"
        text={`curl '${environment().publicUrl}/api/search?traits=api:mcp&interface=2'`}
      />
      <p>
        Every route is described in <a href="/api/openapi.json">OpenAPI 3.1</a>. The registry is a contract:
        programs that trust no server read it directly.
      </p>
    </div>
  );
}
