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
    uint256 private constant _BY_HOLDER = 1 << 64;

    /// @inheritdoc IAppRegistry
    // solhint-disable-next-line immutable-vars-naming
    IResolver public immutable resolver;

    constructor(IResolver resolver_) {
        resolver = resolver_;
    }

    /// @inheritdoc IAppRegistry
    function openReclaim(string memory did, uint8 major) public {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        Record storage record = _records[tokenId];
        bool isByHolder = record.owner == msg.sender;
        _requireClaim(didHash, tokenId, isByHolder);
        if (_openClaim(tokenId, msg.sender) != 0) revert ReclaimAlreadyOpen(tokenId, msg.sender);
        record.claims |= isByHolder ? 3 : 1;
        uint256 flag = isByHolder ? _BY_HOLDER : 0;
        _claims[tokenId][msg.sender] = block.timestamp | flag | (_acts[tokenId] << 128);
        uint64 openedAt = uint64(block.timestamp);
        emit ReclaimOpened(tokenId, msg.sender, openedAt + _RECLAIM_DELAY, openedAt + _RECLAIM_LIFETIME);
    }

    /// @inheritdoc IAppRegistry
    function finishReclaim(string memory did, uint8 major) public {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        uint256 claim = _openClaim(tokenId, msg.sender);
        if (claim == 0) revert ReclaimNotOpen(tokenId, msg.sender);
        uint64 finishableFrom = uint64(claim) + _RECLAIM_DELAY;
        if (block.timestamp < finishableFrom) revert ReclaimNotFinishable(tokenId, finishableFrom);
        Record storage record = _records[tokenId];
        address holder = record.owner;
        _requireClaim(didHash, tokenId, claim & _BY_HOLDER != 0 && holder == msg.sender);
        delete _claims[tokenId][msg.sender];
        record.order = VersionOrder.Open;
        record.hasMinterLost = msg.sender != _minter(tokenId);
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
        uint64 openedAt = uint64(_openClaim(tokenId, claimant));
        if (openedAt != 0) return Reclaim(openedAt, openedAt + _RECLAIM_DELAY, openedAt + _RECLAIM_LIFETIME);
    }

    /// @inheritdoc IAppRegistry
    function hasMinterLost(string memory did, uint8 major) public view returns (bool) {
        return _records[_headByDID(did, major).tokenId()].hasMinterLost;
    }

    /// @dev Reverts unless the caller is the minter, the holder or an operator of the holder, and that minter or holder
    /// controls the DID. The minter passes only until another account finishes a reclaim. Ends the record's reclaims,
    /// except the holder's own if the act rests on the minter alone. Another controller of the DID passes only if
    /// `isRetiring`, and ends no reclaims.
    function _authorizeChange(bytes32 didHash, uint256 tokenId, bool isRetiring) internal {
        Record storage record = _records[tokenId];
        address holder = record.owner;
        bool actsForHolder = _isOwnerOrOperator(holder, msg.sender);
        bool restsOnHolder = actsForHolder && _controls(didHash, holder);
        if (!restsOnHolder) {
            bool isMinter = !record.hasMinterLost && msg.sender == _minter(tokenId);
            address incumbent = isMinter ? msg.sender : holder;
            if ((!isMinter && !actsForHolder) || !_controls(didHash, incumbent)) {
                if (isRetiring && _controls(didHash, msg.sender)) return;
                if (isMinter || actsForHolder) revert NotController(didHash, incumbent);
                revert NotAuthorized(tokenId, msg.sender);
            }
        }
        uint8 left = restsOnHolder ? 0 : record.claims & 2;
        if (record.claims == left) return;
        record.claims = left;
        unchecked {
            _acts[tokenId] += restsOnHolder ? (1 << 64) | 1 : 1;
        }
        emit ReclaimsDismissed(tokenId, msg.sender, restsOnHolder);
    }

    function _requireController(bytes32 didHash, address account) internal view {
        if (!_controls(didHash, account)) revert NotController(didHash, account);
    }

    function _controls(bytes32 didHash, address account) internal view returns (bool) {
        return resolver.checkDID(didHash, account);
    }

    /// @dev Reverts unless the caller controls the DID. Also reverts if the holder or the minter is another account
    /// that resists the reclaim. The minter does not resist a claim of the holder, or after it lost its part.
    function _requireClaim(bytes32 didHash, uint256 tokenId, bool isOfHolder) private view {
        _requireController(didHash, msg.sender);
        _requireNoResistance(didHash, tokenId, _records[tokenId].owner);
        if (isOfHolder || _records[tokenId].hasMinterLost) return;
        _requireNoResistance(didHash, tokenId, _minter(tokenId));
    }

    function _requireNoResistance(bytes32 didHash, uint256 tokenId, address account) private view {
        if (account != msg.sender && resolver.resistsReclaim(didHash, account)) {
            revert ReclaimContested(tokenId, account);
        }
    }

    /// @dev Returns a claimant's open reclaim as in `_claims`; 0 if it has none, or if the reclaim was ended or has
    /// expired.
    function _openClaim(uint256 tokenId, address claimant) private view returns (uint256 claim) {
        claim = _claims[tokenId][claimant];
        uint256 later = (claim >> 128) ^ _acts[tokenId];
        bool isOfHolder = claim & _BY_HOLDER != 0 && claimant == _records[tokenId].owner;
        bool isEnded = isOfHolder ? later >> 64 != 0 : later != 0;
        if (isEnded || block.timestamp >= uint64(claim) + _RECLAIM_LIFETIME) return 0;
    }

    function _minter(uint256 tokenId) private view returns (address) {
        return RecordBlob.readMinter(_blob(_records[tokenId].blob));
    }

    function _locate(string memory did, uint8 major) private view returns (bytes32 didHash, uint256 tokenId) {
        didHash = keccak256(bytes(did));
        tokenId = _head(didHash, major).tokenId();
    }
}
