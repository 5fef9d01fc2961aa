// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title Token receiver whose response the sender chooses
/// @notice The response depends on the first byte of the data, modulo 5: 0 (or no data) accepts, 1 returns another
/// selector, 2 reverts with an error, 3 reverts without a reason, 4 panics.
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
        uint256 answer = data.length == 0 ? 0 : uint8(data[0]) % 5;
        if (answer == 1) return bytes4(0xffffffff);
        if (answer == 2) revert TransferRefused(operator, from, tokenId, data);
        // solhint-disable-next-line gas-custom-errors, reason-string
        if (answer == 3) revert();
        assert(answer != 4);
        return this.onERC721Received.selector;
    }
}
