import type { ReactNode } from "react";
import { ExternalLink } from "../../components/record/labels.tsx";
import { ToolPanel } from "../../components/record/ToolPanel.tsx";
import { visibleText } from "../../components/record/visibleText.ts";
import { LedgerSection } from "../../components/shell/shell.tsx";
import styles from "./service.module.css";
import type {
  PromptView,
  ResourceView,
  ServiceEndpoint,
  ServiceMetadata,
  SkillView,
} from "./serviceMetadata.ts";

/** Longer lists go on in the document itself. */
const MAX_ITEMS = 100;

function Group({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  return (
    <div className="stack">
      <h3 className="minor">
        {title} <span className="quiet">{count}</span>
      </h3>
      {children}
      {count > MAX_ITEMS ? (
        <p className="quiet">{count - MAX_ITEMS} more stand in the metadata document.</p>
      ) : null}
    </div>
  );
}

function Resources({ resources }: { resources: ResourceView[] }) {
  return (
    <ul className="ruled">
      {resources.slice(0, MAX_ITEMS).map((resource) => (
        <li key={resource.uri}>
          <p className="row anywhere">
            <code>{visibleText(resource.uri)}</code>
            {resource.mimeType === undefined ? null : (
              <span className="quiet">{visibleText(resource.mimeType)}</span>
            )}
          </p>
          <p className="prose soft">
            <bdi>{visibleText([resource.name, resource.description].filter(Boolean).join(": "))}</bdi>
          </p>
        </li>
      ))}
    </ul>
  );
}

function Prompts({ prompts }: { prompts: PromptView[] }) {
  return (
    <ul className="ruled">
      {prompts.slice(0, MAX_ITEMS).map((prompt) => (
        <li key={prompt.name}>
          <p className="row anywhere">
            <code className="strong">{visibleText(prompt.name)}</code>
          </p>
          {prompt.description === undefined ? null : (
            <p className="prose soft">
              <bdi>{visibleText(prompt.description)}</bdi>
            </p>
          )}
          {prompt.arguments.map((argument) => (
            <p key={argument.name} className={styles.argument}>
              <code>{visibleText(argument.name)}</code>
              <span className="quiet">{argument.required ? "required" : "optional"}</span>
              <bdi>{visibleText(argument.description ?? "")}</bdi>
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Skills({ skills }: { skills: SkillView[] }) {
  return (
    <ul className="ruled">
      {skills.slice(0, MAX_ITEMS).map((skill) => (
        <li key={skill.name}>
          <p className="strong">
            <bdi>{visibleText(skill.name)}</bdi>
          </p>
          <p className="prose soft">
            <bdi>{visibleText(skill.description ?? "")}</bdi>
          </p>
        </li>
      ))}
    </ul>
  );
}

function EndpointOffers({ endpoint }: { endpoint: ServiceEndpoint }) {
  const { tools, resources, prompts, skills } = endpoint;
  return (
    <>
      {tools.length > 0 ? (
        <Group title="Tools" count={tools.length}>
          <div>
            {tools.slice(0, MAX_ITEMS).map((tool) => (
              <ToolPanel key={tool.name} tool={tool} />
            ))}
          </div>
        </Group>
      ) : null}
      {skills.length > 0 ? (
        <Group title="Skills" count={skills.length}>
          <Skills skills={skills} />
        </Group>
      ) : null}
      {resources.length > 0 ? (
        <Group title="Resources" count={resources.length}>
          <Resources resources={resources} />
        </Group>
      ) : null}
      {prompts.length > 0 ? (
        <Group title="Prompts" count={prompts.length}>
          <Prompts prompts={prompts} />
        </Group>
      ) : null}
    </>
  );
}

function offersAnything(metadata: ServiceMetadata): boolean {
  const lists = [metadata.screenshotUrls, metadata.videoUrls, metadata.threeDAssetUrls];
  const ofEndpoints = metadata.endpoints.flatMap((endpoint) => [
    endpoint.tools,
    endpoint.resources,
    endpoint.prompts,
    endpoint.skills,
  ]);
  return [...lists, ...ofEndpoints].some((items) => items.length > 0) || metadata.portalUrl !== undefined;
}

/** What a service offers: tools, skills, resources and prompts of its endpoints, and pictures of it, as links. */
export function OffersSection({ metadata }: { metadata: ServiceMetadata }) {
  if (!offersAnything(metadata)) return null;
  return (
    <LedgerSection title="What it offers" id="offers" note="As its publisher describes it.">
      <div className="stack3">
        {metadata.endpoints.map((endpoint, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: endpoints may share a name and an address
          <EndpointOffers key={index} endpoint={endpoint} />
        ))}
        <MediaLinks metadata={metadata} />
      </div>
    </LedgerSection>
  );
}

function numbered(item: string, urls: string[]): { text: string; url: string }[] {
  return urls.map((url, index) => ({ text: urls.length === 1 ? item : `${item} ${index + 1}`, url }));
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/**
 * Pictures, videos and models of a service as links. They are not loaded here: their host would learn who looks,
 * and they are not part of what is hashed.
 */
function MediaLinks({ metadata }: { metadata: ServiceMetadata }) {
  const links = [
    ...numbered("Screenshot", metadata.screenshotUrls),
    ...numbered("Video", metadata.videoUrls),
    ...numbered("3D asset", metadata.threeDAssetUrls),
    ...numbered("Icon", metadata.imageUrl === undefined ? [] : [metadata.imageUrl]),
    ...numbered("Portal", metadata.portalUrl === undefined ? [] : [metadata.portalUrl]),
  ];
  if (links.length === 0) return null;
  return (
    <div>
      <h3 className="minor">Pictures and media</h3>
      <ol className="bar">
        {links.map(({ text, url }) => (
          <li key={text} className={styles.mediaLinksFrame}>
            <ExternalLink url={url} text={text} />
            <span className={styles.host}>{visibleText(hostOf(url))}</span>
          </li>
        ))}
      </ol>
      <p className="quiet">
        These are links: loading them here would tell their hosts who looks at this record.
      </p>
    </div>
  );
}
