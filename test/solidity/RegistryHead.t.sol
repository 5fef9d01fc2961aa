// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {RecordHead, RecordHeadLib} from "../../contracts/libraries/RecordHead.sol";
import {VM} from "./support/Vm.sol";

/// @dev Compares the packed head and its history with an array of versions.
contract RegistryHeadTest {
    struct Plain {
        uint8 minor;
        uint8 patch;
        uint64 registeredAt;
    }

    Plain[] private _plain;
    mapping(uint256 index => uint256 word) private _history;

    function testFuzz_versionsAsAnArray(
        uint32 tokenId,
        uint8 major,
        uint8 latestMajor,
        Plain[11] calldata versions,
        uint8 count
    ) external {
        tokenId = tokenId == 0 ? 1 : tokenId;
        RecordHead head = RecordHeadLib.create(tokenId, major, major, _at(versions[0]), versions[0].patch);
        head = head.withLatestMajor(latestMajor);
        for (uint256 i = 1; i < 1 + (count % 11); ++i) {
            (RecordHead next, bool isFlush) = head.appendVersion(_at(versions[i]), versions[i].patch);
            if (isFlush) _history[head.versionCount() / 4 - 1] = head.versionsWord();
            require(isFlush == (i % 4 == 0), "isFlush");
            head = next;
        }

        require(!head.isEmpty(), "isEmpty");
        require(head.tokenId() == tokenId, "tokenId");
        require(head.major() == major, "major");
        require(head.latestMajor() == latestMajor, "latestMajor");
        require(head.versionCount() == _plain.length, "versionCount");
        for (uint256 i = 0; i < _plain.length; ++i) {
            uint256 word = i / 4 == (_plain.length - 1) / 4 ? head.versionsWord() : _history[i / 4];
            (uint8 minor, uint8 patch, uint64 registeredAt) = RecordHeadLib.unpack(word, i);
            _requireSame(_plain[i], minor, patch, registeredAt);
        }
        (uint8 currentMinor, uint8 currentPatch, uint64 currentTime) = head.current();
        _requireSame(_plain[_plain.length - 1], currentMinor, currentPatch, currentTime);
    }

    /// @dev A major version has at most 256 minor versions of 256 patches each.
    function test_countsEveryVersionThatThereCanBe() external view {
        RecordHead head = RecordHeadLib.create(type(uint32).max, 255, 255, 0, 0);
        for (uint256 i = 1; i < 1 << 16; ++i) (head, ) = head.appendVersion(uint8(i >> 8), uint8(i));
        require(head.versionCount() == 1 << 16, "versionCount");
        require(
            head.tokenId() == type(uint32).max && head.major() == 255 && head.latestMajor() == 255,
            "fields"
        );
        (uint8 minor, uint8 patch, ) = head.current();
        require(minor == 255 && patch == 255, "current");
    }

    /// @dev Appends the version to the array, sets the clock to its time, and returns its minor version.
    function _at(Plain calldata version) private returns (uint8) {
        uint64 registeredAt = uint32(version.registeredAt);
        VM.warp(registeredAt);
        _plain.push(Plain(version.minor, version.patch, registeredAt));
        return version.minor;
    }

    function _requireSame(Plain memory plain, uint8 minor, uint8 patch, uint64 registeredAt) private pure {
        require(plain.minor == minor && plain.patch == patch, "version");
        require(plain.registeredAt == registeredAt, "registeredAt");
    }
}
