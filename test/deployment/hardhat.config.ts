import { defineConfig } from "hardhat/config";
import config from "../../hardhat.config.ts";

/** The project's configuration, with Ignition's journals apart from those of anybody's deployments. */
export default defineConfig({
  ...config,
  paths: { ...config.paths, ignition: process.env.TEST_IGNITION_FOLDER ?? ".local/test-ignition" },
});
