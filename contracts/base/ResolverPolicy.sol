// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IResolver} from "../interfaces/IResolver.sol";
import {Issuers} from "../libraries/Issuers.sol";

/// @title What the owner of a resolver decides
/// @notice The issuers, the longest lifetime of an attestation, the maturation and the challenge period.
abstract contract ResolverPolicy is IResolver, Ownable2Step {
    uint64 private constant _FIRST_MAX_TTL = 365 days;
    uint64 private constant _MIN_TTL = 1 days;
    uint64 private constant _MAX_TTL = 3650 days;
    uint64 private constant _MIN_MATURATION = 1 hours;
    uint64 private constant _MAX_MATURATION = 30 days;
    uint64 private constant _FIRST_CHALLENGE_PERIOD = 7 days;
    uint64 private constant _MIN_CHALLENGE_PERIOD = 2 days;
    uint64 private constant _MAX_CHALLENGE_PERIOD = 60 days;

    Issuers internal _issuers;

    /// @inheritdoc IResolver
    uint64 public maxTTL;
    /// @inheritdoc IResolver
    uint64 public maturation;
    /// @inheritdoc IResolver
    uint64 public challengePeriod;
    /// @dev The latest expiry that anybody could write while `maxTTL` was longer; 0 if it never was.
    uint64 private _earlierLatestExpiry;

    /// @param owner_ Who authorises issuers and sets the limits.
    /// @param maturation_ Time until a newcomer's attestation settles, in seconds, 1 hour to 30 days.
    constructor(address owner_, uint64 maturation_) Ownable(owner_) {
        maxTTL = _FIRST_MAX_TTL;
        emit MaxTTLUpdated(0, _FIRST_MAX_TTL);
        challengePeriod = _FIRST_CHALLENGE_PERIOD;
        emit ChallengePeriodUpdated(0, _FIRST_CHALLENGE_PERIOD);
        _setMaturation(maturation_);
    }

    /// @inheritdoc IResolver
    function addIssuer(address issuer) external onlyOwner {
        _issuers.add(issuer, maxTTL, maturation);
        emit IssuerAdded(issuer);
    }

    /// @inheritdoc IResolver
    function retireIssuer(address issuer) external onlyOwner {
        _issuers.retire(issuer, _latestExpiry());
        emit IssuerRetired(issuer);
    }

    /// @inheritdoc IResolver
    function distrustIssuer(address issuer, uint64 since) external onlyOwner {
        _issuers.distrust(issuer, since, _latestExpiry());
        emit IssuerDistrusted(issuer, since);
    }

    /// @inheritdoc IResolver
    function setMaxTTL(uint64 newMaxTTL) external onlyOwner {
        uint64 min = uint64(Math.max(_MIN_TTL, maturation + 1));
        if (newMaxTTL < min || newMaxTTL > _MAX_TTL) revert InvalidMaxTTL(newMaxTTL, min, _MAX_TTL);
        _earlierLatestExpiry = uint64(_latestExpiry());
        emit MaxTTLUpdated(maxTTL, newMaxTTL);
        maxTTL = newMaxTTL;
        _issuers.setLimits(newMaxTTL, maturation);
    }

    /// @inheritdoc IResolver
    function setMaturation(uint64 newMaturation) external onlyOwner {
        _setMaturation(newMaturation);
    }

    /// @inheritdoc IResolver
    function setChallengePeriod(uint64 newPeriod) external onlyOwner {
        if (newPeriod < _MIN_CHALLENGE_PERIOD || newPeriod > _MAX_CHALLENGE_PERIOD) {
            revert InvalidChallengePeriod(newPeriod, _MIN_CHALLENGE_PERIOD, _MAX_CHALLENGE_PERIOD);
        }
        emit ChallengePeriodUpdated(challengePeriod, newPeriod);
        challengePeriod = newPeriod;
    }

    /// @inheritdoc IResolver
    function isIssuer(address account) external view returns (bool) {
        return _issuers.byAccount[account].status == IssuerStatus.Active;
    }

    /// @inheritdoc IResolver
    function getIssuer(address issuer) external view returns (IssuerView memory) {
        return _issuers.describe(issuer);
    }

    /// @inheritdoc IResolver
    function getIssuers() external view returns (IssuerView[] memory) {
        return _issuers.describeAll();
    }

    /// @notice Refused: a resolver without an owner could never distrust a rogue issuer.
    /// @dev Reverts with `RenounceRefused`.
    function renounceOwnership() public pure override {
        revert RenounceRefused();
    }

    function _setMaturation(uint64 newMaturation) private {
        uint64 max = uint64(Math.min(_MAX_MATURATION, maxTTL - 1));
        if (newMaturation < _MIN_MATURATION || newMaturation > max) {
            revert InvalidMaturation(newMaturation, _MIN_MATURATION, max);
        }
        emit MaturationUpdated(maturation, newMaturation);
        maturation = newMaturation;
        _issuers.setLimits(maxTTL, newMaturation);
    }

    /// @dev The latest expiry that a currently active issuer could have written.
    function _latestExpiry() private view returns (uint256) {
        return Math.max(block.timestamp + maxTTL, _earlierLatestExpiry);
    }
}
