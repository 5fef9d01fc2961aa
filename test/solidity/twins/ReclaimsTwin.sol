// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../../../contracts/interfaces/IAppRegistry.sol";
import {RecordsTwin} from "./RecordsTwin.sol";

/// @dev Implements reclaims by the rules of docs/control.md.
abstract contract ReclaimsTwin is RecordsTwin {
    /// @dev Time of the opening of a record's last reclaim of each claimant, including expired ones.
    mapping(uint256 tokenId => mapping(address claimant => uint64)) private _openedAt;
    mapping(uint256 tokenId => address[]) private _claimants;
    /// @dev True if a reclaim was opened since the last change by the minter or holder.
    mapping(uint256 tokenId => bool) private _mayBeReclaimed;

    function openReclaim(string calldata did, uint8 major) external {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        _refuseUnlessController(didHash);
        _refuseIfResisted(didHash, tokenId);
        _refuseIf(
            _isOpen(tokenId, msg.sender),
            abi.encodeWithSelector(IAppRegistry.ReclaimAlreadyOpen.selector, tokenId, msg.sender)
        );
        _revertIfRefused();
        uint64 time = uint64(block.timestamp);
        _openedAt[tokenId][msg.sender] = time;
        _claimants[tokenId].push(msg.sender);
        _mayBeReclaimed[tokenId] = true;
        emit IAppRegistry.ReclaimOpened(tokenId, msg.sender, time + 30 days, time + 60 days);
    }

    function finishReclaim(string calldata did, uint8 major) external {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        if (!_isOpen(tokenId, msg.sender)) revert IAppRegistry.ReclaimNotOpen(tokenId, msg.sender);
        uint64 openedAt = _openedAt[tokenId][msg.sender];
        _refuseIf(
            block.timestamp < openedAt + 30 days,
            abi.encodeWithSelector(IAppRegistry.ReclaimNotFinishable.selector, tokenId, openedAt + 30 days)
        );
        _refuseUnlessController(didHash);
        _refuseIfResisted(didHash, tokenId);
        _revertIfRefused();
        delete _openedAt[tokenId][msg.sender];
        _mayLower[tokenId] = true;
        address previousOwner = _owners[tokenId];
        _transfer(msg.sender, tokenId);
        emit IAppRegistry.ReclaimFinished(tokenId, msg.sender, previousOwner);
    }

    function getReclaim(
        string calldata did,
        uint8 major,
        address claimant
    ) external view returns (IAppRegistry.Reclaim memory reclaim) {
        (, uint256 tokenId) = _locate(did, major);
        if (!_isOpen(tokenId, claimant)) return reclaim;
        reclaim.openedAt = _openedAt[tokenId][claimant];
        reclaim.finishableFrom = reclaim.openedAt + 30 days;
        reclaim.expiresAt = reclaim.openedAt + 60 days;
    }

    function dismissReclaims(string calldata did, uint8 major) external {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        _refuseUnlessAuthorized(didHash, tokenId);
        _revertIfRefused();
        _act(tokenId);
    }

    /// @dev Ends all reclaims of a record.
    function _act(uint256 tokenId) internal override {
        if (!_mayBeReclaimed[tokenId]) return;
        _mayBeReclaimed[tokenId] = false;
        for (uint256 i = 0; i < _claimants[tokenId].length; ++i) {
            delete _openedAt[tokenId][_claimants[tokenId][i]];
        }
        emit IAppRegistry.ReclaimsDismissed(tokenId, msg.sender);
    }

    function _refuseIfResisted(bytes32 didHash, uint256 tokenId) private {
        address[2] memory incumbents = [_owners[tokenId], _apps[tokenId].minter];
        for (uint256 i = 0; i < 2; ++i) {
            bool isContested = incumbents[i] != msg.sender && resolver.resistsReclaim(didHash, incumbents[i]);
            _refuseIf(
                isContested,
                abi.encodeWithSelector(IAppRegistry.ReclaimContested.selector, tokenId, incumbents[i])
            );
        }
    }

    function _isOpen(uint256 tokenId, address claimant) private view returns (bool) {
        uint64 openedAt = _openedAt[tokenId][claimant];
        return openedAt > 0 && block.timestamp < openedAt + 60 days;
    }
}
