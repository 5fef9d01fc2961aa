import { FileButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import type { Draft } from "../draft/draft.ts";
import { useWizard } from "../WizardContext.tsx";

const draftFile = () => import("../draft/draftFile.ts");

type FileMessage = { text: string; isProblem?: boolean; before?: Draft };

/** Renders buttons that export the draft as a file and import a draft or a metadata document. */
export function DraftFileButtons({ children }: { children: ReactNode }) {
  const { draft, dispatch, readOnly } = useWizard();
  const [said, setSaid] = useState<FileMessage>();

  const open = async (file: File | null) => {
    if (file === null) return;
    const { MAX_DRAFT_FILE, readDraftFile } = await draftFile();
    const text = file.size > MAX_DRAFT_FILE ? undefined : await file.text();
    const read =
      text === undefined
        ? { problem: `The file is larger than ${MAX_DRAFT_FILE.toLocaleString("en")} bytes.` }
        : readDraftFile(text, draft);
    if (read.problem !== undefined) {
      setSaid({ text: `${file.name} can't be opened. ${read.problem}`, isProblem: true });
      return;
    }
    dispatch({ type: "load", draft: read.draft });
    setSaid({ text: `Imported ${file.name} in place of your draft.`, before: draft });
  };

  const save = async () => {
    const { draftFileName, draftFileText, saveFile } = await draftFile();
    saveFile(draftFileName(draft), draftFileText(draft));
  };

  return (
    <>
      <span className="bar">
        <span className="soft">Draft</span>
        <QuietButton aria-label="Export the draft" onClick={() => void save()}>
          Export
        </QuietButton>
        <FileButton accept="application/json,.json" onChange={(file) => void open(file)} disabled={readOnly}>
          {({ onClick }) => (
            <QuietButton aria-label="Import a draft" onClick={onClick} disabled={readOnly}>
              Import
            </QuietButton>
          )}
        </FileButton>
        {children}
      </span>
      {said === undefined ? null : (
        <p
          className="bar anywhere"
          role={said.isProblem ? "alert" : "status"}
          style={{ flexBasis: "100%", ...(said.isProblem && { color: "var(--fail)" }) }}
        >
          {said.isProblem ? "◆ " : null}
          {said.text}
          {said.before === undefined ? null : (
            <QuietButton
              onClick={() => {
                if (said.before) dispatch({ type: "load", draft: said.before });
                setSaid(undefined);
              }}
            >
              Undo
            </QuietButton>
          )}
          <QuietButton onClick={() => setSaid(undefined)}>Dismiss</QuietButton>
        </p>
      )}
    </>
  );
}
