// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IResolver} from "../interfaces/IResolver.sol";
import {RunLib} from "./Run.sol";

/// @notice The issuers, and since when each is distrusted.
/// @dev Every issuer has a number, starting at 1; runs are stored by number. At most 16 numbers have a seat; the runs of
/// the others are no longer read.
struct Issuers {
    mapping(address account => Issuer) byAccount;
    mapping(uint16 number => IssuerTrust) byNumber;
    uint16[16] seats;
    uint16 count;
    /// @dev How long standing outlasts the run that gave it: the maturation, but at least 48 hours.
    uint40 standingTail;
}

/// @notice What decides whether an account may state something.
struct Issuer {
    uint16 number;
    IResolver.IssuerStatus status;
    uint40 addedAt;
    /// @dev A copy of the resolver's settings, so that a statement reads one slot.
    uint40 maxTTL;
    uint40 maturation;
}

/// @notice What decides whether a run is believed.
struct IssuerTrust {
    address account;
    /// @dev `NEVER` unless the issuer is distrusted.
    uint40 distrustedSince;
    /// @dev When the seat can be given away; `NEVER` while the issuer is active.
    uint40 seatFreeAt;
}

using IssuersLib for Issuers global;

/// @title The issuers' seats
library IssuersLib {
    uint256 internal constant SEATS = 16;
    /// @dev Added to the last expiry that an issuer could have written. Afterwards nothing needs its runs.
    uint256 private constant _SEAT_TAIL = 90 days;
    uint64 private constant _MIN_STANDING_TAIL = 48 hours;

    function add(Issuers storage self, address account, uint64 maxTTL, uint64 maturation) internal {
        if (account == address(0)) revert IResolver.ZeroAddress();
        if (self.byAccount[account].number != 0) revert IResolver.IssuerKnown(account);
        uint256 seat = self.findFreeSeat();
        uint16 number = ++self.count;
        self.seats[seat] = number;
        self.byAccount[account] = Issuer({
            number: number,
            status: IResolver.IssuerStatus.Active,
            addedAt: uint40(block.timestamp),
            maxTTL: uint40(maxTTL),
            maturation: uint40(maturation)
        });
        self.byNumber[number] = IssuerTrust(account, RunLib.NEVER, RunLib.NEVER);
    }

    /// @param latestExpiry The latest expiry that the issuer could have written.
    function retire(Issuers storage self, address account, uint256 latestExpiry) internal {
        Issuer storage issuer = self.byAccount[account];
        if (issuer.status != IResolver.IssuerStatus.Active) revert IResolver.NotIssuer(account);
        issuer.status = IResolver.IssuerStatus.Retired;
        self.byNumber[issuer.number].seatFreeAt = uint40(latestExpiry + _SEAT_TAIL);
    }

    /// @param latestExpiry The latest expiry that the issuer could have written if it is active.
    function distrust(Issuers storage self, address account, uint64 since, uint256 latestExpiry) internal {
        Issuer storage issuer = self.byAccount[account];
        IResolver.IssuerStatus status = issuer.status;
        if (status == IResolver.IssuerStatus.Unknown) revert IResolver.NotIssuer(account);
        IssuerTrust storage trust = self.byNumber[issuer.number];
        bool isAgain = status == IResolver.IssuerStatus.Distrusted;
        uint64 before = isAgain ? trust.distrustedSince : uint64(block.timestamp) + 1;
        if (since >= before) revert IResolver.InvalidDistrust(since, before);
        issuer.status = IResolver.IssuerStatus.Distrusted;
        trust.distrustedSince = uint40(since);
        if (since == 0) trust.seatFreeAt = 0;
        else if (trust.seatFreeAt == RunLib.NEVER) trust.seatFreeAt = uint40(latestExpiry + _SEAT_TAIL);
    }

    function setLimits(Issuers storage self, uint64 maxTTL, uint64 maturation) internal {
        self.standingTail = uint40(Math.max(maturation, _MIN_STANDING_TAIL));
        uint16[] memory numbers = self.seated();
        for (uint256 i = 0; i < numbers.length; ++i) {
            Issuer storage issuer = self.byAccount[self.byNumber[numbers[i]].account];
            issuer.maxTTL = uint40(maxTTL);
            issuer.maturation = uint40(maturation);
        }
    }

    /// @dev Assigns the last free seat only while no issuer is active.
    function findFreeSeat(Issuers storage self) internal view returns (uint256 seat) {
        uint256 free = 0;
        bool isAnyActive = false;
        for (uint256 i = 0; i < SEATS; ++i) {
            IssuerTrust storage trust = self.byNumber[self.seats[i]];
            if (trust.seatFreeAt <= block.timestamp) {
                // solhint-disable-next-line gas-increment-by-one
                if (free++ == 0) seat = i;
            } else if (trust.seatFreeAt == RunLib.NEVER) {
                isAnyActive = true;
            }
        }
        if (free == 0 || (free == 1 && isAnyActive)) revert IResolver.NoFreeSeat(SEATS);
    }

    /// @dev The issuer; reverts unless it may attest or, if `onlyRevokes`, revoke.
    function authorize(
        Issuers storage self,
        address account,
        bool onlyRevokes
    ) internal view returns (Issuer memory issuer) {
        issuer = self.byAccount[account];
        bool mayState =
            issuer.status == IResolver.IssuerStatus.Active ||
                (onlyRevokes && issuer.status == IResolver.IssuerStatus.Retired);
        if (!mayState) revert IResolver.NotIssuer(account);
    }

    function describe(
        Issuers storage self,
        address account
    ) internal view returns (IResolver.IssuerView memory) {
        Issuer storage issuer = self.byAccount[account];
        IssuerTrust storage trust = self.byNumber[issuer.number];
        bool isDistrusted = issuer.status == IResolver.IssuerStatus.Distrusted;
        return
            IResolver.IssuerView({
                issuer: account,
                status: issuer.status,
                addedAt: issuer.addedAt,
                distrustedSince: isDistrusted ? trust.distrustedSince : 0,
                seatFreeAt: trust.seatFreeAt == RunLib.NEVER ? 0 : trust.seatFreeAt
            });
    }

    function describeAll(Issuers storage self) internal view returns (IResolver.IssuerView[] memory issuers) {
        uint16[] memory numbers = self.seated();
        issuers = new IResolver.IssuerView[](numbers.length);
        for (uint256 i = 0; i < numbers.length; ++i) {
            issuers[i] = self.describe(self.byNumber[numbers[i]].account);
        }
    }

    /// @dev The numbers of the seated issuers. Seats are filled from the first on and never emptied.
    function seated(Issuers storage self) internal view returns (uint16[] memory numbers) {
        uint16[16] memory seats = self.seats;
        uint256 length = 0;
        while (length < SEATS && seats[length] != 0) ++length;
        numbers = new uint16[](length);
        for (uint256 i = 0; i < length; ++i) numbers[i] = seats[i];
    }
}
