// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";
import {IResolver} from "../interfaces/IResolver.sol";
import {RecordBlob} from "../libraries/RecordBlob.sol";
import {AppToken} from "./AppToken.sol";

/// @title Control of records
/// @notice Decides who may change a record, and lets a controller of the DID reclaim a record whose minter and holder
/// lost control.
abstract contract AppControl is AppToken {
    /// @dev Time from the opening of a reclaim until it can be finished, in seconds.
    uint64 private constant _RECLAIM_DELAY = 30 days;
    /// @dev Time from the opening of a reclaim until it expires, in seconds.
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
        _requireClaim(didHash, tokenId);
        if (_reclaimOpenedAt(tokenId, msg.sender) != 0) revert ReclaimAlreadyOpen(tokenId, msg.sender);
        Record storage record = _records[tokenId];
        record.reclaimRound |= 1;
        _reclaims[tokenId][record.reclaimRound][msg.sender] = block.timestamp;
        uint64 openedAt = uint64(block.timestamp);
        emit ReclaimOpened(tokenId, msg.sender, openedAt + _RECLAIM_DELAY, openedAt + _RECLAIM_LIFETIME);
    }

    /// @inheritdoc IAppRegistry
    function finishReclaim(string memory did, uint8 major) public {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        uint64 openedAt = _reclaimOpenedAt(tokenId, msg.sender);
        if (openedAt == 0) revert ReclaimNotOpen(tokenId, msg.sender);
        uint64 finishableFrom = openedAt + _RECLAIM_DELAY;
        if (block.timestamp < finishableFrom) revert ReclaimNotFinishable(tokenId, finishableFrom);
        _requireClaim(didHash, tokenId);
        Record storage record = _records[tokenId];
        delete _reclaims[tokenId][record.reclaimRound][msg.sender];
        record.order = VersionOrder.Open;
        address holder = record.owner;
        _transfer(holder, msg.sender, tokenId);
        emit ReclaimFinished(tokenId, msg.sender, holder);
    }

    /// @inheritdoc IAppRegistry
    function dismissReclaims(string memory did, uint8 major) public {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        _authorizeChange(didHash, tokenId, false);
    }

    /// @inheritdoc IAppRegistry
    function getReclaim(
        string memory did,
        uint8 major,
        address claimant
    ) public view returns (Reclaim memory reclaim) {
        (, uint256 tokenId) = _locate(did, major);
        uint64 openedAt = _reclaimOpenedAt(tokenId, claimant);
        if (openedAt != 0) return Reclaim(openedAt, openedAt + _RECLAIM_DELAY, openedAt + _RECLAIM_LIFETIME);
    }

    /// @dev Reverts unless the caller is the minter, the holder or an operator of the holder, and that minter or holder
    /// controls the DID. Ends the record's reclaims. Another controller of the DID passes only if `isRetiring`, and
    /// ends no reclaims.
    function _authorizeChange(bytes32 didHash, uint256 tokenId, bool isRetiring) internal {
        Record storage record = _records[tokenId];
        address holder = record.owner;
        bool actsForHolder = _isOwnerOrOperator(holder, msg.sender);
        if (!actsForHolder || !_controls(didHash, holder)) {
            bool isMinter = msg.sender == _minter(tokenId);
            address incumbent = isMinter ? msg.sender : holder;
            if ((!isMinter && !actsForHolder) || !_controls(didHash, incumbent)) {
                if (isRetiring && _controls(didHash, msg.sender)) return;
                if (isMinter || actsForHolder) revert NotController(didHash, incumbent);
                revert NotAuthorized(tokenId, msg.sender);
            }
        }
        if (record.reclaimRound % 2 == 0) return;
        unchecked {
            ++record.reclaimRound;
        }
        emit ReclaimsDismissed(tokenId, msg.sender);
    }

    function _requireController(bytes32 didHash, address account) internal view {
        if (!_controls(didHash, account)) revert NotController(didHash, account);
    }

    function _controls(bytes32 didHash, address account) internal view returns (bool) {
        return resolver.checkDID(didHash, account);
    }

    /// @dev Reverts unless the caller controls the DID. Also reverts if the holder or the minter is another account
    /// that resists the reclaim.
    function _requireClaim(bytes32 didHash, uint256 tokenId) private view {
        _requireController(didHash, msg.sender);
        _requireNoResistance(didHash, tokenId, _records[tokenId].owner);
        _requireNoResistance(didHash, tokenId, _minter(tokenId));
    }

    function _requireNoResistance(bytes32 didHash, uint256 tokenId, address account) private view {
        if (account != msg.sender && resolver.resistsReclaim(didHash, account)) {
            revert ReclaimContested(tokenId, account);
        }
    }

    /// @dev Returns the time at which a claimant opened its reclaim; 0 if it has no reclaim or the reclaim has expired.
    function _reclaimOpenedAt(uint256 tokenId, address claimant) private view returns (uint64 openedAt) {
        uint256 round = _records[tokenId].reclaimRound;
        openedAt = uint64(_reclaims[tokenId][round][claimant]);
        if (block.timestamp >= openedAt + _RECLAIM_LIFETIME) return 0;
    }

    function _minter(uint256 tokenId) private view returns (address) {
        return RecordBlob.readMinter(_blob(_records[tokenId].blob));
    }

    function _locate(string memory did, uint8 major) private view returns (bytes32 didHash, uint256 tokenId) {
        didHash = keccak256(bytes(did));
        tokenId = _head(didHash, major).tokenId();
    }
}
