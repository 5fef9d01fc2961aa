// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IResolver} from "../interfaces/IResolver.sol";
import {RunLib} from "../libraries/Run.sol";

/// @notice Number and status of an issuer.
struct Issuer {
    /// @dev Numbers start at 1; 0 if the account was never added. Runs are stored by number.
    uint16 number;
    IResolver.IssuerStatus status;
    uint40 addedAt;
}

/// @notice Dates that decide which of an issuer's runs are valid, and how long it has a seat.
struct IssuerTrust {
    address account;
    /// @dev Time since which the issuer's statements are void; `NEVER` unless the issuer is distrusted.
    uint32 distrustedSince;
    /// @dev Time of the first distrust; 0 if the issuer was never distrusted.
    uint32 distrustedAt;
    /// @dev Time from which another issuer can get the seat; `NEVER` while the issuer is active.
    uint32 seatFreeAt;
}

/// @title Decisions of a resolver's owner
/// @notice The owner adds, retires and distrusts issuers. The times are fixed at deployment, so the owner can't change
/// the effect of earlier statements through a setting.
abstract contract ResolverPolicy is IResolver, Ownable2Step {
    /// @inheritdoc IResolver
    // solhint-disable-next-line immutable-vars-naming
    uint64 public immutable maturation;
    /// @inheritdoc IResolver
    // solhint-disable-next-line immutable-vars-naming
    uint64 public immutable challengePeriod;
    /// @inheritdoc IResolver
    // solhint-disable-next-line immutable-vars-naming
    uint64 public immutable maxTTL;

    uint256 private constant _SEATS = 16;
    /// @dev Time for which a seat stays taken after the last possible expiry of the issuer's runs, in seconds.
    /// Afterwards its runs have no effect, not even in the grace.
    uint256 private constant _SEAT_TAIL = RunLib.GRACE + 1 days;
    uint32 private constant _NEVER = uint32(RunLib.NEVER);

    mapping(address account => Issuer) internal _issuers;
    mapping(uint16 number => IssuerTrust) internal _trust;
    /// @dev Numbers of the seated issuers. Runs of other issuers are not read. A free seat keeps its number until
    /// another issuer gets it.
    uint16[] internal _seats;
    uint16 private _lastNumber;

    /// @param owner_ Account that adds, retires and distrusts issuers.
    /// @param maturation_ Time until an attestation on a claimed DID matures, in seconds, 1 hour to 7 days.
    /// @param challengePeriod_ Time until a challenge can be resolved, in seconds, 7 to 60 days.
    /// @param maxTTL_ Longest lifetime of an attestation, in seconds, 30 days to 2 years.
    constructor(address owner_, uint64 maturation_, uint64 challengePeriod_, uint64 maxTTL_) Ownable(owner_) {
        _requireBetween(maturation_, 1 hours, 7 days);
        _requireBetween(challengePeriod_, 7 days, 60 days);
        _requireBetween(maxTTL_, 30 days, 730 days);
        (maturation, challengePeriod, maxTTL) = (maturation_, challengePeriod_, maxTTL_);
    }

    /// @inheritdoc IResolver
    function addIssuer(address issuer) external onlyOwner {
        if (issuer == address(0)) revert ZeroAddress();
        if (_issuers[issuer].number != 0) revert IssuerKnown(issuer);
        uint256 seat = _findFreeSeat();
        uint16 number = ++_lastNumber;
        if (seat == _seats.length) _seats.push(number);
        else _seats[seat] = number;
        _issuers[issuer] = Issuer(number, IssuerStatus.Active, uint40(block.timestamp));
        _trust[number] = IssuerTrust(issuer, _NEVER, 0, _NEVER);
        emit IssuerAdded(issuer);
    }

    /// @inheritdoc IResolver
    function retireIssuer(address issuer) external onlyOwner {
        Issuer storage known = _issuers[issuer];
        if (known.status != IssuerStatus.Active) revert NotIssuer(issuer);
        known.status = IssuerStatus.Retired;
        _trust[known.number].seatFreeAt = uint32(block.timestamp + maxTTL + _SEAT_TAIL);
        emit IssuerRetired(issuer);
    }

    /// @inheritdoc IResolver
    function distrustIssuer(address issuer, uint64 since) external onlyOwner {
        Issuer storage known = _issuers[issuer];
        if (known.status == IssuerStatus.Unknown) revert NotIssuer(issuer);
        IssuerTrust storage trust = _trust[known.number];
        uint64 before = uint64(Math.min(trust.distrustedSince, block.timestamp + 1));
        if (since >= before) revert InvalidDistrust(since, before);
        known.status = IssuerStatus.Distrusted;
        trust.distrustedSince = uint32(since);
        if (trust.distrustedAt == 0) trust.distrustedAt = uint32(block.timestamp);
        if (since == 0) trust.seatFreeAt = 0;
        else if (trust.seatFreeAt == _NEVER) trust.seatFreeAt = uint32(block.timestamp + maxTTL + _SEAT_TAIL);
        emit IssuerDistrusted(issuer, since);
    }

    /// @inheritdoc IResolver
    function isIssuer(address account) external view returns (bool) {
        return _issuers[account].status == IssuerStatus.Active;
    }

    /// @inheritdoc IResolver
    function getIssuers() external view returns (IssuerView[] memory) {
        uint16[] memory numbers = _seats;
        IssuerView[] memory views = new IssuerView[](numbers.length);
        for (uint256 i = 0; i < numbers.length; ++i) views[i] = getIssuer(_trust[numbers[i]].account);
        return views;
    }

    /// @inheritdoc IResolver
    function getIssuer(address issuer) public view returns (IssuerView memory) {
        Issuer storage known = _issuers[issuer];
        IssuerTrust storage trust = _trust[known.number];
        uint64 since = trust.distrustedSince == _NEVER ? 0 : trust.distrustedSince;
        uint64 seatFreeAt = trust.seatFreeAt == _NEVER ? 0 : trust.seatFreeAt;
        return IssuerView(issuer, known.status, known.addedAt, since, seatFreeAt);
    }

    /// @notice Always reverts: without an owner, nobody could distrust an issuer whose key leaked.
    /// @dev Reverts with `RenounceRefused`.
    function renounceOwnership() public pure override {
        revert RenounceRefused();
    }

    /// @dev Returns the seat for a new issuer. Assigns the last free seat only while no issuer is active, so that the
    /// owner can still add one then. Reverts with `NoFreeSeat`.
    function _findFreeSeat() private view returns (uint256 seat) {
        seat = _seats.length;
        uint256 free = _SEATS - seat;
        bool isAnyActive = false;
        for (uint256 i = _seats.length; i > 0; --i) {
            uint32 seatFreeAt = _trust[_seats[i - 1]].seatFreeAt;
            if (seatFreeAt == _NEVER) isAnyActive = true;
            if (seatFreeAt > block.timestamp) continue;
            seat = i - 1;
            ++free;
        }
        if (free == 0 || (free == 1 && isAnyActive)) revert NoFreeSeat(_SEATS);
    }

    function _requireBetween(uint64 setting, uint64 min, uint64 max) private pure {
        if (setting < min || setting > max) revert SettingOutOfBounds(setting, min, max);
    }
}
