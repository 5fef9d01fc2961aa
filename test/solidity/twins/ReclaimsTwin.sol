// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../../../contracts/interfaces/IAppRegistry.sol";
import {RecordsTwin} from "./RecordsTwin.sol";

/// @dev How a record that nobody can change any more gets a holder again, by the rules of docs/control.md.
abstract contract ReclaimsTwin is RecordsTwin {
    function openReclaim(string calldata did, uint8 major) external {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        _refuseUnlessController(didHash);
        _refuseIfContested(didHash, tokenId);
        IAppRegistry.Reclaim memory former = _reclaims[tokenId];
        _refuseIf(
            _isPending(didHash, former),
            abi.encodeWithSelector(IAppRegistry.ReclaimAlreadyOpen.selector, tokenId, former.claimant)
        );
        _settle();
        _endReclaim(tokenId);
        _reclaims[tokenId] = IAppRegistry.Reclaim(msg.sender, uint64(block.timestamp) + 30 days);
        emit IAppRegistry.ReclaimOpened(tokenId, msg.sender, uint64(block.timestamp) + 30 days);
    }

    function lapseReclaim(string calldata did, uint8 major) external {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        address claimant = _reclaims[tokenId].claimant;
        bool mayEnd = msg.sender == claimant || _incumbent(didHash, tokenId) != address(0);
        if (claimant == address(0) || !mayEnd) revert IAppRegistry.ReclaimNotOpen(tokenId);
        _endReclaim(tokenId);
    }

    function finishReclaim(string calldata did, uint8 major) external {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        IAppRegistry.Reclaim memory reclaim = _reclaims[tokenId];
        if (reclaim.claimant != msg.sender) revert IAppRegistry.ReclaimNotOpen(tokenId);
        _refuseUnlessController(didHash);
        _refuseIfContested(didHash, tokenId);
        _refuseIf(
            block.timestamp < reclaim.finishableAt,
            abi.encodeWithSelector(IAppRegistry.ReclaimNotFinishable.selector, tokenId, reclaim.finishableAt)
        );
        _refuseIf(
            !_isPending(didHash, reclaim),
            abi.encodeWithSelector(IAppRegistry.ReclaimNotOpen.selector, tokenId)
        );
        _settle();
        delete _reclaims[tokenId];
        address previousOwner = _owners[tokenId];
        _move(msg.sender, tokenId);
        emit IAppRegistry.ReclaimFinished(tokenId, msg.sender, previousOwner);
    }

    function getReclaim(
        string calldata did,
        uint8 major
    ) external view returns (IAppRegistry.Reclaim memory reclaim) {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        bool isOpen = _isPending(didHash, _reclaims[tokenId]) && _incumbent(didHash, tokenId) == address(0);
        if (isOpen) return _reclaims[tokenId];
    }

    function _refuseIfContested(bytes32 didHash, uint256 tokenId) private {
        address incumbent = _incumbent(didHash, tokenId);
        _refuseIf(
            incumbent != address(0),
            abi.encodeWithSelector(IAppRegistry.ReclaimContested.selector, tokenId, incumbent)
        );
    }

    function _isPending(bytes32 didHash, IAppRegistry.Reclaim memory reclaim) private view returns (bool) {
        return
            reclaim.claimant != address(0) &&
            block.timestamp < reclaim.finishableAt + 30 days &&
            _controls(didHash, reclaim.claimant);
    }

    function _incumbent(bytes32 didHash, uint256 tokenId) private view returns (address) {
        if (_controls(didHash, _owners[tokenId])) return _owners[tokenId];
        return _controls(didHash, _apps[tokenId].minter) ? _apps[tokenId].minter : address(0);
    }
}
