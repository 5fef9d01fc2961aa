// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC165} from "@openzeppelin/contracts/interfaces/IERC165.sol";
import {IERC721} from "@openzeppelin/contracts/interfaces/IERC721.sol";
import {IERC721Metadata} from "@openzeppelin/contracts/token/ERC721/extensions/IERC721Metadata.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";
import {IdBitmap} from "../libraries/IdBitmap.sol";
import {RecordBlob} from "../libraries/RecordBlob.sol";
import {AppRecords} from "./AppRecords.sol";

/// @title Token of the App Registry
/// @notice OpenZeppelin's ERC-721 over the registry's own storage: the owner stands in the record's word, and each
/// holder's token ids in a bitmap. Token ids are 1, 2, 3 …; no token is ever burned.
abstract contract AppToken is AppRecords, ERC721 {
    using IdBitmap for uint256[1 << 26];

    struct Holder {
        uint256 balance;
        /// @dev See `IdBitmap`.
        uint256[1 << 26] tokenIds;
    }

    bytes4 private constant _ERC4906_INTERFACE_ID = 0x49064906;

    mapping(address owner => Holder) internal _holders;

    /// @dev OpenZeppelin would keep name and symbol in storage; here they are code, see below.
    constructor() ERC721("", "") {}

    /// @inheritdoc IERC721Metadata
    function name() public pure override(ERC721, IERC721Metadata) returns (string memory) {
        return "App Registry";
    }

    /// @inheritdoc IERC721Metadata
    function symbol() public pure override(ERC721, IERC721Metadata) returns (string memory) {
        return "APP";
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) public view override(ERC721, IERC165) returns (bool) {
        return interfaceId == _ERC4906_INTERFACE_ID || super.supportsInterface(interfaceId);
    }

    /// @inheritdoc IERC721
    function balanceOf(address owner) public view override(ERC721, IERC721) returns (uint256) {
        if (owner == address(0)) revert ERC721InvalidOwner(owner);
        return _holders[owner].balance;
    }

    /// @notice The dataUrl of a record.
    function tokenURI(uint256 tokenId) public view override(ERC721, IERC721Metadata) returns (string memory) {
        _requireOwned(tokenId);
        return RecordBlob.read(_blob(_records[tokenId].blob)).dataUrl;
    }

    /// @inheritdoc IAppRegistry
    function totalSupply() external view returns (uint256) {
        return _totals.supply();
    }

    /// @inheritdoc IAppRegistry
    function tokenByIndex(uint256 index) external view returns (uint256 tokenId) {
        tokenId = index + 1;
        if (tokenId > _totals.supply()) revert TokenNotFound(tokenId);
    }

    function _ownerOf(uint256 tokenId) internal view override returns (address) {
        return _records[tokenId].owner;
    }

    /// @dev As OpenZeppelin's, but for the storage; `to` is never zero.
    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        Record storage record = _records[tokenId];
        from = record.owner;
        if (auth != address(0)) _checkAuthorized(from, auth, tokenId);
        if (from != address(0)) {
            _approve(address(0), tokenId, address(0), false);
            _holders[from].tokenIds.toggle(tokenId);
            unchecked {
                --_holders[from].balance;
            }
        }
        record.owner = to;
        _holders[to].tokenIds.toggle(tokenId);
        unchecked {
            ++_holders[to].balance;
        }
        emit Transfer(from, to, tokenId);
    }
}
