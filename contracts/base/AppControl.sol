// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";
import {IResolver} from "../interfaces/IResolver.sol";
import {RecordBlob} from "../libraries/RecordBlob.sol";
import {AppToken} from "./AppToken.sol";

/// @title Control of records
/// @notice Who may change a record, and how a controller reclaims a record that nobody can change.
abstract contract AppControl is AppToken {
    /// @dev From the opening of a reclaim until it can be finished.
    uint64 private constant _RECLAIM_DELAY = 30 days;
    /// @dev From the opening of a reclaim until it is void.
    uint64 private constant _RECLAIM_LIFETIME = 60 days;

    /// @inheritdoc IAppRegistry
    // solhint-disable-next-line immutable-vars-naming
    IResolver public immutable resolver;

    constructor(IResolver resolver_) {
        resolver = resolver_;
    }

    /// @inheritdoc IAppRegistry
    function openReclaim(string memory did, uint8 major) public {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        _requireController(didHash, msg.sender);
        (address holder, address minter) = _incumbents(tokenId);
        if (_controls(didHash, holder)) revert ReclaimContested(tokenId, holder);
        if (_controls(didHash, minter)) revert ReclaimContested(tokenId, minter);
        if (_reclaimOf(tokenId, msg.sender).openedAt != 0) revert ReclaimAlreadyOpen(tokenId, msg.sender);
        uint64 openedAt = uint64(block.timestamp);
        _reclaims[tokenId][_records[tokenId].reclaims][msg.sender] = OpenReclaim(openedAt, holder);
        emit ReclaimOpened(tokenId, msg.sender, openedAt + _RECLAIM_DELAY, openedAt + _RECLAIM_LIFETIME);
    }

    /// @inheritdoc IAppRegistry
    function finishReclaim(string memory did, uint8 major) public {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        OpenReclaim memory reclaim = _reclaimOf(tokenId, msg.sender);
        if (reclaim.openedAt == 0) revert ReclaimNotOpen(tokenId, msg.sender);
        uint64 finishableFrom = reclaim.openedAt + _RECLAIM_DELAY;
        if (block.timestamp < finishableFrom) revert ReclaimNotFinishable(tokenId, finishableFrom);
        _requireController(didHash, msg.sender);
        (address holder, address minter) = _incumbents(tokenId);
        _requireGone(didHash, tokenId, holder, reclaim.openedAt);
        _requireGone(didHash, tokenId, minter, reclaim.openedAt);
        // A holder who returned and then sold the token also ended the reclaim for the buyer.
        _requireGone(didHash, tokenId, reclaim.holder, reclaim.openedAt);
        _records[tokenId].order = VersionOrder.Open;
        ++_records[tokenId].reclaims;
        _move(holder, msg.sender, tokenId);
        emit ReclaimFinished(tokenId, msg.sender, holder);
    }

    /// @inheritdoc IAppRegistry
    function getReclaim(
        string memory did,
        uint8 major,
        address claimant
    ) public view returns (Reclaim memory reclaim) {
        (, uint256 tokenId) = _locate(did, major);
        uint64 openedAt = _reclaimOf(tokenId, claimant).openedAt;
        if (openedAt != 0) return Reclaim(openedAt, openedAt + _RECLAIM_DELAY, openedAt + _RECLAIM_LIFETIME);
    }

    /// @dev Reverts unless the caller is the minter, the holder or an operator of the holder, and that minter or holder
    /// controls the DID.
    function _authorizeChange(bytes32 didHash, uint256 tokenId) internal view {
        address holder = _records[tokenId].owner;
        bool actsForHolder = _actsFor(holder, msg.sender);
        if (actsForHolder && _controls(didHash, holder)) return;
        bool isMinter = msg.sender == _minterOf(tokenId);
        if (!isMinter && !actsForHolder) revert NotAuthorized(tokenId, msg.sender);
        _requireController(didHash, isMinter ? msg.sender : holder);
    }

    function _requireController(bytes32 didHash, address account) internal view {
        if (!_controls(didHash, account)) revert NotController(didHash, account);
    }

    function _controls(bytes32 didHash, address account) internal view returns (bool) {
        return resolver.checkDID(didHash, account);
    }

    /// @dev Reverts if `account` counted since the opening, or is attested with no objection in force. The claimant never
    /// blocks itself.
    function _requireGone(bytes32 didHash, uint256 tokenId, address account, uint64 openedAt) private view {
        if (account == msg.sender) return;
        IResolver.ControllerView memory controller = resolver.getController(didHash, account);
        bool isAttested = controller.attested && !controller.objected;
        if (isAttested || resolver.countedSince(didHash, account, openedAt)) {
            revert ReclaimContested(tokenId, account);
        }
    }

    /// @dev A claimant's reclaim; empty if there is none or it is void.
    function _reclaimOf(uint256 tokenId, address claimant) private view returns (OpenReclaim memory reclaim) {
        reclaim = _reclaims[tokenId][_records[tokenId].reclaims][claimant];
        if (block.timestamp >= reclaim.openedAt + _RECLAIM_LIFETIME) delete reclaim;
    }

    function _incumbents(uint256 tokenId) private view returns (address holder, address minter) {
        return (_records[tokenId].owner, _minterOf(tokenId));
    }

    function _minterOf(uint256 tokenId) private view returns (address) {
        return RecordBlob.minterOf(_blob(_records[tokenId].blob));
    }

    function _locate(string memory did, uint8 major) private view returns (bytes32 didHash, uint256 tokenId) {
        didHash = keccak256(bytes(did));
        tokenId = _head(didHash, major).tokenId();
    }
}
