// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";
import {IResolver} from "../interfaces/IResolver.sol";
import {RecordBlob} from "../libraries/RecordBlob.sol";
import {AppToken} from "./AppToken.sol";

/// @title Control of records
/// @notice Who may change a record, and how one that nobody can change any more gets a holder again.
abstract contract AppControl is AppToken {
    /// @dev From the opening of a reclaim to the first moment at which it can be finished.
    uint256 private constant _RECLAIM_DELAY = 30 days;
    /// @dev Time to finish a reclaim in; then another controller may open one.
    uint256 private constant _RECLAIM_WINDOW = 30 days;

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
        _requireUncontested(didHash, tokenId);
        Reclaim storage reclaim = _reclaims[tokenId];
        if (_isPending(didHash, reclaim)) revert ReclaimAlreadyOpen(tokenId, reclaim.claimant);
        if (reclaim.claimant != address(0)) _endReclaim(tokenId);
        uint64 finishableAt;
        unchecked {
            finishableAt = uint64(block.timestamp + _RECLAIM_DELAY);
        }
        reclaim.claimant = msg.sender;
        reclaim.finishableAt = finishableAt;
        _records[tokenId].hasReclaim = true;
        emit ReclaimOpened(tokenId, msg.sender, finishableAt);
    }

    /// @inheritdoc IAppRegistry
    function lapseReclaim(string memory did, uint8 major) public {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        address claimant = _reclaims[tokenId].claimant;
        bool mayLapse = claimant == msg.sender || _incumbent(didHash, tokenId) != address(0);
        if (claimant == address(0) || !mayLapse) revert ReclaimNotOpen(tokenId);
        _endReclaim(tokenId);
    }

    /// @inheritdoc IAppRegistry
    function finishReclaim(string memory did, uint8 major) public {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        Reclaim storage reclaim = _reclaims[tokenId];
        if (reclaim.claimant != msg.sender || _isVoid(reclaim)) revert ReclaimNotOpen(tokenId);
        _requireController(didHash, msg.sender);
        _requireUncontested(didHash, tokenId);
        if (block.timestamp < reclaim.finishableAt)
            revert ReclaimNotFinishable(tokenId, reclaim.finishableAt);
        _clearReclaim(tokenId);
        _records[tokenId].order = VersionOrder.Open;
        address previousOwner = _records[tokenId].owner;
        _move(previousOwner, msg.sender, tokenId);
        emit ReclaimFinished(tokenId, msg.sender, previousOwner);
    }

    /// @inheritdoc IAppRegistry
    function getReclaim(string memory did, uint8 major) public view returns (Reclaim memory reclaim) {
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        Reclaim storage stored = _reclaims[tokenId];
        if (_isPending(didHash, stored) && _incumbent(didHash, tokenId) == address(0)) return stored;
    }

    /// @dev Lets the caller change a record: as its minter, its holder, or an operator of its holder, while that
    /// minter or holder controls the DID. Their return ends a reclaim.
    function _authorizeChange(bytes32 didHash, uint256 tokenId) internal {
        address holder = _records[tokenId].owner;
        bool actsForHolder = _actsFor(holder, msg.sender);
        if (!actsForHolder || !_controls(didHash, holder)) {
            bool isMinter = msg.sender == _minterOf(tokenId);
            if (!isMinter && !actsForHolder) revert NotAuthorized(tokenId, msg.sender);
            _requireController(didHash, isMinter ? msg.sender : holder);
        }
        if (_records[tokenId].hasReclaim) _endReclaim(tokenId);
    }

    function _requireController(bytes32 didHash, address account) internal view {
        if (!_controls(didHash, account)) revert NotController(didHash, account);
    }

    function _controls(bytes32 didHash, address account) internal view returns (bool) {
        return resolver.checkDID(didHash, account);
    }

    function _requireUncontested(bytes32 didHash, uint256 tokenId) private view {
        address incumbent = _incumbent(didHash, tokenId);
        if (incumbent != address(0)) revert ReclaimContested(tokenId, incumbent);
    }

    /// @dev The holder or the minter, whichever controls the DID; zero when neither does.
    function _incumbent(bytes32 didHash, uint256 tokenId) private view returns (address) {
        address holder = _records[tokenId].owner;
        if (_controls(didHash, holder)) return holder;
        address minter = _minterOf(tokenId);
        return minter != holder && _controls(didHash, minter) ? minter : address(0);
    }

    /// @dev Whether a reclaim keeps others from opening one.
    function _isPending(bytes32 didHash, Reclaim storage reclaim) private view returns (bool) {
        return reclaim.claimant != address(0) && !_isVoid(reclaim) && _controls(didHash, reclaim.claimant);
    }

    /// @dev Whether the time to finish a reclaim is over.
    function _isVoid(Reclaim storage reclaim) private view returns (bool) {
        unchecked {
            return block.timestamp >= uint256(reclaim.finishableAt) + _RECLAIM_WINDOW;
        }
    }

    function _endReclaim(uint256 tokenId) private {
        emit ReclaimLapsed(tokenId, _reclaims[tokenId].claimant);
        _clearReclaim(tokenId);
    }

    function _clearReclaim(uint256 tokenId) private {
        delete _reclaims[tokenId];
        _records[tokenId].hasReclaim = false;
    }

    function _minterOf(uint256 tokenId) private view returns (address) {
        return RecordBlob.minterOf(_blob(_records[tokenId].blob));
    }

    function _locate(string memory did, uint8 major) private view returns (bytes32 didHash, uint256 tokenId) {
        didHash = keccak256(bytes(did));
        tokenId = _head(didHash, major).tokenId();
    }
}
