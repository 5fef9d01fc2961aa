import { JsonField } from "../fields/JsonField.tsx";
import { MetadataText } from "../fields/MetadataText.tsx";
import { UrlListField } from "../fields/UrlListField.tsx";
import { Group, StepFrame } from "./StepFrame.tsx";

/** Where people use the service and what it looks like. */
export function HumanStep() {
  return (
    <StepFrame
      title="Website or app"
      intro="Where people find the service, and what they see before they open it. At least one platform and one screenshot are needed, and the icon under About the service."
    >
      <UrlListField
        pointer="/screenshotUrls"
        label="Screenshots"
        item="Screenshot"
        required
        placeholder="https://example.com/screenshot-1.png"
        help="Pictures of the service as it is now."
      />
      <Group title="Platforms" help="Fill in each platform on which it can be used.">
        <MetadataText
          pointer="/platforms/web/launchUrl"
          label="Web: launch URL"
          placeholder="https://app.example.com"
          mono
          help="Opens the service in a browser."
        />
        <MetadataText
          pointer="/platforms/ios/downloadUrl"
          label="iOS: download URL"
          placeholder="https://apps.apple.com/app/…"
          mono
        />
        <MetadataText
          pointer="/platforms/ios/artifactDid"
          label="iOS: artifact DID"
          mono
          help="Names the exact app package. Optional."
        />
        <MetadataText
          pointer="/platforms/android/downloadUrl"
          label="Android: download URL"
          placeholder="https://play.google.com/…"
          mono
        />
        <MetadataText
          pointer="/platforms/android/artifactDid"
          label="Android: artifact DID"
          mono
          help="Names the exact app package. Optional."
        />
        <JsonField
          pointer="/platforms"
          label="All platforms as JSON"
          help="For platforms without a field here, such as macos or windows."
          lines={3}
        />
      </Group>
      <Group title="More to show" help="All optional.">
        <UrlListField
          pointer="/videoUrls"
          label="Videos"
          item="Video"
          placeholder="https://example.com/tour.mp4"
        />
        <UrlListField
          pointer="/threeDAssetUrls"
          label="3D assets"
          item="3D asset"
          placeholder="https://example.com/model.glb"
        />
        <MetadataText pointer="/portalUrl" label="Portal URL" mono help="Entrance for virtual worlds." />
      </Group>
    </StepFrame>
  );
}
