export { generateMetadata, ServiceRoute as default } from "../../../../../features/service/ServiceRoute.tsx";
