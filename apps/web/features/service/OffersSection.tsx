import { type VersionRecord, visibleText } from "@app-registry/sdk";
import type { ReactNode } from "react";
import { picturePath } from "../../components/record/Icon.tsx";
import { Picture } from "../../components/record/Picture.tsx";
import { ToolPanel } from "../../components/record/ToolPanel.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import type { ServiceEndpoint, ServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { getEndpointTitle, platformLabel } from "./ConnectSection.tsx";
import { PlacedLink, type ResolveLink } from "./links.tsx";
import { ClaimedText } from "./ServiceHead.tsx";
import styles from "./service.module.css";

/** Number of items of a list above its fold, and in total. The document has all. */
const MAX_UNFOLDED = 10;
const MAX_ITEMS = 100;

type GroupProps<Item> = {
  title: string;
  items: Item[];
  children: (item: Item) => ReactNode;
  list?: "ul" | "div";
};

/** Renders one kind of capability. Renders nothing without items. */
function Group<Item>({ title, items, children, list: List = "ul" }: GroupProps<Item>) {
  const count = items.length;
  if (count === 0) return null;
  const folded = items.slice(MAX_UNFOLDED, MAX_ITEMS);
  return (
    <div className="stack">
      <h3 className="minor">
        {title} <span className="quiet">{count}</span>
      </h3>
      <List className="ruled">{items.slice(0, MAX_UNFOLDED).map(children)}</List>
      {folded.length === 0 ? null : (
        <details className="part">
          <summary>Show {folded.length} more</summary>
          <List className="ruled">{folded.map(children)}</List>
        </details>
      )}
      {count > MAX_ITEMS ? <p className="quiet">{count - MAX_ITEMS} more in the metadata document.</p> : null}
    </div>
  );
}

/** Renders a capability: its name or URI, and its description. */
function Offer({
  name,
  note,
  text,
}: {
  name: ReactNode;
  note?: string | undefined;
  text?: string | undefined;
}) {
  return (
    <>
      <p className="row anywhere">
        {name}
        {note === undefined ? null : <span className="quiet">{visibleText(note)}</span>}
      </p>
      {text === undefined ? null : (
        <p className="prose soft">
          <bdi>{visibleText(text)}</bdi>
        </p>
      )}
    </>
  );
}

type ResourceOfferProps = {
  uri: string;
  name: string;
  description: string | undefined;
  mimeType: string | undefined;
};

/** Renders a resource or a resource template. */
const ResourceOffer = ({ uri, name, description, mimeType }: ResourceOfferProps) => (
  <li>
    <Offer
      name={<code>{visibleText(uri)}</code>}
      note={mimeType}
      text={[name, description].filter(Boolean).join(": ")}
    />
  </li>
);

/** Shows the instructions of an MCP server as claimed words: they address the model, and can say anything. */
const Instructions = ({ text }: { text: string }) => (
  <div className="stack">
    <h3 className="minor">Instructions</h3>
    <div className={styles.claims} data-claims>
      <p className="small soft" data-claims-label>
        Claimed by the publisher · not verified · clients give this text to models
      </p>
      <ClaimedText kind="instructions" text={text} />
    </div>
  </div>
);

/** Lists an endpoint's capabilities, below its name if there are several endpoints. */
function EndpointOffers({ endpoint, isNamed }: { endpoint: ServiceEndpoint; isNamed: boolean }) {
  const { instructions, tools, resources, resourceTemplates, prompts, skills } = endpoint;
  return (
    <>
      {isNamed ? (
        <h3 className="anywhere">
          <bdi>{getEndpointTitle(endpoint)}</bdi>{" "}
          <code className="quiet">{visibleText(endpoint.endpoint ?? "")}</code>
        </h3>
      ) : null}
      {instructions === undefined ? null : <Instructions text={instructions} />}
      <Group title="Tools" items={tools} list="div">
        {(tool) => <ToolPanel key={tool.name} tool={tool} />}
      </Group>
      <Group title="Skills" items={skills}>
        {({ name, description }) => (
          <li key={name}>
            <Offer name={<bdi className="strong">{visibleText(name)}</bdi>} text={description} />
          </li>
        )}
      </Group>
      <Group title="Resources" items={resources}>
        {({ uri, ...resource }) => <ResourceOffer key={uri} uri={uri} {...resource} />}
      </Group>
      <Group title="Resource templates" items={resourceTemplates}>
        {({ uriTemplate, ...template }) => (
          <ResourceOffer key={uriTemplate} uri={uriTemplate} {...template} />
        )}
      </Group>
      <Group title="Prompts" items={prompts}>
        {(prompt) => (
          <li key={prompt.name}>
            <Offer
              name={<code className="strong">{visibleText(prompt.name)}</code>}
              text={prompt.description}
            />
            {prompt.arguments.map((argument) => (
              <p key={argument.name} className="row soft" style={{ paddingLeft: 16 }}>
                <code>{visibleText(argument.name)}</code>
                <span className="quiet">{argument.required ? "required" : "optional"}</span>
                <bdi>{visibleText(argument.description ?? "")}</bdi>
              </p>
            ))}
          </li>
        )}
      </Group>
    </>
  );
}

