import { Button, Checkbox, createTheme, Radio } from "@mantine/core";

const onAccent = "var(--on-accent)";

/** What stands on the accent reads in both colour schemes: Mantine picks its own contrast for the light one only. */
export const formTheme = createTheme({
  components: {
    Button: Button.extend({
      vars: (_theme, { variant = "filled", disabled }) => ({
        root: variant === "filled" && !disabled ? { "--button-color": onAccent } : {},
      }),
    }),
    Checkbox: Checkbox.extend({ vars: () => ({ root: { "--checkbox-icon-color": onAccent } }) }),
    Radio: Radio.extend({ vars: () => ({ root: { "--radio-icon-color": onAccent } }) }),
  },
});
