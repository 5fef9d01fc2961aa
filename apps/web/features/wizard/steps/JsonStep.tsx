import { JsonField } from "../fields/JsonField.tsx";
import { StepFrame } from "./StepFrame.tsx";

/** The whole metadata document as text, for those who have it already. */
export function JsonStep() {
  return (
    <StepFrame
      title="Metadata as JSON"
      intro="Paste or edit the whole document. The form and this text show the same record; what the form has no field for is kept as it is."
    >
      <JsonField pointer="" label="Metadata JSON" wide lines={20} maxLines={40} />
    </StepFrame>
  );
}
