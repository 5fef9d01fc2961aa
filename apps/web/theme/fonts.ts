import "@fontsource-variable/source-sans-3/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
