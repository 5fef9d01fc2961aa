import type { ContractErrorText } from "./contractErrorText.ts";
import { registryErrorTexts } from "./registryErrorTexts.ts";
import { resolverErrorTexts } from "./resolverErrorTexts.ts";

/** Messages of errors that the contracts inherit: ERC-6093 (ERC-721) and OpenZeppelin. */
const inheritedErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ERC721IncorrectOwner: {
    sentence: "{sender} does not hold token {tokenId}; {owner} does.",
    action: "Transfer from the holder's wallet.",
  },
  ERC721InsufficientApproval: {
    sentence: "{operator} isn't allowed to transfer token {tokenId}.",
    action: "Use the holder's wallet, or have the holder approve this one.",
  },
  ERC721InvalidApprover: {
    sentence: "{approver} isn't allowed to approve operators for this token.",
    action: "Use the holder's wallet.",
  },
  ERC721InvalidOperator: {
    sentence: "{operator} can't be an operator.",
    action: "Use the operator's address.",
  },
  ERC721InvalidOwner: {
    sentence: "{owner} can't hold a token.",
    action: "Use the address of an account.",
  },
  ERC721InvalidReceiver: {
    sentence: "{receiver} can't receive a token.",
    action: "Use a wallet, or a contract that accepts ERC-721 tokens.",
  },
  ERC721InvalidSender: {
    sentence: "{sender} can't send a token.",
    action: "Transfer from the holder's wallet.",
  },
  ERC721NonexistentToken: {
    sentence: "No record has token id {tokenId}.",
    action: "Check the token id and the network.",
  },
  OwnableInvalidOwner: {
    sentence: "{owner} can't own the resolver.",
    action: "Use the address of an account.",
  },
  OwnableUnauthorizedAccount: {
    sentence: "{account} is not the resolver's owner.",
    action: "Use the owner's wallet.",
  },
};

/** Messages of every custom error of the three contracts, by name. */
export const contractErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...registryErrorTexts,
  ...resolverErrorTexts,
  ...inheritedErrorTexts,
};
