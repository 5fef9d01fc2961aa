// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {Refusals} from "../support/Refusals.sol";

/// @dev Owner, issuers and limits of a resolver, one variable each.
abstract contract IssuersTwin is IResolver, Refusals {
    address public owner;
    address public pendingOwner;
    uint64 public maxTTL = 365 days;
    uint64 public maturation;

    /// @dev Seats in the order in which issuers are listed; zero where one is free.
    address[] internal _issuerList;
    /// @dev Number of the authorisation that an account has now, or 0.
    mapping(address account => uint256) internal _epochOf;
    uint256 internal _lastEpoch;

    event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    modifier onlyOwner() {
        _refuseIf(
            msg.sender != owner,
            abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, msg.sender)
        );
        _;
    }

    function transferOwnership(address newOwner) external onlyOwner {
        _settle();
        pendingOwner = newOwner;
        emit OwnershipTransferStarted(owner, newOwner);
    }

    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert Ownable.OwnableUnauthorizedAccount(msg.sender);
        emit OwnershipTransferred(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }

    function renounceOwnership() external pure {
        revert RenounceRefused();
    }

    function addIssuer(address issuer) external onlyOwner {
        _refuseIf(issuer == address(0), abi.encodeWithSelector(ZeroAddress.selector));
        _refuseIf(_epochOf[issuer] != 0, abi.encodeWithSelector(AlreadyIssuer.selector, issuer));
        uint256 seat = _seatOf(address(0));
        _refuseIf(seat == 16, abi.encodeWithSelector(TooManyIssuers.selector, 16));
        _settle();
        _epochOf[issuer] = ++_lastEpoch;
        if (seat == _issuerList.length) _issuerList.push();
        _issuerList[seat] = issuer;
        emit IssuerAdded(issuer, uint32(_lastEpoch));
    }

    function removeIssuer(address issuer) external onlyOwner {
        _refuseIf(_epochOf[issuer] == 0, abi.encodeWithSelector(NotIssuer.selector, issuer));
        _settle();
        _epochOf[issuer] = 0;
        _issuerList[_seatOf(issuer)] = address(0);
        emit IssuerRemoved(issuer);
    }

    function setMaxTTL(uint64 newMaxTTL) external onlyOwner {
        _refuseIf(
            newMaxTTL < 1 days || newMaxTTL > 3650 days,
            abi.encodeWithSelector(InvalidMaxTTL.selector, newMaxTTL, 1 days, 3650 days)
        );
        _settle();
        emit MaxTTLUpdated(maxTTL, newMaxTTL);
        maxTTL = newMaxTTL;
    }

    function setMaturation(uint64 newMaturation) external onlyOwner {
        _refuseIf(
            newMaturation < 1 hours || newMaturation > 30 days,
            abi.encodeWithSelector(InvalidMaturation.selector, newMaturation, 1 hours, 30 days)
        );
        _settle();
        emit MaturationUpdated(maturation, newMaturation);
        maturation = newMaturation;
    }

    function isIssuer(address account) external view returns (bool) {
        return _epochOf[account] != 0;
    }

    function issuerEpoch(address issuer) external view returns (uint32) {
        return uint32(_epochOf[issuer]);
    }

    function getIssuers() external view returns (address[] memory issuers) {
        issuers = new address[](_issuerList.length);
        uint256 count;
        for (uint256 i = 0; i < _issuerList.length; ++i) {
            if (_issuerList[i] != address(0)) issuers[count++] = _issuerList[i];
        }
        assembly ("memory-safe") {
            mstore(issuers, count)
        }
    }

    function _seatOf(address issuer) private view returns (uint256 seat) {
        while (seat < _issuerList.length && _issuerList[seat] != issuer) ++seat;
    }
}
