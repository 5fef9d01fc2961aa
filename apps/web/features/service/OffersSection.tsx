import { visibleText } from "@app-registry/sdk";
import type { ReactNode } from "react";
import { ToolPanel } from "../../components/record/ToolPanel.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import type { ServiceEndpoint, ServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import type { ResolveLink } from "./createLinkResolver.ts";
import { PlacedLink } from "./PlacedLink.tsx";
import styles from "./service.module.css";

/** Maximum number of items in a list. The document has all. */
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
  return (
    <div className="stack">
      <h3 className="minor">
        {title} <span className="quiet">{count}</span>
      </h3>
      <List className="ruled">{items.slice(0, MAX_ITEMS).map(children)}</List>
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

function EndpointOffers({ endpoint }: { endpoint: ServiceEndpoint }) {
  const { tools, resources, prompts, skills } = endpoint;
  return (
    <>
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
        {({ uri, name, description, mimeType }) => (
          <li key={uri}>
            <Offer
              name={<code>{visibleText(uri)}</code>}
              note={mimeType}
              text={[name, description].filter(Boolean).join(": ")}
            />
          </li>
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
              <p key={argument.name} className={`row soft ${styles.argument}`}>
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

function offersAnything({ endpoints, videoUrls, threeDAssetUrls, portalUrl }: ServiceMetadata) {
  const ofEndpoints = endpoints.flatMap(({ tools, resources, prompts, skills }) => [
    ...tools,
    ...resources,
    ...prompts,
    ...skills,
  ]);
  const media = [...videoUrls, ...threeDAssetUrls];
  return ofEndpoints.length > 0 || media.length > 0 || portalUrl !== undefined;
}

/** Lists a service's tools, skills, resources and prompts, and its media as links. */
export function OffersSection({ metadata, placeOf }: { metadata: ServiceMetadata; placeOf: ResolveLink }) {
  if (!offersAnything(metadata)) return null;
  return (
    <LedgerSection title="Capabilities" id="offers" note="As described by the publisher. Not verified.">
      <div className="stack3">
        {metadata.endpoints.map((endpoint, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: endpoints may share a name and an address
          <EndpointOffers key={index} endpoint={endpoint} />
        ))}
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
          <li key={text} className={styles.mediaLinksFrame}>
            <PlacedLink url={url} text={text} placeOf={placeOf} />
          </li>
        ))}
      </ol>
      <p className="quiet">Shown as links, so that their hosts don't learn that you viewed this record.</p>
    </div>
  );
}
