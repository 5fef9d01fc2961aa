// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC165} from "@openzeppelin/contracts/interfaces/IERC165.sol";
import {IERC721} from "@openzeppelin/contracts/interfaces/IERC721.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC721Metadata} from "@openzeppelin/contracts/token/ERC721/extensions/IERC721Metadata.sol";
import {ERC721Utils} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Utils.sol";

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";
import {IdBitmap} from "../libraries/IdBitmap.sol";
import {RecordBlob} from "../libraries/RecordBlob.sol";
import {AppRecords} from "./AppRecords.sol";

/// @title Token of the App Registry
/// @notice ERC-721 on the registry's own storage, with OpenZeppelin's behaviour and errors. The owner is a field of the
/// record, and each holder's token ids are in a bitmap. Token ids are 1, 2, 3 …; no token is ever burned.
abstract contract AppToken is AppRecords, IERC721Errors {
    using IdBitmap for mapping(uint256 => uint256);

    struct Holder {
        uint256 balance;
        /// @dev See `IdBitmap`.
        mapping(uint256 word => uint256) tokenIds;
    }

    bytes4 private constant _ERC4906_INTERFACE_ID = 0x49064906;

    mapping(address owner => Holder) internal _holders;

    mapping(uint256 tokenId => address) private _approvals;

    /// @inheritdoc IERC721
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;

    /// @inheritdoc IERC721
    function approve(address to, uint256 tokenId) external {
        address owner = ownerOf(tokenId);
        if (!_isOwnerOrOperator(owner, msg.sender)) revert ERC721InvalidApprover(msg.sender);
        _approvals[tokenId] = to;
        emit Approval(owner, to, tokenId);
    }

    /// @inheritdoc IERC721
    function setApprovalForAll(address operator, bool approved) external {
        if (operator == address(0)) revert ERC721InvalidOperator(operator);
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    /// @inheritdoc IERC721
    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        safeTransferFrom(from, to, tokenId, "");
    }

    /// @inheritdoc IERC721
    function getApproved(uint256 tokenId) external view returns (address) {
        ownerOf(tokenId);
        return _approvals[tokenId];
    }

    /// @inheritdoc IERC721
    function balanceOf(address owner) external view returns (uint256) {
        if (owner == address(0)) revert ERC721InvalidOwner(owner);
        return _holders[owner].balance;
    }

    /// @notice Returns the dataUrl of a record.
    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        return RecordBlob.read(_blob(_records[tokenId].blob)).dataUrl;
    }

    /// @inheritdoc IAppRegistry
    function totalSupply() external view returns (uint256) {
        return _totals.supply();
    }

    /// @inheritdoc IAppRegistry
    function tokenByIndex(uint256 index) external view returns (uint256 tokenId) {
        unchecked {
            tokenId = index + 1;
        }
        _requireToken(tokenId);
    }

    /// @inheritdoc IERC721Metadata
    function name() external pure returns (string memory) {
        return "App Registry";
    }

    /// @inheritdoc IERC721Metadata
    function symbol() external pure returns (string memory) {
        return "APP";
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return
            interfaceId == _ERC4906_INTERFACE_ID ||
            interfaceId == type(IERC721).interfaceId ||
            interfaceId == type(IERC721Metadata).interfaceId ||
            interfaceId == type(IERC165).interfaceId;
    }

    /// @inheritdoc IERC721
    function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public {
        transferFrom(from, to, tokenId);
        ERC721Utils.checkOnERC721Received(msg.sender, from, to, tokenId, data);
    }

    /// @inheritdoc IERC721
    function transferFrom(address from, address to, uint256 tokenId) public {
        if (to == address(0)) revert ERC721InvalidReceiver(to);
        address owner = ownerOf(tokenId);
        if (!_isOwnerOrOperator(owner, msg.sender) && _approvals[tokenId] != msg.sender) {
            revert ERC721InsufficientApproval(msg.sender, tokenId);
        }
        if (owner != from) revert ERC721IncorrectOwner(from, tokenId, owner);
        _transfer(from, to, tokenId);
    }

    /// @inheritdoc IERC721
    function ownerOf(uint256 tokenId) public view returns (address owner) {
        owner = _records[tokenId].owner;
        if (owner == address(0)) revert ERC721NonexistentToken(tokenId);
    }

    /// @dev Moves a token to `to`, which must not be zero. A mint passes zero as `from`. Clears the approval without an
    /// `Approval` event.
    function _transfer(address from, address to, uint256 tokenId) internal {
        if (from != address(0)) {
            delete _approvals[tokenId];
            Holder storage former = _holders[from];
            former.tokenIds.toggle(tokenId);
            --former.balance;
        }
        _records[tokenId].owner = to;
        Holder storage holder = _holders[to];
        holder.tokenIds.toggle(tokenId);
        ++holder.balance;
        emit Transfer(from, to, tokenId);
    }

    /// @dev Returns true if `account` is the holder `owner` or one of its operators.
    function _isOwnerOrOperator(address owner, address account) internal view returns (bool) {
        return account == owner || isApprovedForAll[owner][account];
    }

    function _requireToken(uint256 tokenId) internal view {
        if (tokenId == 0 || tokenId > _totals.supply()) revert TokenNotFound(tokenId);
    }
}
