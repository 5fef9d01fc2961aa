import theme from "vitepress/theme-without-fonts";
// After the theme, whose values they replace.
import "../../../apps/web/theme/fonts.ts";
import "../../../apps/web/theme/tokens.css";
import "./colors.css";

export default theme;
