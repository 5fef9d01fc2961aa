import { useMediaQuery } from "@mantine/hooks";

/** Returns true if the form's columns are shown side by side. */
export const useIsWide = () => useMediaQuery("(min-width: 960px)", true, { getInitialValueInEffect: false });
