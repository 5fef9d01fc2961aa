export { ServiceRoute as default } from "../../../../../features/service/ServicePage.tsx";
export { generateMetadata } from "../../../../../features/service/sharing.tsx";
