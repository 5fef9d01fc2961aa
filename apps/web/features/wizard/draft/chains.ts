/** Names of well-known chains by CAIP-2 id, offered as suggestions. Users may enter any other id. */
export const chainNames: Readonly<Record<string, string>> = {
  "eip155:1": "Ethereum",
  "eip155:8453": "Base",
  "eip155:137": "Polygon",
  "eip155:42161": "Arbitrum One",
  "eip155:10": "OP Mainnet",
  "eip155:43114": "Avalanche",
  "eip155:56": "BNB Smart Chain",
  "eip155:100": "Gnosis",
  "eip155:59144": "Linea Mainnet",
  "eip155:42220": "Celo",
  "eip155:11155111": "Sepolia",
  "eip155:84532": "Base Sepolia",
  "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "Solana",
};
