import { useMediaQuery } from "@mantine/hooks";

/** Whether the form's columns stand beside each other. */
export const useIsWide = () => useMediaQuery("(min-width: 960px)", true, { getInitialValueInEffect: false });
