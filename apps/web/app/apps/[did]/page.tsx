export { generateMetadata, ServiceRoute as default } from "../../../features/service/ServicePage.tsx";
