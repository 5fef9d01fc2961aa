import type { VerificationReport } from "@app-registry/sdk";
import { visibleText } from "@app-registry/sdk";
import { LedgerSection } from "../../components/shell/shell.tsx";

/** Lists problems of the document for its publisher. They say nothing about trust. */
export function PublisherNotes({ notes }: Pick<VerificationReport, "notes">) {
  if (notes === null || notes.length === 0) return null;
  return (
    <LedgerSection
      title="For the publisher"
      id="notes"
      note="Notes on the document's format. They don't affect the facts above."
    >
      <ul className="ruled soft small">
        {notes.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`} className="anywhere">
            {pointer === "" ? null : <code>{visibleText(pointer)}</code>} <bdi>{visibleText(message)}</bdi>
          </li>
        ))}
      </ul>
    </LedgerSection>
  );
}
