// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

import {IResolver} from "../interfaces/IResolver.sol";
import {IssuerSet} from "../libraries/IssuerSet.sol";

/// @title What the owner of a resolver decides
/// @notice Who the issuers are, how long an attestation may live, and how long a newcomer waits.
abstract contract IssuerPolicy is IResolver, Ownable2Step {
    uint64 private constant _FIRST_MAX_TTL = 365 days;
    uint64 private constant _MIN_TTL = 1 days;
    uint64 private constant _MAX_TTL = 3650 days;
    uint64 private constant _MIN_MATURATION = 1 hours;
    uint64 private constant _MAX_MATURATION = 30 days;

    IssuerSet internal _issuers;

    /// @inheritdoc IResolver
    uint64 public maxTTL;
    /// @inheritdoc IResolver
    uint64 public maturation;

    /// @param owner_ Who authorises issuers and sets the limits.
    /// @param maturation_ Wait of a newcomer in seconds, 1 hour to 30 days.
    constructor(address owner_, uint64 maturation_) Ownable(owner_) {
        maxTTL = _FIRST_MAX_TTL;
        emit MaxTTLUpdated(0, _FIRST_MAX_TTL);
        _setMaturation(maturation_);
    }

    /// @inheritdoc IResolver
    function addIssuer(address issuer) external onlyOwner {
        uint256 epoch = _issuers.add(issuer, maxTTL);
        emit IssuerAdded(issuer, uint16(epoch));
    }

    /// @inheritdoc IResolver
    function removeIssuer(address issuer) external onlyOwner {
        _issuers.remove(issuer);
        emit IssuerRemoved(issuer);
    }

    /// @inheritdoc IResolver
    function setMaxTTL(uint64 newMaxTTL) external onlyOwner {
        if (newMaxTTL < _MIN_TTL || newMaxTTL > _MAX_TTL) {
            revert InvalidMaxTTL(newMaxTTL, _MIN_TTL, _MAX_TTL);
        }
        emit MaxTTLUpdated(maxTTL, newMaxTTL);
        maxTTL = newMaxTTL;
        _issuers.setMaxTTL(newMaxTTL);
    }

    /// @inheritdoc IResolver
    function setMaturation(uint64 newMaturation) external onlyOwner {
        _setMaturation(newMaturation);
    }

    /// @inheritdoc IResolver
    function isIssuer(address account) external view returns (bool) {
        return _issuers.seats[account].epoch() != 0;
    }

    /// @inheritdoc IResolver
    function issuerEpoch(address issuer) external view returns (uint32) {
        return uint32(_issuers.seats[issuer].epoch());
    }

    /// @inheritdoc IResolver
    function getIssuers() external view returns (address[] memory) {
        return _issuers.list();
    }

    /// @notice Refused: a resolver without an owner could never remove a rogue issuer.
    /// @dev Reverts with `RenounceRefused`.
    function renounceOwnership() public pure override {
        revert RenounceRefused();
    }

    /// @dev When an attestation expires that may live for `ttl` seconds; 0 stands for all of them.
    function _expiry(uint256 expiresAt, uint256 ttl) internal view returns (uint256) {
        uint256 latest = block.timestamp + ttl;
        if (expiresAt == 0) return latest;
        if (expiresAt <= block.timestamp) revert ExpiresInPast(uint64(expiresAt), uint64(block.timestamp));
        if (expiresAt > latest) revert ExpiresTooLate(uint64(expiresAt), uint64(latest));
        return expiresAt;
    }

    function _setMaturation(uint64 newMaturation) private {
        if (newMaturation < _MIN_MATURATION || newMaturation > _MAX_MATURATION) {
            revert InvalidMaturation(newMaturation, _MIN_MATURATION, _MAX_MATURATION);
        }
        emit MaturationUpdated(maturation, newMaturation);
        maturation = newMaturation;
    }
}