const offersCapabilities = ({ instructions, ...lists }: ServiceEndpoint): boolean =>
  instructions !== undefined ||
  [lists.tools, lists.resources, lists.resourceTemplates, lists.prompts, lists.skills].flat().length > 0;

/** Lists what a service offers: for programs by endpoint, for people its platforms, and its media as links. */
export function OffersSection({ metadata, placeOf }: { metadata: ServiceMetadata; placeOf: ResolveLink }) {
  const { platforms, videoUrls, threeDAssetUrls, portalUrl } = metadata;
  const endpoints = metadata.endpoints.filter(offersCapabilities);
  const ofService = [platforms, videoUrls, threeDAssetUrls, portalUrl ?? []].flat();
  if (endpoints.length + ofService.length === 0) return null;
  return (
    <LedgerSection title="What it offers" id="offers" note="As described by the publisher. Not verified.">
      <div className="stack3">
        {endpoints.map((endpoint, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: endpoints may share a name and an address
          <EndpointOffers key={index} endpoint={endpoint} isNamed={endpoints.length > 1} />
        ))}
        {platforms.length === 0 ? null : (
          <div>
            <h3 className="minor">Platforms</h3>
            <p className="anywhere">
              <bdi>{new Intl.ListFormat("en").format(platforms.map(({ name }) => platformLabel(name)))}</bdi>
            </p>
          </div>
        )}
        <MediaLinks metadata={metadata} placeOf={placeOf} />
      </div>
    </LedgerSection>
  );
}

function numbered(item: string, urls: string[]): { text: string; url: string }[] {
  return urls.map((url, index) => ({ text: urls.length === 1 ? item : `${item} ${index + 1}`, url }));
}

/**
 * Links to a service's videos and 3D models. They are not loaded here: their host would learn who views the page, and
 * the registered hash does not cover them.
 */
function MediaLinks({ metadata, placeOf }: { metadata: ServiceMetadata; placeOf: ResolveLink }) {
  const links = [
    ...numbered("Video", metadata.videoUrls),
    ...numbered("3D asset", metadata.threeDAssetUrls),
    ...numbered("Portal", metadata.portalUrl === undefined ? [] : [metadata.portalUrl]),
  ];
  if (links.length === 0) return null;
  return (
    <div>
      <h3 className="minor">Media</h3>
      <ol className="bar">
        {links.map(({ text, url }) => (
          <li key={text} className="box">
            <PlacedLink url={url} text={text} placeOf={placeOf} />
          </li>
        ))}
      </ol>
      <p className="quiet">Shown as links, so that their hosts don't learn that you viewed this record.</p>
    </div>
  );
}

/** Maximum number of screenshots. Each costs its host a request. */
const MAX_SCREENSHOTS = 8;

const NOTE =
  "Provided by the publisher. Not verified. Only PNG, JPEG, WebP, AVIF and GIF pictures are drawn.";

type PicturesSectionProps = { record: VersionRecord; count: number };

/** Shows this server's copies of the screenshots. They are below the facts, because a picture can claim anything. */
export function PicturesSection({ record: { did, version }, count }: PicturesSectionProps) {
  if (count === 0) return null;
  const pictures = Array.from({ length: Math.min(count, MAX_SCREENSHOTS) }, (_, index) => ({
    source: picturePath(did, version, `/screenshotUrls/${index}`),
    alt: `Screenshot ${index + 1} provided by the publisher`,
  }));
  return (
    <LedgerSection title="Pictures" id="pictures" note={NOTE}>
      <ul className={`row ${styles.pictures}`}>
        {pictures.map((picture) => (
          <li key={picture.source}>
            <Picture {...picture} />
          </li>
        ))}
      </ul>
    </LedgerSection>
  );
}
