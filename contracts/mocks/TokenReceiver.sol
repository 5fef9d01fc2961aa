// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title Token receiver whose response the sender chooses
/// @notice Refuses the token if the data begins with another byte than zero.
contract TokenReceiver is IERC721Receiver {
    /// @notice The receiver refused the token. `data` is the data of the transfer.
    error TransferRefused(address operator, address from, uint256 tokenId, bytes data);

    /// @inheritdoc IERC721Receiver
    function onERC721Received(
        address operator,
        address from,
        uint256 tokenId,
        bytes calldata data
    ) external pure returns (bytes4) {
        if (data.length > 0 && data[0] != 0) revert TransferRefused(operator, from, tokenId, data);
        return this.onERC721Received.selector;
    }
}
