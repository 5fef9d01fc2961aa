// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../../../contracts/interfaces/IAppRegistry.sol";
import {RecordsTwin} from "./RecordsTwin.sol";

/// @dev How a record that nobody can change any more gets a holder again, by the rules of docs/control.md.
abstract contract ReclaimsTwin is RecordsTwin {
    /// @dev A record's open and void reclaims, one for each claimant.
    mapping(uint256 tokenId => mapping(address claimant => uint64)) private _openedAt;
    mapping(uint256 tokenId => mapping(address claimant => address)) private _holdersAtOpening;
    mapping(uint256 tokenId => address[]) private _claimants;

    function openReclaim(string calldata did, uint8 major) external {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        _refuseUnlessController(didHash);
        _refuseIfContested(tokenId, _owners[tokenId], _controls(didHash, _owners[tokenId]));
        address minter = _apps[tokenId].minter;
        _refuseIfContested(tokenId, minter, _controls(didHash, minter));
        _refuseIf(
            _isOpen(tokenId, msg.sender),
            abi.encodeWithSelector(IAppRegistry.ReclaimAlreadyOpen.selector, tokenId, msg.sender)
        );
        _settle();
        uint64 time = uint64(block.timestamp);
        _openedAt[tokenId][msg.sender] = time;
        _holdersAtOpening[tokenId][msg.sender] = _owners[tokenId];
        _claimants[tokenId].push(msg.sender);
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
        address formerHolder = _holdersAtOpening[tokenId][msg.sender];
        address[3] memory incumbents = [_owners[tokenId], _apps[tokenId].minter, formerHolder];
        for (uint256 i = 0; i < 3; ++i) {
            bool isBack = incumbents[i] != msg.sender && _isBack(didHash, incumbents[i], openedAt);
            _refuseIfContested(tokenId, incumbents[i], isBack);
        }
        _settle();
        for (uint256 i = 0; i < _claimants[tokenId].length; ++i) {
            delete _openedAt[tokenId][_claimants[tokenId][i]];
        }
        _mayLower[tokenId] = true;
        address previousOwner = _owners[tokenId];
        _move(msg.sender, tokenId);
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
        reclaim.voidFrom = reclaim.openedAt + 60 days;
    }

    function _refuseIfContested(uint256 tokenId, address account, bool isContested) private {
        _refuseIf(
            isContested,
            abi.encodeWithSelector(IAppRegistry.ReclaimContested.selector, tokenId, account)
        );
    }

    function _isOpen(uint256 tokenId, address claimant) private view returns (bool) {
        uint64 openedAt = _openedAt[tokenId][claimant];
        return openedAt > 0 && block.timestamp < openedAt + 60 days;
    }

    function _isBack(bytes32 didHash, address account, uint64 openedAt) private view returns (bool) {
        bool isAttested = resolver.getController(didHash, account).attested;
        bool isObjected = resolver.getController(didHash, account).objected;
        return resolver.countedSince(didHash, account, openedAt) || (isAttested && !isObjected);
    }
}
