/** Renders a host below its site. The subdomain is lighter: the site's owner can choose any text for it. */
export function SubdomainName({ name, site }: { name: string; site: string }) {
  const start = name.lastIndexOf(site);
  return (
    <>
      <span className="soft" style={{ fontWeight: 400 }}>
        {name.slice(0, start)}
      </span>
      <span style={{ display: "inline-block", maxWidth: "100%" }}>{name.slice(start)}</span>
    </>
  );
}
